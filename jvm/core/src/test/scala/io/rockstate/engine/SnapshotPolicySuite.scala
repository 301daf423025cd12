package io.rockstate.engine

import org.scalatest.funsuite.AnyFunSuite

class SnapshotPolicySuite extends AnyFunSuite {
  private def isDue(deltas: Long, deltaBytes: Long, snapshotBytes: Long): Boolean =
    SnapshotPolicy.isDue(deltas, deltaBytes, snapshotBytes, minDeltas = 10)

  test("the first snapshot is due when enough deltas have piled up") {
    assert(!isDue(9, deltaBytes = 1 << 30, snapshotBytes = 0) && isDue(10, deltaBytes = 1, snapshotBytes = 0))
  }

  test("a later snapshot waits until the deltas have as many bytes as the last one") {
    assert(
      !isDue(50, deltaBytes = 999999, snapshotBytes = 1000000) && isDue(
        50,
        deltaBytes = 1000000,
        snapshotBytes = 1000000
      )
    )
  }

  test("a small snapshot waits for nothing but the number of deltas") {
    assert(!isDue(9, deltaBytes = 1, snapshotBytes = 1000) && isDue(10, deltaBytes = 1, snapshotBytes = 1000))
  }

  test("however small the deltas, a snapshot is due after ten times the number") {
    assert(!isDue(99, deltaBytes = 1, snapshotBytes = 1 << 30) && isDue(100, deltaBytes = 1, snapshotBytes = 1 << 30))
  }

  test("without a new version no snapshot is due") {
    assert(!SnapshotPolicy.isDue(deltas = 0, deltaBytes = 0, snapshotBytes = 0, minDeltas = 0))
  }
}
