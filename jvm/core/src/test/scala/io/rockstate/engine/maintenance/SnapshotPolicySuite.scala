package io.rockstate.engine.maintenance

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.loaded.DeltaSize

class SnapshotPolicySuite extends AnyFunSuite {
  private def isDue(deltas: Int, deltaBytes: Long, snapshotBytes: Long, records: Long = 1): Boolean =
    SnapshotPolicy.isDue(deltas, DeltaSize(deltaBytes, records), snapshotBytes, minDeltas = 10)

  test("the first snapshot is due when enough deltas have piled up") {
    assert(!isDue(9, deltaBytes = 1 << 30, snapshotBytes = 0) && isDue(10, deltaBytes = 1, snapshotBytes = 0))
  }

  test("a later snapshot waits until the deltas weigh as much as the last one, with what their requests cost") {
    val snapshotBytes = 64L << 20
    assert(!isDue(64, (56L << 20) - 1, snapshotBytes) && isDue(64, 56L << 20, snapshotBytes))
  }

  test("a small snapshot waits for nothing but the number of deltas") {
    assert(!isDue(9, deltaBytes = 1, snapshotBytes = 1000) && isDue(10, deltaBytes = 1, snapshotBytes = 1000))
  }

  test("however small the deltas, many of them make a snapshot due") {
    assert(
      !isDue(511, deltaBytes = 0, snapshotBytes = 64L << 20) && isDue(512, deltaBytes = 0, snapshotBytes = 64L << 20)
    )
  }

  test("however large the last snapshot is, a recovery never replays more than so many deltas and records") {
    val huge = 100L << 30
    assert(!isDue(SnapshotPolicy.MostDeltas - 1, 1L << 30, huge) && isDue(SnapshotPolicy.MostDeltas, 1L << 30, huge))
    assert(
      !isDue(10, 1L << 30, huge, SnapshotPolicy.MostRecords - 1) && isDue(
        10,
        1L << 30,
        huge,
        SnapshotPolicy.MostRecords
      )
    )
  }

  test("without a new version no snapshot is due") {
    assert(!SnapshotPolicy.isDue(deltas = 0, DeltaSize(0, 0), snapshotBytes = 0, minDeltas = 0))
  }
}
