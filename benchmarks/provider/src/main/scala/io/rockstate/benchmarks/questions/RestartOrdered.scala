package io.rockstate.benchmarks.questions

import io.rockstate.benchmarks.{CannotDo, Measurement, Question}
import io.rockstate.benchmarks.lab._

/** The first reads in key order of a store that was opened on a machine that has never seen it: a range of a thousand rows, and all of them twice,
  * as timers are read. Opening it is not in these times.
  */
object RestartOrdered extends Question {
  override val name = "restart_ordered"
  private val RangeRows = 1000
  private val GroupRows = 10
  private val Names = Seq("first_range_ms", "first_ordered_scan_ms", "second_ordered_scan_ms")

  override def measure(lab: Lab): Measurement = CannotDo.unless("rangeScan") {
    val groups = lab.sizes.keys / GroupRows
    val folder = lab.newFolder()
    val written = lab.openIn(folder, Layout.Ranged)
    val shadow =
      try PairRows.load(written, lab.sizes, groups, GroupRows, _.toLong)
      finally written.close()
    val times = (1 to lab.sizes.trials).map { _ =>
      val store = lab.recover(folder, Layout.Ranged, written.version)
      store.opening(_ => ())
      val scans = Seq(RangeRows / GroupRows, groups, groups).map(scan(store, shadow, _))
      store.close()
      scans
    }
    Restart.medians(Names, times, Map("rows" -> groups * GroupRows, "rows_of_a_range" -> RangeRows))
  }

  /** Nanoseconds that the first groups take. */
  private def scan(store: StoreUnderTest, shadow: PairRows, groups: Int): Long = store.reading { reader =>
    val rows = reader.rangeScan(None, Some(new LongsRow(2)(groups.toLong, 0L)))
    shadow.checkRange(rows, start = 0, groups * GroupRows)
  }
}
