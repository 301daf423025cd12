package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import java.util.UUID

import scala.jdk.CollectionConverters._
import scala.reflect.ClassTag
import scala.util.Using

import org.apache.hadoop.conf.Configuration

import org.apache.spark.SparkContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.state.StateStoreId
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.StoreFolder
import org.apache.spark.util.SerializableConfiguration

import io.rockstate.inspect.VersionSize

/** The jobs of a move: each partition of each store is a task.
  *
  * @param name the move's, for Spark's UI
  */
private[rockstate] final class MoveJobs(session: SparkSession, name: String, hadoopConf: Configuration) {
  import MoveJobs._

  private val context = session.sparkContext
  private val group = s"rockstate-${UUID.randomUUID()}"
  val progress = new MoveProgress(context)

  /** Ends the job that runs; no other begins. */
  def cancel(): Unit = context.cancelJobGroupAndFutureJobs(group)

  /** What it takes to load each store, over all partitions. */
  def sizes(source: SourceCheckpoint): Map[(Long, String), VersionSize] = described("looks at files") { conf =>
    val from = reads(source)
    val provider = source.provider
    inTasks(source.stores) { (plan, partition) =>
      val folder = StateStoreId(from.stateRoot, plan.operator, partition, plan.store).storeCheckpointLocation().toString
      val store = new StoreFolder(folder, Some(provider), conf.value.value)
      (plan.operator, plan.store) -> store.sizeOf(from.version, from.idOf(plan, partition))
    }.groupMapReduce(_._1)(_._2)(_ + _)
  }

  /** What it takes to read all of it. */
  def outlook(source: SourceCheckpoint, pace: Pace): Outlook = {
    val size = sizes(source).values.reduceOption(_ + _).getOrElse(VersionSize(0, None))
    Outlook(size.bytes, pace.seconds(size.bytes, size.rows, context.defaultParallelism))
  }

  /** Writes every row into the checkpoint that is made in the folder of `mark`; into the stores that are given theirs. */
  def write(goal: MoveGoal, mark: RunMark, replaced: Vector[GivenStore]): Written = described("writes") { conf =>
    progress.begin("write", tasksToWrite(goal))
    val from = reads(goal.source)
    val to = Destination(target(goal, mark.folder), mark)
    val made = goal.source.stores.flatMap { case (plan, n) => givenTo(plan, replaced).map(writeGiven(_, n, to, conf)) }
    val stored = goal.source.stores.filter { case (plan, _) => givenTo(plan, replaced).isEmpty }
    val (spread, same) = stored.partition { case (plan, n) => goal.partitionsOf(plan, n) != n }
    val copied = inTasks(same) { (plan, partition) =>
      Using.resource(new StoreRows(plan, partition, from, conf.value.value)) { rows =>
        val id = new StoreCopy(plan, partition, to, conf.value.value).write(rows.iterator)
        (StorePart(plan.operator, plan.index, partition, id), rows.totals)
      }
    }
    val moved = spread.map { case (plan, before) =>
      spreadAnew(plan, (before, goal.partitionsOf(plan, before)), (from, to), conf)
    }
    val written = made ++ moved
    Written(copied.map(_._1) ++ written.flatMap(_.parts), summed(copied.map(_._2) ++ written.map(_.rows)))
  }

  private def givenTo(plan: StorePlan, replaced: Vector[GivenStore]): Option[GivenStore] =
    replaced.find(each => each.plan.operator == plan.operator && each.plan.store == plan.store)

  private def writeGiven(store: GivenStore, partitions: Int, to: Destination, conf: HadoopConf): Written = {
    val (plan, done) = (store.plan, progress.tasks)
    val parts = store
      .placed(session, partitions)
      .mapPartitionsWithIndex { (partition, placed) =>
        val rows = new CountedRows(plan, ShuffledRows.unpacked(plan, placed))
        val id = new StoreCopy(plan, partition, to, conf.value.value, isUnique = true).write(rows.iterator)
        done.add(1)
        Iterator(StorePart(plan.operator, plan.index, partition, id) -> rows.totals)
      }
      .collect()
      .toVector
    Written(parts.map(_._1), summed(parts.map(_._2)))
  }

  /** Writes a store with another number of partitions. */
  private def spreadAnew(
      plan: StorePlan,
      partitions: (Int, Int),
      sides: (StateSide, Destination),
      conf: HadoopConf
  ): Written = {
    val (from, to) = sides
    val done = progress.tasks
    // By partition, since a task that is done again counts its rows again.
    val counts = context.collectionAccumulator[(Int, Map[FamilyKey, RowTotals])]
    val count = (partition: Int, totals: Map[FamilyKey, RowTotals]) => {
      counts.add(partition -> totals)
      done.add(1)
    }
    val parts = ShuffledRows
      .of(session, plan, partitions, from, conf, count)
      .mapPartitionsWithIndex { (partition, rows) =>
        val id = new StoreCopy(plan, partition, to, conf.value.value).write(ShuffledRows.unpacked(plan, rows))
        done.add(1)
        Iterator(StorePart(plan.operator, plan.index, partition, id))
      }
      .collect()
    Written(parts.toVector, summed(counts.value.asScala.toMap.values.toVector))
  }

  /** What is in a checkpoint, by its own logs and metadata. */
  def count(source: SourceCheckpoint): Map[FamilyKey, RowTotals] = described("reads back") { conf =>
    progress.begin("read back", source.stores.map(_._2).sum)
    counted(source.stores, reads(source), conf)
  }

  /** What is spread anew is read and written by different tasks. */
  private def tasksToWrite(goal: MoveGoal): Int = goal.source.stores.map { case (plan, before) =>
    val after = goal.partitionsOf(plan, before)
    if (after == before) before else after + before
  }.sum

  /** What was written into the checkpoint in the folder `root`, of which no commit tells yet.
    *
    * @param ids of what was written, in format 2
    */
  def count(goal: MoveGoal, root: String, ids: Option[Map[Long, Array[Array[String]]]]): Map[FamilyKey, RowTotals] =
    described("reads back") { conf =>
      val stores = goal.source.stores.map { case (plan, before) => plan -> goal.partitionsOf(plan, before) }
      progress.begin("read back", stores.map(_._2).sum)
      counted(stores, target(goal, root, StateSide.ReadsOnly).copy(ids = ids), conf)
    }

  private def target(goal: MoveGoal, root: String, own: Map[String, String] = Map.empty): StateSide =
    StateSide
      .of(goal.source, root, goal.provider, goal.format, session.sessionState.conf, own)
      .copy(version = goal.batch + 1, ids = None)

  private def counted(stores: Stores, from: StateSide, conf: HadoopConf): Map[FamilyKey, RowTotals] = summed(
    inTasks(stores) { (plan, partition) =>
      Using.resource(new StoreRows(plan, partition, from, conf.value.value)) { rows =>
        rows.iterator.foreach(_ => ())
        rows.totals
      }
    }
  )

  private def inTasks[T: ClassTag](stores: Stores)(task: (StorePlan, Int) => T): Vector[T] = {
    val places = stores.flatMap { case (plan, partitions) => (0 until partitions).map(plan -> _) }
    val done = progress.tasks
    val results = context.parallelize(places, places.size.max(1)).map { case (plan, n) =>
      val result = task(plan, n)
      done.add(1)
      result
    }
    results.collect().toVector
  }

  /** A phase with a task for each item. */
  private[rockstate] def each[A: ClassTag, T: ClassTag](phase: String, items: Vector[A])(
      task: (A, Configuration) => T
  ): Vector[T] = described(phase) { conf =>
    progress.begin(phase, items.size)
    val done = progress.tasks
    val results = context.parallelize(items, items.size.max(1)).map { item =>
      val result = task(item, conf.value.value)
      done.add(1)
      result
    }
    results.collect().toVector
  }

  /** Does what takes jobs, which have this description in Spark's UI. The caller's own come after them. */
  private[rockstate] def described[T](what: String)(jobs: HadoopConf => T): T = {
    session.streams // with it comes the coordinator, to which stores report
    val callers = JobGroup.map(key => key -> context.getLocalProperty(key))
    context.setJobGroup(group, s"$name: $what", interruptOnCancel = true)
    try Using.resource(context.broadcast(new SerializableConfiguration(hadoopConf)))(jobs)(_.destroy())
    finally callers.foreach { case (key, value) => context.setLocalProperty(key, value) }
  }

  private[rockstate] def reads(source: SourceCheckpoint): StateSide = StateSide.read(source, session.sessionState.conf)
}

private[rockstate] object MoveJobs {

  /** What `setJobGroup` sets. */
  private val JobGroup = Seq(
    SparkContext.SPARK_JOB_GROUP_ID,
    SparkContext.SPARK_JOB_DESCRIPTION,
    SparkContext.SPARK_JOB_INTERRUPT_ON_CANCEL
  )

  type HadoopConf = Broadcast[SerializableConfiguration]

  /** Each with the number of its partitions. */
  type Stores = Vector[(StorePlan, Int)]

  private def summed(parts: Vector[Map[FamilyKey, RowTotals]]): Map[FamilyKey, RowTotals] =
    parts.flatten.groupMapReduce(_._1)(_._2)(_ + _)
}

/** A column family of an operator's store, over all partitions. */
private[rockstate] final case class FamilyKey(operator: Long, store: String, family: String)

/** One partition of a store that was written.
  *
  * @param store which of the operator's stores it is
  * @param id    its checkpoint id, in format 2
  */
private[rockstate] final case class StorePart(operator: Long, store: Int, partition: Int, id: Option[String])

/** @param rows those that were there before */
private[rockstate] final case class Written(parts: Vector[StorePart], rows: Map[FamilyKey, RowTotals]) {

  /** By operator and partition the checkpoint ids of its stores, in their order. */
  def ids: Map[Long, Array[Array[String]]] = parts.groupBy(_.operator).map { case (operator, ofOperator) =>
    val partitions = ofOperator.groupBy(_.partition).toVector.sortBy(_._1).map(_._2)
    operator -> partitions.map(_.sortBy(_.store).flatMap(_.id).toArray).toArray
  }
}
