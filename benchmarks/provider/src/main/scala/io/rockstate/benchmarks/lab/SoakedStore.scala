package io.rockstate.benchmarks.lab

import java.util.Random

/** A store of `keys` keys to which everything happens that happens to one in a long-lived executor; all that is read is checked. */
final class SoakedStore(lab: Lab, keys: Int, batchRows: Int) {
  private val folder = lab.newFolder()
  private val shadow = new Shadow(keys)
  private val rows = new PlainRows(shadow)
  private var store = lab.openIn(folder, Layout.Plain, lab.sizes.maintenanceEvery)
  (0 until keys).grouped(batchRows).foreach(batch => store.batch(rows.getAndPut(_, batch.toArray)))

  /** Memory of the stores of this JVM as the last batch reported it, this store's share. */
  def reportedBytes: Long = store.memoryUsedBytes

  /** One event, chosen by the next number. */
  def turn(random: Random): Unit = random.nextInt(20) match {
    case 0 => store.failing(rows.putLies(_, batch(random))): Unit
    case 1 => store.batchWithSnapshot(rows.getAndPut(_, batch(random))): Unit
    case 2 => checkAll()
    case 3 => breakOff(random.nextInt(keys))
    case 4 => reopen(emptyDisk = false)
    case 5 => reopen(emptyDisk = true)
    case _ => update(random)
  }

  def update(random: Random): Unit = store.batch(rows.getAndPut(_, batch(random))): Unit

  /** `WrongAnswer` unless a scan finds every row as it was put last. */
  def checkAll(): Unit = {
    var found = 0
    store.reading { reader =>
      val all = reader.iterator()
      while (all.hasNext) {
        val pair = all.next()
        shadow.check(pair.key, pair.value)
        found += 1
      }
      all.close()
    }
    shadow.checkCount(found)
  }

  def close(): Unit = lab.close(store)

  private def batch(random: Random) = Numbers.random(random, keys, batchRows)

  /** A task that fails amid a scan leaves its iterator open. */
  private def breakOff(after: Int): Unit =
    store.failing(_.iterator().take(after).foreach(pair => shadow.check(pair.key, pair.value))): Unit

  private def reopen(emptyDisk: Boolean): Unit = {
    val version = store.version
    lab.close(store)
    store = lab.recover(folder, Layout.Plain, version, emptyDisk, lab.sizes.maintenanceEvery)
  }
}
