package io.rockstate.benchmarks.lab

import java.util.Random

import scala.collection.mutable

import io.rockstate.benchmarks.{Plan, Sizes}

/** What questions measure with: stores of the contender, and one that is loaded once for all questions of this process. */
final class Lab(plan: Plan) extends AutoCloseable {
  private var opened = mutable.Buffer.empty[StoreUnderTest]
  private var loadedOnce: Option[LoadedStore] = None
  private var folders = 0

  val sizes: Sizes = plan.sizes

  /** Rockstate's memory budget in this question. */
  def budgetBytes: Long = plan.budgetBytes

  /** The same numbers for every contender of a round. */
  def random(): Random = new Random(plan.round.toLong)

  /** A store with an empty checkpoint. Maintenance runs by itself unless `maintenanceEvery` is 0. */
  def open(layout: Layout, maintenanceEvery: Int = sizes.maintenanceEvery, partition: Int = 0): StoreUnderTest =
    open(newFolder(), layout, maintenanceEvery, partition, startVersion = 0, emptyDisk = false)

  /** A provider instance for the store whose checkpoint is in `folder`, as on a machine that has never seen it or, if the disk is not empty, where
    * it was closed before.
    */
  def recover(
      folder: String,
      layout: Layout,
      version: Long,
      emptyDisk: Boolean = true,
      maintenanceEvery: Int = 0
  ): StoreUnderTest = open(folder, layout, maintenanceEvery, partition = 0, version, emptyDisk)

  /** The same as the first `open`, in a folder from `newFolder`. */
  def openIn(folder: String, layout: Layout, maintenanceEvery: Int = 0): StoreUnderTest =
    open(folder, layout, maintenanceEvery, partition = 0, startVersion = 0, emptyDisk = false)

  def newFolder(): String = {
    folders += 1
    s"checkpoint-$folders"
  }

  /** A store with `sizes.keys` keys, all stored in checkpoint and snapshot. Loaded when it is first asked for. */
  def loaded: LoadedStore = {
    if (loadedOnce.isEmpty) loadedOnce = Some(LoadedStore(this, sizes.keys))
    loadedOnce.get
  }

  /** What `body` makes of each of the trials that count, after `sizes.warmup` others, or fewer if these take ten seconds. */
  def trials[T](body: => T): Seq[T] = {
    val warm = System.nanoTime() + Lab.TrialWarmUpNanos
    (1 to sizes.warmup).foreach(_ => if (System.nanoTime() < warm) body)
    (1 to sizes.trials).map(_ => body)
  }

  /** Closes the stores of a question that has been answered: the next one is to have their memory. */
  def endQuestion(): Unit = {
    val (kept, done) = opened.partition(store => loadedOnce.exists(_.store eq store))
    done.reverseIterator.foreach(_.close())
    opened = kept
  }

  /** Closes a store before its question has been answered. */
  def close(store: StoreUnderTest): Unit = {
    store.close()
    opened -= store
  }

  override def close(): Unit = opened.reverseIterator.foreach(_.close())

  private def open(
      folder: String,
      layout: Layout,
      maintenanceEvery: Int,
      partition: Int,
      startVersion: Long,
      emptyDisk: Boolean
  ) = {
    val store = new StoreUnderTest(
      if (emptyDisk) plan.copy(confs = plan.confs + Lab.NoWarmRestart) else plan,
      plan.work.resolve(folder),
      layout,
      partition,
      maintenanceEvery,
      startVersion
    )
    opened += store
    store
  }
}

private object Lab {
  val TrialWarmUpNanos = 10000000000L
  val NoWarmRestart = "spark.sql.streaming.stateStore.rockstate.warmRestartDisk" -> "0"
}
