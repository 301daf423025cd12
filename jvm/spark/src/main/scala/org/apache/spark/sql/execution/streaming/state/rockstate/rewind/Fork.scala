package org.apache.spark.sql.execution.streaming.state.rockstate.rewind

import java.util.UUID

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderClass
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{
  FamilyTotals,
  LogEntry,
  Move,
  MoveJobs,
  MoveRequest,
  NewCheckpoint,
  PhaseReport,
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
  private val target = new NewCheckpoint(to, hadoopConf)
  private val jobs = new MoveJobs(session, s"rockstate: fork of $from", hadoopConf)
  private lazy val move =
    new Move(session, MoveRequest(from, to, None, None, Some(source.batch), None, isDryRun))

  override def progress: Option[PhaseReport] = if (isCopied) jobs.progress.now else move.progress
  override def cancel(): Unit = if (isCopied) jobs.cancel() else move.cancel()

  /** What would be copied: nothing is written. */
  def plan(): ForkReport =
    if (isCopied) {
      val (root, provider) = (source.folder.toString, source.provider)
      report(None, jobs.each("look at files", StoreAt.all(source))(sizes(root, provider)), Vector.empty)
    } else report(None, Vector.empty, move.plan().totals)

  def run(): ForkReport = {
    val id = UUID.randomUUID().toString
    val metadata = s"""{"id":"$id"}"""
    if (isCopied) report(Some(id), copied(metadata), Vector.empty)
    else report(Some(id), Vector.empty, move.run(Some(metadata)).totals)
  }

  private def isCopied: Boolean = ProviderClass.isOurs(source.provider)

  private def copied(metadata: String): Vector[(StoreAt, FileTotals)] = {
    target.begin(source.folder)
    source.plannedBatches.foreach { case (number, entry) => target.write(s"offsets/$number", entry) }
    new StateMetadata(source, target, partitions = None).copy()
    val stores = jobs.each("copy", StoreAt.all(source))(copies(source.folder.toString, target.folder.toString))
    source.others.foreach(name => target.copy(source.path(name), name))
    target.write(s"commits/${source.batch}", source.committed)
    target.finish(metadata)
    stores
  }

  private def report(
      id: Option[String],
      stores: Vector[(StoreAt, FileTotals)],
      totals: Vector[FamilyTotals]
  ): ForkReport = ForkReport(
    source.folder.toString,
    target.folder.toString,
    source.batch,
    id,
    source.provider,
    LogEntry.format(source.committed),
    source.operators.map { operator =>
      val (of, files) = stores.filter(_._1.operator == operator.operatorId).unzip
      ForkedOperator(
        operator.operatorId,
        operator.name.getOrElse(""),
        of.size,
        files.map(_.files).sum,
        files.map(_.bytes).sum
      )
    },
    totals
  )
}

private object Fork {
  private type Task = (StoreAt, Configuration) => (StoreAt, FileTotals)

  private def sizes(root: String, provider: String): Task = (store, hadoopConf) =>
    store -> FileTotals.of(store.files(root, provider, isWhole = false, hadoopConf).map(_.length))

  private def copies(from: String, to: String): Task = (store, hadoopConf) =>
    store -> new StoreFork(from, to, store, hadoopConf).run()
}
