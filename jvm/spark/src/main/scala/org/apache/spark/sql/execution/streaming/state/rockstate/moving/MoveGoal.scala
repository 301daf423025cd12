package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import scala.util.Try

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.execution.streaming.state.{
  HDFSBackedStateStoreProvider,
  RocksDBStateStoreProvider,
  StateStoreProvider
}
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderClass
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.WholeStores
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.util.Utils

import io.rockstate.errors.{Misuse, Unsupported}

/** What a move is to come to.
  *
  * @param provider   the class that is to keep the state
  * @param format     the checkpoint format
  * @param partitions the new number of shuffle partitions, if there is one
  * @param batch      whose state it will be
  */
private[rockstate] final class MoveGoal private (
    val source: SourceCheckpoint,
    val provider: String,
    val format: Int,
    partitions: Option[Int],
    val batch: Long
) {
  import MoveGoal._

  /** What the query is to be pinned to. */
  val conf: Map[String, String] =
    Map(ProviderKey -> provider) ++ partitions.map(SQLConf.SHUFFLE_PARTITIONS.key -> _.toString)

  /** How many partitions a store will have.
    *
    * @param before how many it has
    */
  def partitionsOf(plan: StorePlan, before: Int): Int =
    if (before == 1 && plan.isInOnePartition) 1 else partitions.getOrElse(before)

  private def check(): Unit = {
    requireProvider()
    if (provider == FileBased && format == 2)
      throw new Unsupported(s"$FileBased has checkpoint format 1 only", "Leave the format out, or ask for 1.")
    source.stores.foreach { case (plan, before) =>
      if (plan.hasStateVariables && !takesStateVariables(provider)) throw refusedBySpark(plan)
      if (plan.hasColumnFamilies && provider == FileBased) throw inFamilies(plan)
      if (partitionsOf(plan, before) != before) {
        source.requireSpreadByKeys()
        new Placement(plan, before).require()
      }
    }
  }

  private def requireProvider(): Unit = {
    val found = Try(Utils.classForName[AnyRef](provider)).toOption.exists(classOf[StateStoreProvider].isAssignableFrom)
    if (!found)
      throw new Misuse(
        s"$provider is not a state store provider that this Spark can load",
        "Give rockstate, rocksdb, hdfs or a class, and its jar."
      )
  }

  private def refusedBySpark(plan: StorePlan): Unsupported = new Unsupported(
    s"Operator ${plan.operator} (${plan.operatorName}) has state variables, for which Spark does not take $provider",
    "Move the checkpoint to rockstate or rocksdb.",
    Some(source.folder.toString)
  )

  private def inFamilies(plan: StorePlan): Unsupported = new Unsupported(
    s"Operator ${plan.operator} (${plan.operatorName}) keeps its state in column families, which $FileBased does not have",
    "Move the checkpoint to rockstate or rocksdb.",
    Some(source.folder.toString)
  )
}

private[rockstate] object MoveGoal {
  val ProviderKey: String = SQLConf.STATE_STORE_PROVIDER_CLASS.key
  private val FileBased = classOf[HDFSBackedStateStoreProvider].getName

  /** As Spark 4.2 and later compare classes at the start of a query. */
  private def takesStateVariables(provider: String): Boolean =
    ProviderClass.isOurs(provider) || provider == classOf[RocksDBStateStoreProvider].getName

  /** Reads the checkpoint, and throws if it cannot be moved so. */
  def of(request: MoveRequest, hadoopConf: Configuration): MoveGoal = {
    WholeStores.requireThem()
    request.partitions.foreach(requireSome)
    val source = new SourceCheckpoint(request.from, request.batch, hadoopConf)
    // Whoever names the batch has said that later ones are to be done again.
    if (request.batch.isEmpty) source.requireCommitted()
    source.requireStart()
    // To another provider, without being told: the format that queries on it have by themselves.
    val format = request.format.getOrElse {
      request.provider.fold(LogEntry.format(source.committed))(name => if (ProviderClass.isOurs(name)) 2 else 1)
    }
    val goal =
      new MoveGoal(source, request.provider.getOrElse(source.provider), format, request.partitions, source.batch)
    goal.check()
    goal
  }

  /** The same checkpoint with another number of partitions after one more batch. Throws if that cannot be. */
  def inPlace(source: SourceCheckpoint, partitions: Int): MoveGoal = {
    WholeStores.requireThem()
    requireSome(partitions)
    if (!ProviderClass.isOurs(source.provider) && source.provider != classOf[RocksDBStateStoreProvider].getName)
      throw new Unsupported(
        s"${source.provider} does not write a store anew beside its earlier versions",
        s"Write a new checkpoint: rockstate repartition ${source.folder} NEW --partitions $partitions.",
        Some(source.folder.toString)
      )
    val format = LogEntry.format(source.committed)
    val goal = new MoveGoal(source, source.provider, format, Some(partitions), source.batch + 1)
    goal.check()
    goal
  }

  private def requireSome(partitions: Int): Unit =
    if (partitions < 1) throw new Misuse(s"There cannot be $partitions partitions", "Give a number above 0.")
}
