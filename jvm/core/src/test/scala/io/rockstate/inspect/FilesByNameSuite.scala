package io.rockstate.inspect

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.files.{DeltaName, SnapshotName, StoreFile}
import io.rockstate.versions.StateVersion

class FilesByNameSuite extends AnyFunSuite {
  private def delta(version: Long, bytes: Long, id: Option[String] = None): (StoreFile, Long) =
    DeltaName(StateVersion(version, id)) -> bytes
  private def snapshot(version: Long, bytes: Long): (StoreFile, Long) = SnapshotName(StateVersion(version)) -> bytes

  private val files = Seq(delta(1, 10), delta(2, 20), snapshot(2, 100), delta(3, 30), delta(4, 40), snapshot(4, 400))

  test("the newest snapshot and the deltas after it") {
    assert(FilesByName.of(files, StateVersion(3)) == FilesByName(Some(StateVersion(2)), 130))
    assert(FilesByName.of(files, StateVersion(4)) == FilesByName(Some(StateVersion(4)), 400))
  }

  test("all deltas where no snapshot is old enough") {
    assert(FilesByName.of(files, StateVersion(1)) == FilesByName(None, 10))
  }

  test("of an earlier version's attempts one counts, of the version itself that which is asked for") {
    val attempts =
      Seq(delta(1, 5, Some("a")), delta(1, 7, Some("b")), delta(2, 20, Some("c")), delta(2, 90, Some("d")))
    assert(FilesByName.of(attempts, StateVersion(2, Some("c"))) == FilesByName(None, 27))
  }

  test("rows that one store does not tell are not told of all") {
    assert(VersionSize(1, Some(2)) + VersionSize(3, Some(4)) == VersionSize(4, Some(6)))
    assert(VersionSize(1, Some(2)) + VersionSize(3, None) == VersionSize(4, None))
  }
}
