package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.Question
import io.rockstate.benchmarks.lab.Lab

/** All there are, in an order in which a process may ask several: those that change the loaded store's shape come last. */
object Questions {
  val all: Seq[Question] = Seq(
    Load,
    Update,
    Aggregation,
    SkewedUpdate,
    SmallBatches,
    MultiGet,
    FullScan,
    Abort,
    Evict,
    PrefixScan,
    RangeScan,
    new Joins("joins", first = false),
    new Joins("first_joins", first = true),
    new Timers("timers", first = false),
    new Timers("first_timers", first = true),
    FirstUpdates,
    new Recovery(deltas = 5),
    new Recovery(deltas = 50),
    new Restart("restart_cold", emptyDisk = true),
    new Restart("restart_warm", emptyDisk = false),
    new Restart("restart_cold_10m", emptyDisk = true, keys = Some(10000000)),
    new Restart("restart_warm_10m", emptyDisk = false, keys = Some(10000000)),
    RestartOrdered,
    new Written("checkpoint", recent(_)),
    new Written("checkpoint_10m", recent(_, Some(10000000))),
    new Written("checkpoint_small_batches", afterSmallBatches),
    new NewJvm("new_jvm", recent(_), emptyDisk = true),
    new NewJvm("new_jvm_warm", recent(_), emptyDisk = false),
    new NewJvm("new_jvm_10m", recent(_, Some(10000000)), emptyDisk = true),
    new NewJvm("new_jvm_small_batches", afterSmallBatches, emptyDisk = true),
    SqueezedUpdate,
    new Storage("storage_large", _.batchRows, _.batches * 5),
    new Storage("storage_small", _.smallRows, _.smallBatches * 4),
    new Resident("memory_1m", keys = 1000000),
    new Resident("memory_5m", keys = 5000000),
    new KeyGrowth("keys_100k", keys = 100000),
    new KeyGrowth("keys_1m", keys = 1000000),
    new KeyGrowth("keys_10m", keys = 10000000),
    new KeyGrowth("keys_10m_auto", keys = 10000000),
    new KeyGrowth("keys_50m", keys = 50000000),
    new StoreGrowth(stores = 1),
    new StoreGrowth(stores = 4),
    new StoreGrowth(stores = 16),
    new StoreGrowth(stores = 64),
    Soak
  )

  /** Those named, in the order of `all`; `IllegalArgumentException` for a name that none has. */
  def named(names: Seq[String]): Seq[Question] = {
    val unknown = names.diff(all.map(_.name))
    require(unknown.isEmpty, s"no question ${unknown.mkString(", ")}; there are ${all.map(_.name).mkString(", ")}")
    all.filter(question => names.contains(question.name))
  }

  /** All keys in a snapshot, a few large batches after it. */
  private def recent(lab: Lab, keys: Option[Int] = None): Checkpoint =
    new Checkpoint(lab, keys.getOrElse(lab.sizes.keys), Restart.Deltas, lab.sizes.batchRows)

  /** Three times as many batches as `small_batches` has in its full form, with snapshots when they were due. */
  private def afterSmallBatches(lab: Lab): Checkpoint =
    new Checkpoint(lab, lab.sizes.keys, lab.sizes.smallBatches * 3, lab.sizes.smallRows, lab.sizes.maintenanceEvery)
}
