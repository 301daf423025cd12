package io.rockstate.benchmarks.questions

import org.apache.spark.sql.execution.streaming.state._

import io.rockstate.benchmarks.{CannotDo, Measurement, Question, Workload, WrongAnswer}
import io.rockstate.benchmarks.lab._

/** Timers as transformWithState keeps them, in two column families: by key, and by time. A batch registers timers that are due within the
  * next twenty batches, and takes out those that are due, by a range scan.
  *
  * @param first whether the first ten batches of the JVM are asked about, on a store that is empty before them
  */
final class Timers(override val name: String, first: Boolean) extends Question {
  private val horizon = 20
  private val byKey = "keyToTimestamp"
  private val byTime = "timestampToKey"
  private val keySchema = LongsRow.schema("key", "at")
  private val timeSchema = LongsRow.schema("at", "key")
  private val valueSchema = LongsRow.schema("nothing")

  override def measure(lab: Lab): Measurement = CannotDo.unless("column families and range scans") {
    val store = lab.open(Layout.Families)
    val random = lab.random()
    val sizes = if (first) lab.sizes.first else lab.sizes
    val timers = if (first) sizes.batchRows / 4 else sizes.batchRows / 10
    val state = new State(new Array[Int](horizon + 1))
    def delays(): Array[Int] = Array.fill(timers)(1 + random.nextInt(horizon))
    def run(delays: Array[Int]): BatchTimes = store.batch { writer =>
      declare(writer)
      delays.foreach(state.register(writer, _))
      state.expire(writer)
    }
    if (!first) (1 to horizon).foreach(_ => run(delays()))
    Workload
      .measure(Seq(store), sizes.warmUp, sizes.batches)(delays())(run)
      .copy(settings = Map("timers_per_batch" -> timers, "column_families" -> 2))
  }

  private def declare(store: StateStore): Unit = {
    store.createColFamilyIfAbsent(byKey, keySchema, valueSchema, PrefixKeyScanStateEncoderSpec(keySchema, 1))
    store.createColFamilyIfAbsent(byTime, timeSchema, valueSchema, RangeKeyScanStateEncoderSpec(timeSchema, Seq(0)))
  }

  /** The clock, and how many timers are due at each of its next ticks. */
  private final class State(due: Array[Int]) {
    private val pair = new LongsRow(2)
    private val until = new LongsRow(2)
    private val nothing = new LongsRow(1)
    private var now = 0L
    private var registered = 0

    def register(store: StateStore, delay: Int): Unit = {
      val key = Keys.of(registered)
      val at = now + delay
      if (store.get(pair(key, at), byKey) != null) throw new WrongAnswer(s"timer $registered is there already")
      store.put(pair(key, at), nothing(0L), byKey)
      store.put(pair(at, key), nothing(0L), byTime)
      registered += 1
      due(slot(at)) += 1
    }

    /** The clock's next tick: timers that are due then are read in order and taken out. */
    def expire(store: StateStore): Unit = {
      now += 1
      var found = 0
      val rows = store.rangeScan(None, Some(until(now + 1, 0L)), byTime)
      while (rows.hasNext) {
        val timer = rows.next().key
        val at = timer.getLong(0)
        val key = timer.getLong(1)
        if (at != now) throw new WrongAnswer(s"a timer of $at at $now")
        store.remove(pair(key, at), byKey)
        store.remove(pair(at, key), byTime)
        found += 1
      }
      rows.close()
      if (found != due(slot(now))) throw new WrongAnswer(s"$found timers at $now, ${due(slot(now))} were registered")
      due(slot(now)) = 0
    }

    private def slot(at: Long): Int = (at % due.length).toInt
  }
}
