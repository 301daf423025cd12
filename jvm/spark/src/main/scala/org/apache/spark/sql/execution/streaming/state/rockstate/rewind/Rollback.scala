package org.apache.spark.sql.execution.streaming.state.rockstate.rewind

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{
  MoveJobs,
  PhaseReport,
  SourceCheckpoint,
  Watched
}

import io.rockstate.errors.{Conflict, Misuse, Unsupported}
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

  /** Files that are being moved all go. */
  override def cancel(): Unit = jobs.cancel()

  /** What would be kept aside: nothing is moved. */
  def plan(): RollbackReport = {
    require()
    val names = later.names
    report(None, names, FileTotals.of(kept.lengths(names)))
  }

  def run(): RollbackReport = {
    val wasLastStep = kept.settle()
    val begun = kept.journal
    begun.filterNot(entry => entry.isRollback && entry.batch == batch).foreach(other => throw kept.cutOff(other))
    if (wasLastStep && later.names.isEmpty) done(kept.folders.last)
    else {
      if (begun.isEmpty) require()
      val folder = begun.fold(kept.nextFolder)(_.folder)
      kept.journaled(Journal(batch, folder, isRollback = true)) { isAgain =>
        val steps = later.steps
        jobs.progress.begin("move", steps.flatten.flatten.size)
        steps.foreach(kept.move(_, isAgain)(name => s"$folder/$name"))
        if (later.names.nonEmpty) throw running
      }
      done(folder)
    }
  }

  /** That there is something to take back, and that the query can go on from there. */
  private def require(): Unit = {
    val source = new SourceCheckpoint(checkpoint, Some(batch), hadoopConf)
    if (!StoreAt.hasVersionsInNames(source.provider))
      throw new Unsupported(
        s"The files of ${source.provider} do not tell which batch they are of",
        "Write a new checkpoint as of that batch with `rockstate fork`.",
        Some(source.folder.toString)
      )
    val before = later.newest
    if (before._1.contains(batch))
      throw new Misuse(s"Batch $batch is the last one that was committed [${source.folder}]", "Give an earlier batch.")
    source.metadata
    jobs.each("read", StoreAt.all(source))(check(source.folder.toString, source.provider))
    if (later.newest != before) throw running
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
      totals.bytes
    )

  private def running: Conflict = new Conflict(
    "The query writes to the checkpoint",
    "Stop the query and run this again.",
    Some(files.folder.toString)
  )
}

private[rewind] object Rollback {
  private def check(root: String, provider: String): (StoreAt, Configuration) => Int = (store, hadoopConf) =>
    store.files(root, provider, isWhole = true, hadoopConf).size

  /** The batches of a log among files. */
  def batchesIn(log: String, names: Vector[String]): Vector[Long] =
    names.filter(_.startsWith(s"$log/")).flatMap(_.drop(log.length + 1).toLongOption)
}
