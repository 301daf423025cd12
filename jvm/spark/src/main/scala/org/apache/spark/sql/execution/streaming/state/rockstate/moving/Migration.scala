package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import scala.util.Try

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.state.{HDFSBackedStateStoreProvider, StateStoreConf, StateStoreProvider}
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderClass
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.WholeStores
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.util.{SerializableConfiguration, Utils}

import io.rockstate.errors.{Conflict, CorruptFile, Misuse, Unsupported}

/** Moves a query's checkpoint to another provider or checkpoint format: writes a new one, as after one of its batches, and leaves the
  * old one alone. Each partition of each store is a task.
  */
final class Migration(session: SparkSession, request: MoveRequest) {
  import Migration._
  import request._

  private val hadoopConf: Configuration = session.sessionState.newHadoopConf()

  /** What would be moved: nothing is written. */
  def plan(): MoveReport = {
    val source = prepared()
    report(source, Vector.empty)
  }

  def run(): MoveReport = {
    val source = prepared()
    val before = source.newest()
    val target = new NewCheckpoint(to, hadoopConf)
    target.begin(source.folder)
    source.plannedBatches.foreach { case (number, entry) =>
      target.write(s"offsets/$number", LogEntry.planned(entry, Map(ProviderKey -> provider)))
    }
    new StateMetadata(source, target).copy()
    val written = copyRows(source, target)
    (source.list("").toSet -- Own).foreach(name => target.copy(source.path(name), name))
    val ids = Option.when(newFormat == 2)(idsOf(written))
    target.write(s"commits/${source.batch}", LogEntry.committed(source.committed, newFormat, ids))
    val totals = proven(source, written, readBack(target, source.batch))
    if (batch.isEmpty && source.newest() != before)
      throw new Conflict(
        s"The query went on while its checkpoint was moved: batch ${source.batch} is no longer the last",
        "Stop the query and run this again, or name the batch with --batch.",
        Some(source.folder.toString)
      )
    target.finish(source.path("metadata"))
    report(source, totals)
  }

  /** The checkpoint, if it can be moved. */
  private def prepared(): SourceCheckpoint = {
    WholeStores.requireThem()
    requireProvider()
    val source = new SourceCheckpoint(from, batch, hadoopConf)
    source.stores.map(_._1).find(_.hasColumnFamilies && provider == FileBased).foreach { plan =>
      throw new Unsupported(
        s"Operator ${plan.operator} (${plan.operatorName}) keeps its state in column families, which $FileBased does not have",
        "Move the checkpoint to rockstate or rocksdb.",
        Some(source.folder.toString)
      )
    }
    if (provider == FileBased && newFormat == 2)
      throw new Unsupported(s"$FileBased has checkpoint format 1 only", "Leave the format out, or ask for 1.", None)
    source
  }

  private def requireProvider(): Unit = {
    val found = Try(Utils.classForName[AnyRef](provider)).toOption.exists(classOf[StateStoreProvider].isAssignableFrom)
    if (!found)
      throw new Misuse(
        s"$provider is not a state store provider that this Spark can load",
        "Give rockstate, rocksdb, hdfs or a class, and its jar."
      )
  }

  /** Without being told, the one that queries on the provider have by themselves. */
  private val newFormat: Int = format.getOrElse(if (ProviderClass.isOurs(provider)) 2 else 1)

  private def side(source: SourceCheckpoint, root: String, provider: String, format: Int): StateSide = {
    val conf = session.sessionState.conf.clone()
    LogEntry.conf(source.planned).foreach { case (key, value) => conf.setConfString(key, value) }
    conf.setConfString(ProviderKey, provider)
    conf.setConfString(SQLConf.STATE_STORE_CHECKPOINT_FORMAT_VERSION.key, format.toString)
    StateSide(s"$root/state", StateStoreConf(conf), source.batch + 1, LogEntry.idsIn(source.committed))
  }

  private def copyRows(source: SourceCheckpoint, target: NewCheckpoint): Vector[Moved] = {
    val reads = side(source, source.folder.toString, source.provider, LogEntry.format(source.committed))
    val writes = side(source, target.folder.toString, provider, newFormat).copy(ids = None)
    inTasks(source.stores, "copies") { (plan, partition, hadoopConf) =>
      val (id, rows) = new StoreCopy(reads, writes, hadoopConf).copy(plan, partition)
      Moved(plan.operator, plan.index, partition, id, rows)
    }
  }

  /** What is in the new checkpoint, by its own logs and metadata. */
  private def readBack(target: NewCheckpoint, batch: Long): Vector[Moved] = {
    val source = new SourceCheckpoint(target.folder.toString, Some(batch), hadoopConf)
    val reads = side(source, source.folder.toString, source.provider, LogEntry.format(source.committed))
    inTasks(source.stores, "reads back") { (plan, partition, hadoopConf) =>
      Moved(
        plan.operator,
        plan.index,
        partition,
        None,
        new StoreRows(plan, partition, reads, hadoopConf).foreach((_, _, _) => ())
      )
    }
  }

  private def inTasks(stores: Vector[(StorePlan, Int)], what: String)(
      task: (StorePlan, Int, Configuration) => Moved
  ): Vector[Moved] = {
    val context = session.sparkContext
    session.streams // with it comes the coordinator, to which stores report
    val places = stores.flatMap { case (plan, partitions) => (0 until partitions).map(plan -> _) }
    val conf = context.broadcast(new SerializableConfiguration(hadoopConf))
    context.setJobDescription(s"rockstate migrate $from: $what ${places.size} stores")
    try
      context
        .parallelize(places, places.size.max(1))
        .map { case (plan, p) => task(plan, p, conf.value.value) }
        .collect()
        .toVector
    finally {
      context.setJobDescription(null)
      conf.destroy()
    }
  }

  private def report(source: SourceCheckpoint, totals: Vector[FamilyTotals]): MoveReport = MoveReport(
    source.folder.toString,
    new NewCheckpoint(to, hadoopConf).folder.toString,
    source.batch,
    source.provider,
    provider,
    LogEntry.format(source.committed),
    newFormat,
    source.stores.map { case (plan, partitions) =>
      StoreOutline(plan.operator, plan.operatorName, plan.store, partitions)
    },
    totals
  )
}

private object Migration {
  private val ProviderKey = SQLConf.STATE_STORE_PROVIDER_CLASS.key
  private val FileBased = classOf[HDFSBackedStateStoreProvider].getName

  /** What is made anew, or comes last. */
  private val Own = Set("offsets", "commits", "state", "metadata")

  /** By operator and partition, those of its stores in their order. */
  private def idsOf(written: Vector[Moved]): Map[Long, Array[Array[String]]] =
    written.groupBy(_.operator).map { case (operator, parts) =>
      val partitions = parts.groupBy(_.partition).toVector.sortBy(_._1).map(_._2)
      operator -> partitions.map(_.sortBy(_.store).map(_.id.getOrElse("")).toArray).toArray
    }

  /** The totals of both, which must be the same. */
  private def proven(source: SourceCheckpoint, written: Vector[Moved], read: Vector[Moved]): Vector[FamilyTotals] = {
    def of(all: Vector[Moved]): Map[(Long, Int, Int, String), RowTotals] =
      all.flatMap(m => m.rows.map { case (family, rows) => (m.operator, m.store, m.partition, family) -> rows }).toMap
    val (before, after) = (of(written), of(read))
    (before.keySet ++ after.keySet).find(key => before.get(key) != after.get(key)).foreach {
      case key @ (operator, store, partition, family) =>
        throw new CorruptFile(
          s"Store $store of operator $operator has other rows in partition $partition, column family $family, than were written: " +
            s"${after.get(key).fold(0L)(_.rows)} instead of ${before.get(key).fold(0L)(_.rows)}",
          "The new checkpoint is not usable, the old one is as it was. Report this with both providers' names.",
          source.folder.toString,
          Some(source.batch + 1)
        )
    }
    source.stores.flatMap { case (plan, _) =>
      plan.families.map { family =>
        val rows = written
          .filter(m => m.operator == plan.operator && m.store == plan.index)
          .flatMap(_.rows.get(family.name))
          .foldLeft(RowTotals.none)(_ + _)
        FamilyTotals(plan.operator, plan.operatorName, plan.store, family.name, rows.rows, rows.digest)
      }
    }
  }
}
