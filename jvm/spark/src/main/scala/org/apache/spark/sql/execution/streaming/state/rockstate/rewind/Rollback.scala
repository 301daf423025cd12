package org.apache.spark.sql.execution.streaming.state.rockstate.rewind

import scala.util.Using
import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderClass
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.{CheckpointFiles, Journal, OpenCheckpoint}
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{
  ForeignFailure,
  LogEntry,
  MoveJobs,
  PhaseReport,
  SourceCheckpoint,
  StoreRows,
  Watched
}

import io.rockstate.errors.{Conflict, Misuse, NotFound, StateStoreException, Unsupported}
import io.rockstate.inspect.FileTotals

/** Takes a stopped query's checkpoint back to one of its batches, in place. What came after is kept aside in a folder of it. */
final class Rollback(session: SparkSession, request: RollbackRequest) extends Watched {
  import Rollback._
  import request._

  private val hadoopConf: Configuration = session.sessionState.newHadoopConf()
  private val files = new CheckpointFiles(checkpoint, hadoopConf)
  private val later = new LaterFiles(files, batch, hadoopConf)
  private val jobs = new MoveJobs(session, s"rockstate: rollback of $checkpoint", hadoopConf)
  private val kept = new KeptAside(files.folder, hadoopConf, () => synchronized(jobs.progress.tasks.add(1)))

  override def progress: Option[PhaseReport] = jobs.progress.now

  /** Files that are on their way arrive, no other is moved. */
  override def cancel(): Unit = {
    kept.stop()
    jobs.cancel()
  }

  /** What would be kept aside: nothing is moved. */
  def plan(): RollbackReport = {
    kept.journal.foreach(begun => throw kept.cutOff(begun))
    require()
    val names = later.names
    report(None, names, FileTotals.of(kept.lengths(names)))
  }

  def run(): RollbackReport = {
    kept.finishForgetting()
    val wasLastStep = kept.settle()
    val begun = kept.journal
    begun.filterNot(entry => entry.isRollback && entry.batch == batch).foreach(other => throw kept.cutOff(other))
    if (wasLastStep && later.newest._1.contains(batch) && later.names.isEmpty) done(kept.folders.last)
    else {
      if (begun.isEmpty) require()
      val folder = begun.fold(kept.nextFolder)(_.folder)
      val steps = later.steps // it may fail, and nothing has moved yet
      kept.journaled(Journal(batch, folder, isRollback = true)) { isAgain =>
        jobs.progress.begin("move", steps.flatten.flatten.size)
        steps.foreach(kept.move(_, isAgain)(name => s"$folder/$name"))
        if (later.names.nonEmpty) throw running
        requireState(folder)
      }
      done(folder)
    }
  }

  /** That there is something to take back, and that the query can go on from there. */
  private def require(): Unit = {
    val source = new SourceCheckpoint(checkpoint, Some(batch), hadoopConf)
    if (!ProviderClass.hasVersionsInNames(source.provider))
      throw new Unsupported(
        s"The files of ${source.provider} do not tell which batch they are of",
        "Write a new checkpoint as of that batch with `rockstate fork`.",
        Some(source.folder.toString)
      )
    val before = later.newest
    if (before._1.contains(batch) && source.unfinishedRepartition.isEmpty)
      throw new Misuse(s"Batch $batch is the last one that was committed [${source.folder}]", "Give an earlier batch.")
    source.metadata
    source.requireStart()
    val stores = StoreAt.all(source)
    jobs.each("read", stores)(check(source.folder.toString, source.provider, isWhole = true))
    // Their names say that files are there; whether these are whole, only their provider can tell.
    if (!ProviderClass.isOurs(source.provider)) readRows(source)
    if (later.newest != before) throw running
  }

  private def readRows(source: SourceCheckpoint): Unit = {
    val from = jobs.reads(source)
    val places = source.stores.flatMap { case (plan, partitions) => (0 until partitions).map(plan -> _) }
    jobs.each("read", places) { case ((plan, partition), hadoopConf) =>
      Using.resource(new StoreRows(plan, partition, from, hadoopConf))(_.iterator.foreach(_ => ()))
    }: Unit
  }

  /** That no file went which the batch's own state needs, before the query can start again. */
  private def requireState(folder: String): Unit = {
    val found = new OpenCheckpoint(checkpoint, hadoopConf, verify = false).content
    val committed = files.text(s"commits/$batch").toOption
    val partitions = files.text(s"offsets/$batch").toOption.flatMap(LogEntry.partitions)
    val stores = committed.toVector.flatMap(StoreAt.all(files.folder, found.operators, batch, _, partitions))
    val provider = found.provider.getOrElse("")
    try jobs.each("look at files", stores)(check(files.folder.toString, provider, isWhole = false)): Unit
    catch { case NonFatal(e) => throw incomplete(ForeignFailure.of(e), folder) }
  }

  private def incomplete(found: StateStoreException, folder: String): StateStoreException = found match {
    case e: NotFound =>
      new NotFound(
        e.problem,
        s"If the file is in $folder, move it back to where it was; then run the rollback again.",
        e.file.getOrElse(folder),
        e.version
      )
    case other => other
  }

  private def done(folder: String): RollbackReport = {
    val found = kept.filesIn(folder)
    report(Some(folder), found.map(_._1), FileTotals.of(found.map(_._2)))
  }

  private def report(folder: Option[String], names: Vector[String], totals: FileTotals): RollbackReport =
    RollbackReport(
      files.folder.toString,
      batch,
      batchesIn("commits", names).maxOption,
      folder,
      totals.files,
      totals.bytes,
      isOfPartitions = names.contains(s"offsets/${batch + 1}")
    )

  private def running: Conflict = new Conflict(
    "The query writes to the checkpoint, or the Spark session that it ran in does",
    s"Stop both, and run this again: rockstate rollback ${files.folder} --batch $batch.",
    Some(files.folder.toString)
  )
}

private[rewind] object Rollback {
  private def check(root: String, provider: String, isWhole: Boolean): (StoreAt, Configuration) => Int =
    (store, hadoopConf) => store.files(root, provider, isWhole, hadoopConf).size

  /** The batches of a log among files. */
  def batchesIn(log: String, names: Vector[String]): Vector[Long] =
    names.filter(_.startsWith(s"$log/")).flatMap(_.drop(log.length + 1).toLongOption)
}
