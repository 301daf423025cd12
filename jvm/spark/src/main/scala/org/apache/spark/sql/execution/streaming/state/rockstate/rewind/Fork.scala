package org.apache.spark.sql.execution.streaming.state.rockstate.rewind

import java.util.UUID

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderClass
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{
  FamilyTotals,
  FilesOfRunning,
  LogEntry,
  Move,
  MoveJobs,
  MoveRequest,
  NewCheckpoint,
  Pace,
  PhaseReport,
  RunMark,
  SourceCheckpoint,
  StateMetadata,
  Watched
}

import io.rockstate.inspect.FileTotals

/** A second checkpoint that goes on after one of a query's batches, under an id of its own. The query may be running. The files of
  * Rockstate's stores are copied, each store in a task; rows of other providers are moved one by one.
  */
final class Fork(session: SparkSession, request: ForkRequest) extends Watched {
  import Fork._
  import request._

  private val hadoopConf: Configuration = session.sessionState.newHadoopConf()
  private val source = new SourceCheckpoint(from, batch, hadoopConf)
  source.requireStart()
  private val target = new NewCheckpoint(to, hadoopConf)
  private val jobs = new MoveJobs(session, s"rockstate: fork of $from", hadoopConf)
  private lazy val move =
    new Move(session, MoveRequest(from, to, None, None, Some(source.batch), None, isDryRun))

  override def progress: Option[PhaseReport] = if (isCopied) jobs.progress.now else move.progress
  override def cancel(): Unit = if (isCopied) jobs.cancel() else move.cancel()

  /** What would be copied: nothing is written. */
  def plan(): ForkReport =
    if (isCopied) {
      target.requireFreeForLog(source.folder, source.plannedBatches)
      val (root, provider) = (source.folder.toString, source.provider)
      val found = jobs.each("look at files", StoreAt.all(source))(sizes(root, provider))
      val cores = session.sparkContext.defaultParallelism
      report(None, found, Vector.empty).copy(seconds = Some(seconds(found.map(_._2.files), cores)))
    } else {
      val planned = move.plan()
      report(None, Vector.empty, planned.totals).copy(seconds = planned.seconds)
    }

  def run(): ForkReport = {
    val id = UUID.randomUUID().toString
    val metadata = s"""{"id":"$id"}"""
    if (isCopied) report(Some(id), copied(metadata), Vector.empty)
    else report(Some(id), Vector.empty, move.run(Some(metadata)).totals)
  }

  private def isCopied: Boolean = ProviderClass.isOurs(source.provider)

  private def copied(metadata: String): Vector[(StoreAt, ForkedStore)] = {
    target.beginWithLog(source.folder, source.plannedBatches)
    target.whileOurs {
      new StateMetadata(source, target, partitions = None).copy()
      val root = target.folder.toString
      val stores = jobs.each("copy", StoreAt.all(source))(copies(source.folder.toString, target.mark))
      stores.foreach { case (store, copy) =>
        if (copy.leftOver.nonEmpty) store.in(root, hadoopConf).deleteAll(copy.leftOver.toSeq)
      }
      new FilesOfRunning(source.folder, hadoopConf).each(source.others)(target.copy)
      target.commit(source.batch, source.committed)
      target.finish(metadata)
      stores
    }
  }

  private def report(
      id: Option[String],
      stores: Vector[(StoreAt, ForkedStore)],
      totals: Vector[FamilyTotals]
  ): ForkReport = ForkReport(
    source.folder.toString,
    target.folder.toString,
    source.batch,
    id,
    source.provider,
    LogEntry.format(source.committed),
    source.operators.map { operator =>
      val of = stores.filter(_._1.operator == operator.operatorId).map(_._2)
      ForkedOperator(
        operator.operatorId,
        operator.name.getOrElse(""),
        of.size,
        of.map(_.files.files).sum,
        of.map(_.files.bytes).sum,
        sum(of.map(_.rows)),
        sum(of.map(_.copied))
      )
    },
    None,
    totals
  )
}

private object Fork {
  private type Task = (StoreAt, Configuration) => (StoreAt, ForkedStore)

  /** What a core copies and reads back in a second, and what it takes to begin a file, measured (docs/moving.md). */
  private val BytesPerSecond = 50e6
  private val SecondsOfFile = 0.01

  private def seconds(found: Vector[FileTotals], cores: Int): Double =
    Pace.SecondsToBegin + (found.map(_.bytes).sum / BytesPerSecond + found.map(_.files).sum * SecondsOfFile) / cores

  private def sum(rows: Vector[Option[Long]]): Option[Long] =
    Option.when(rows.nonEmpty && rows.forall(_.isDefined))(rows.flatten.sum)

  private def sizes(root: String, provider: String): Task = (store, hadoopConf) => {
    val files = store.files(root, provider, isWhole = false, hadoopConf)
    store -> ForkedStore(FileTotals.of(files.map(_.length)), store.rows(store.in(root, hadoopConf), files), None)
  }

  private def copies(from: String, to: RunMark): Task = (store, hadoopConf) =>
    store -> new StoreFork(from, to, store, hadoopConf).run()
}
