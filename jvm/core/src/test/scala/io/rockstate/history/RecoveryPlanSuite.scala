package io.rockstate.history

import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.rockstate.errors.{Misuse, NotFound}
import io.rockstate.files.{DeltaName, FileNames, SnapshotName, StoreFile}
import io.rockstate.history.RecoveryPlan.Candidate
import io.rockstate.versions.{LineageEntry, StateVersion, VersionRange}

class RecoveryPlanSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private def files(names: String*): Seq[StoreFile] = names.flatMap(FileNames.parse)
  private def deltas(versions: Range): Seq[StoreFile] = versions.map(version => DeltaName(StateVersion(version.toLong)))
  private def snapshots(versions: Long*): Seq[StoreFile] = versions.map(version => SnapshotName(StateVersion(version)))
  private def plain(versions: Range): Vector[StateVersion] =
    versions.map(version => StateVersion(version.toLong)).toVector
  private def missing(
      target: StateVersion,
      listing: Seq[StoreFile],
      lineage: Vector[LineageEntry] = Vector.empty
  ): NotFound =
    RecoveryPlan.candidates(target, listing, lineage).swap.getOrElse(fail("there is a candidate"))

  test("the newest snapshot comes first, then the older ones, then the empty store") {
    val listing = deltas(1 to 12) ++ snapshots(4, 8, 12)
    val expected = Vector(
      Candidate(Some(StateVersion(8)), plain(9 to 10)),
      Candidate(Some(StateVersion(4)), plain(5 to 10)),
      Candidate(None, plain(1 to 10))
    )
    assert(RecoveryPlan.candidates(StateVersion(10), listing, Vector.empty) == Right(expected))
  }

  test("a snapshot of the very version needs no delta, not even the version's own") {
    assert(
      RecoveryPlan.candidates(StateVersion(8), snapshots(8), Vector.empty) == Right(
        Vector(Candidate(Some(StateVersion(8)), Vector.empty))
      )
    )
  }

  test("version 0 is the empty store, whatever is listed") {
    assert(
      RecoveryPlan.candidates(StateVersion.Empty, Seq.empty, Vector.empty) == Right(
        Vector(Candidate(None, Vector.empty))
      )
    )
  }

  test("a gap in the deltas rules out what lies before it") {
    val listing = deltas(1 to 4) ++ deltas(6 to 10) ++ snapshots(3, 7)
    assert(
      RecoveryPlan.candidates(StateVersion(10), listing, Vector.empty) == Right(
        Vector(Candidate(Some(StateVersion(7)), plain(8 to 10)))
      )
    )
  }

  test("what is in the way is named, with the versions that are loadable and what to do") {
    val error = missing(StateVersion(6), deltas(1 to 4) ++ deltas(6 to 10) ++ snapshots(9))
    assert(error.file.contains("5.delta") && error.version.contains(6L))
    assert(error.problem.contains("are 1-4, 9-10"))
    assert(error.remedy.contains("Restore the file"))
  }

  test("of a version beyond the newest its own delta is named") {
    assert(missing(StateVersion(12), deltas(1 to 10)).file.contains("12.delta"))
  }

  test("of a history whose start is gone the delta before the oldest is named") {
    val error = missing(StateVersion(6), deltas(5 to 6))
    assert(error.file.contains("4.delta") && error.problem.contains("No version of it is loadable"))
  }

  test("the versions before the one whose delta is gone are named, though nothing tells the way to them any more") {
    val listing = files((1 to 12).map(v => s"${v}_a$v.delta"): _*) ++ files("10_a10.snapshot", "13_other.delta")
    val error = missing(StateVersion(13, Some("a13")), listing, Vector(LineageEntry(13, "a13")))
    assert(error.file.contains("13_a13.delta") && error.problem.contains("1-12") && !error.problem.contains("13,"))
  }

  test("in an empty folder the version's own delta is named") {
    assert(missing(StateVersion(3), Seq.empty).file.contains("3.delta"))
  }

  test("without a checkpoint id, files that have one are no part of the history") {
    assert(missing(StateVersion(2), files("1.delta", "2_a.delta", "2_a.snapshot")).file.contains("2.delta"))
  }

  test("with checkpoint ids the lineage decides which attempt's files belong") {
    val listing = files(
      "1_a.delta",
      "2_b.delta",
      "2_x.delta",
      "2_x.snapshot",
      "3_c.delta",
      "1_a.snapshot",
      "3_y.snapshot",
      "3.snapshot"
    )
    val lineage = Vector(LineageEntry(1, "a"), LineageEntry(2, "b"), LineageEntry(3, "c"))
    val (a, b, c) = (StateVersion(1, Some("a")), StateVersion(2, Some("b")), StateVersion(3, Some("c")))
    assert(
      RecoveryPlan.candidates(c, listing, lineage) == Right(
        Vector(Candidate(Some(a), Vector(b, c)), Candidate(None, Vector(a, b, c)))
      )
    )
  }

  test("a lineage that starts later finds only the snapshots in it") {
    val listing = files("3_c.delta", "2_b.snapshot", "1_a.snapshot")
    val lineage = Vector(LineageEntry(2, "b"), LineageEntry(3, "c"))
    val (b, c) = (StateVersion(2, Some("b")), StateVersion(3, Some("c")))
    assert(RecoveryPlan.candidates(c, listing, lineage) == Right(Vector(Candidate(Some(b), Vector(c)))))
  }

  test("a lineage whose deltas are all there, but no snapshot, lacks the snapshot it starts from") {
    val lineage = Vector(LineageEntry(2, "b"), LineageEntry(3, "c"))
    assert(missing(StateVersion(3, Some("c")), files("2_b.delta", "3_c.delta"), lineage).file.contains("2_b.snapshot"))
    assert(missing(StateVersion(3, Some("c")), files("3_c.delta"), lineage).file.contains("2_b.delta"))
  }

  test("commits from before checkpoint ids were switched on are found under their plain names") {
    val listing = files("1.delta", "2.delta", "2.snapshot", "3_c.delta")
    val lineage = Vector(LineageEntry(1, "a"), LineageEntry(2, "b"), LineageEntry(3, "c"))
    val c = StateVersion(3, Some("c"))
    val expected =
      Vector(Candidate(Some(StateVersion(2)), Vector(c)), Candidate(None, Vector(StateVersion(1), StateVersion(2), c)))
    assert(RecoveryPlan.candidates(c, listing, lineage) == Right(expected))
  }

  test("what came before the last plain commit is found by name, whether or not the lineage tells of it") {
    forAll(AttemptTree.switched) { tree =>
      tree.attempts.foreach { attempt =>
        val isPlainListed = attempt.names.filter(_.checkpointId.isEmpty).lastOption.forall { last =>
          tree.files.exists(_.version == last)
        }
        if (isPlainListed) assert(tree.recoverWithShortLineage(attempt).toOption == tree.recover(attempt).toOption)
      }
    }
  }

  test("a snapshot that a plain commit got after checkpoint ids were switched on hides no file from before") {
    val listing = files("1.delta", "2.snapshot", "2.delta", "3.delta", "3_c.snapshot", "4_d.delta")
    val (d, c) = (StateVersion(4, Some("d")), StateVersion(3, Some("c")))
    val expected = Vector(
      Candidate(Some(c), Vector(d)),
      Candidate(Some(StateVersion(2)), Vector(StateVersion(3), d)),
      Candidate(None, plain(1 to 3) :+ d)
    )
    Seq(Vector("a", "b", "c", "d"), Vector("c", "d")).foreach { ids =>
      val lineage = ids.zip(5 - ids.size to 4).map { case (id, version) => LineageEntry(version.toLong, id) }
      assert(RecoveryPlan.candidates(d, listing, lineage) == Right(expected))
    }
  }

  test("a plain snapshot does not stand in for an attempt whose own files are there") {
    val listing = files("1_a.delta", "2_b.delta", "2.snapshot", "3_c.delta")
    val lineage = Vector(LineageEntry(1, "a"), LineageEntry(2, "b"), LineageEntry(3, "c"))
    assert(
      RecoveryPlan.candidates(StateVersion(3, Some("c")), listing, lineage).map(_.map(_.snapshot)) == Right(
        Vector(None)
      )
    )
  }

  test("a lineage with gaps, or that ends elsewhere, is the caller's mistake") {
    val target = StateVersion(3, Some("c"))
    Seq(
      Vector.empty,
      Vector(LineageEntry(2, "b")),
      Vector(LineageEntry(3, "x")),
      Vector(LineageEntry(1, "a"), LineageEntry(3, "c")),
      Vector(LineageEntry(4, "d"), LineageEntry(3, "c"))
    ).foreach(lineage => intercept[Misuse](RecoveryPlan.candidates(target, Seq.empty, lineage)))
  }

  test("there are candidates exactly for the versions that are loadable, and each is complete") {
    forAll(AttemptTree.any) { tree =>
      tree.attempts.foreach { attempt =>
        tree.recover(attempt) match {
          case Left(error: NotFound) =>
            assert(!tree.isLoadable(attempt))
            assert(error.file.flatMap(FileNames.parse).exists(file => !tree.files.contains(file)), error.file)
          case Left(other) => fail(s"$other")
          case Right(candidates) =>
            assert(tree.isLoadable(attempt) && candidates.nonEmpty)
            candidates.foreach(requireComplete(_, attempt, tree))
            val bases = candidates.map(_.snapshot.fold(0L)(_.version))
            assert(bases == bases.distinct.sorted.reverse)
        }
      }
    }
  }

  test("as many snapshots are offered as make the version, so that one that is damaged can be skipped") {
    forAll(AttemptTree.any) { tree =>
      for (attempt <- tree.attempts; candidates <- tree.recover(attempt).toOption) {
        val needed = candidates
          .flatMap(_.snapshot)
          .foldLeft(tree)((left, used) => left.copy(files = left.files.filter(_ != SnapshotName(used))))
        assert(needed.isLoadable(attempt) == candidates.exists(_.snapshot.isEmpty))
      }
    }
  }

  test("the loadable ranges are the versions that have candidates") {
    forAll(AttemptTree.plain) { tree =>
      val ranges = RecoveryPlan.loadable(tree.files)
      tree.attempts.foreach { attempt =>
        assert(ranges.exists(_.contains(attempt.version.version)) == tree.isLoadable(attempt))
      }
      assert(ranges.zip(ranges.drop(1)).forall { case (lower, upper) => lower.last + 1 < upper.first })
    }
  }

  test("ranges read as a person would write them") {
    assert(VersionRange.gather(Seq(1, 2, 3, 7, 9, 10)).mkString(", ") == "1-3, 7, 9-10")
    assert(VersionRange.gather(Seq.empty).isEmpty)
  }

  private def requireComplete(candidate: Candidate, attempt: Attempt, tree: AttemptTree): Unit = {
    val first = candidate.snapshot.fold(0L)(_.version)
    assert(candidate.deltas.map(_.version) == ((first + 1) to attempt.version.version))
    val used = candidate.snapshot.map(SnapshotName(_)).toVector ++ candidate.deltas.map(DeltaName(_))
    assert(used.forall(tree.files.contains))
    assert((candidate.snapshot ++ candidate.deltas).forall(attempt.names.contains))
    ()
  }
}
