package org.apache.spark.sql.execution.streaming.state.rockstate.rewind

import java.util.UUID

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderClass
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{
  FamilyTotals,
  LogEntry,
  Move,
  MoveRequest,
  NewCheckpoint,
  SourceCheckpoint,
  StateMetadata
}

import io.rockstate.inspect.FileTotals

/** A second checkpoint that goes on after one of a query's batches, under an id of its own. The query may be running. The files of
  * Rockstate's stores are copied, each store in a task; rows of other providers are moved one by one.
  */
final class Fork(session: SparkSession, request: ForkRequest) {
  import request._

  private val hadoopConf: Configuration = session.sessionState.newHadoopConf()
  private val source = new SourceCheckpoint(from, batch, hadoopConf)
  private val target = new NewCheckpoint(to, hadoopConf)
  private val tasks = new StoreTasks(session, s"rockstate: fork of $from", hadoopConf)

  /** What would be copied: nothing is written. */
  def plan(): ForkReport =
    if (isCopied) report(None, tasks.run("looks at the files", source)(Fork.sizes), Vector.empty)
    else report(None, Vector.empty, new Move(session, moveRequest).plan().totals)

  def run(): ForkReport = {
    val id = UUID.randomUUID().toString
    val metadata = s"""{"id":"$id"}"""
    if (isCopied) report(Some(id), copied(metadata), Vector.empty)
    else report(Some(id), Vector.empty, new Move(session, moveRequest).run(Some(metadata)).totals)
  }

  private def isCopied: Boolean = ProviderClass.isOurs(source.provider)

  private def moveRequest: MoveRequest =
    MoveRequest(from, to, None, None, Some(source.batch), None, isDryRun)

  private def copied(metadata: String): Vector[(StoreAt, FileTotals)] = {
    target.begin(source.folder)
    source.plannedBatches.foreach { case (number, entry) => target.write(s"offsets/$number", entry) }
    new StateMetadata(source, target, partitions = None).copy()
    val to = target.folder.toString
    val stores = tasks.run("copies", source)((store, root, _, conf) => new StoreFork(root, to, store, conf).run())
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
  def sizes(store: StoreAt, root: String, provider: String, hadoopConf: Configuration): FileTotals =
    FileTotals.of(store.files(root, provider, isWhole = false, hadoopConf).map(_.length))
}
