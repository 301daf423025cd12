package io.rockstate.history

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.rockstate.files.{DeltaName, FileNames, RemoteFile, SnapshotName, StoreFile}
import io.rockstate.versions.StateVersion

class RetentionPlanSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  import RetentionPlanSuite.Rules

  private def delta(version: Long): StoreFile = DeltaName(StateVersion(version))
  private def snapshot(version: Long): StoreFile = SnapshotName(StateVersion(version))
  private val unlimited = -1

  /** A healthy store of 100 versions with a snapshot at every tenth. */
  private val healthy: Vector[StoreFile] = (1L to 100L).map(delta).toVector ++ (10L to 100L by 10).map(snapshot)

  private def deletions(
      files: Seq[StoreFile],
      newest: Long,
      minVersionsToRetain: Int,
      minVersionsToDelete: Long,
      maxVersionsToDelete: Int,
      stale: Set[Long] = Set.empty
  ): Vector[StoreFile] =
    RetentionPlan.deletions(files, newest, minVersionsToRetain, minVersionsToDelete, maxVersionsToDelete)(snapshot =>
      !stale(snapshot.version)
    )

  private def plan(tree: AttemptTree, rules: Rules): Vector[StoreFile] =
    RetentionPlan.deletions(tree.files, rules.newest, rules.retain, rules.minimum, rules.maximum)(tree.leadsOn)

  private val cases: Gen[(AttemptTree, Rules)] = for {
    tree <- AttemptTree.any
    newest <- Gen.choose(1L, tree.attempts.last.version.version)
    retain <- Gen.choose(0, 8)
    minimum <- Gen.choose(-1L, 5L)
    maximum <- Gen.oneOf(-1, 1, 2, 5, 100)
  } yield (tree, Rules(newest, retain, minimum, maximum))

  test("the second snapshot at or below the oldest promised version stays, with its delta, and all that follows") {
    val deleted =
      deletions(healthy, newest = 100, minVersionsToRetain = 15, minVersionsToDelete = 0, unlimited)
    // 85 is the oldest promised version: 80 is the snapshot below it and 70 the spare.
    assert(deleted.toSet == healthy.filter(_.version.version < 70).toSet)
  }

  test("a snapshot of the oldest promised version itself counts, one above it does not") {
    def oldestKept(retain: Int): Long =
      healthy.diff(deletions(healthy, 100, retain, 0, unlimited)).map(_.version.version).min
    assert(oldestKept(20) == 70)
    assert(oldestKept(21) == 60)
  }

  test("every version that Spark's HDFS-backed store keeps is kept") {
    // HDFSBackedStateStoreProvider.cleanup: what is needed for newest - minVersionsToRetain, and all that follows.
    for (retain <- 1 to 99) {
      val left = healthy.diff(deletions(healthy, 100, retain, 0, unlimited))
      val promised = math.max(100L - retain, 1L) to 100L
      promised.foreach(version =>
        assert(RecoveryPlan.loadable(left).exists(_.contains(version)), s"$version of $retain")
      )
    }
  }

  test("without a spare snapshot nothing is deleted") {
    val single = (1L to 100L).map(delta).toVector :+ snapshot(50)
    assert(deletions(single, 100, 1, 0, unlimited).isEmpty)
    assert(deletions((1L to 100L).map(delta), 100, 1, 0, unlimited).isEmpty)
  }

  test("too few stale versions are left for another time") {
    assert(deletions(healthy, 100, 15, minVersionsToDelete = 70, unlimited).isEmpty)
    assert(deletions(healthy, 100, 15, minVersionsToDelete = 69, unlimited).nonEmpty)
  }

  test("the oldest versions go first, and no more than allowed") {
    val deleted = deletions(healthy, 100, 15, 0, maxVersionsToDelete = 11)
    assert(deleted == (1L to 9L).map(delta).toVector ++ Vector(delta(10), snapshot(10), delta(11)))
  }

  test("cleaning up again and again ends where cleaning up without a limit does") {
    val atOnce = healthy.diff(deletions(healthy, 100, 15, 0, unlimited))
    val bySteps =
      Iterator.iterate(healthy)(left => left.diff(deletions(left, 100, 15, 0, 7))).drop(10).next()
    assert(bySteps == atOnce)
  }

  test("a snapshot whose delta was replaced by another attempt's is no anchor") {
    def oldestKept(stale: Long*): Long =
      healthy.diff(deletions(healthy, 100, 15, 0, unlimited, stale.toSet)).map(_.version.version).min
    assert(oldestKept(80) == 60)
    assert(oldestKept(70) == 60)
    assert(oldestKept(80, 60) == 50)
    assert(oldestKept(90, 50) == 70)
  }

  test("a snapshot of an attempt beside which others are listed is no anchor") {
    def id(version: Long, attempt: String) = StateVersion(version, Some(attempt))
    val live = (1L to 30L).map(version => DeltaName(id(version, "live"))) ++ Seq(5L, 10L, 20L).map(version =>
      SnapshotName(id(version, "live"))
    )
    def oldestKept(files: Seq[StoreFile], retain: Int = 5, stale: Set[Long] = Set.empty): Long =
      files.diff(deletions(files, 30, retain, 0, unlimited, stale)).map(_.version.version).min
    assert(oldestKept(live) == 10)
    val withZombie = live ++ Seq(DeltaName(id(10, "zombie")), SnapshotName(id(10, "zombie")))
    assert(oldestKept(withZombie, stale = Set(10)) == 5)
    // Unless whatever comes after it goes on from it.
    assert(oldestKept(withZombie) == 10)
    assert(oldestKept(withZombie :+ DeltaName(id(20, "zombie")), retain = 10) == 5, "the zombie's version is promised")
  }

  test("every promised version stays loadable, also with any one snapshot damaged") {
    forAll(cases, minSuccessful(1000)) { case (tree, rules) =>
      val left = tree.copy(files = tree.files.diff(plan(tree, rules)))
      val promised = tree.attempts.filter(_.version.version >= rules.newest - rules.retain)
      val damages = None +: tree.files.collect { case file: SnapshotName => Some(file) }
      for (attempt <- promised; damaged <- damages if tree.isLoadable(attempt, damaged))
        assert(left.isLoadable(attempt, damaged), s"$attempt without $damaged, $rules, left ${left.files.map(_.name)}")
      promised.foreach(attempt => assert(left.recover(attempt).isRight == tree.recover(attempt).isRight))
    }
  }

  test("only listed files below the promised versions go, in order and within the limits") {
    forAll(cases, minSuccessful(1000)) { case (tree, rules) =>
      val deleted = plan(tree, rules)
      val versions = deleted.map(_.version.version)
      assert(deleted.forall(tree.files.contains) && deleted.distinct == deleted)
      assert(versions == versions.sorted && versions.forall(_ < rules.newest - rules.retain))
      val enough = if (rules.maximum < 0) rules.minimum else math.min(rules.minimum, rules.maximum.toLong)
      assert(versions.isEmpty || versions.distinct.size >= enough)
      assert(rules.maximum < 0 || versions.distinct.size <= rules.maximum)
    }
  }

  test("the properties are about something: plans do delete, and spare snapshots do save versions") {
    val samples = Vector.fill(500)(cases.sample).flatten
    val deleting = samples.filter { case (tree, rules) => plan(tree, rules).nonEmpty }
    assert(deleting.size > 25, s"of ${samples.size}")
    val saved = deleting.count { case (tree, rules) =>
      val left = tree.copy(files = tree.files.diff(plan(tree, rules)))
      val anchored = left.files.collect { case file: SnapshotName => file }.sortBy(_.version.version).drop(1).headOption
      left.attempts.filter(_.version.version >= rules.newest - rules.retain).exists(left.isLoadable(_, anchored))
    }
    assert(saved > 25, s"of ${deleting.size}")
  }

  test("table files go only if no manifest needs them, they are old, and their names are ours") {
    val now = 1000000L
    val listed = Seq(
      RemoteFile("old.sst", 1, now - 5001),
      RemoteFile("young.sst", 1, now - 5000),
      RemoteFile("future.sst", 1, now + 9999),
      RemoteFile("notes.txt", 1, 0),
      RemoteFile("a.b.sst", 1, 0),
      RemoteFile("../1.delta", 1, 0)
    )
    val old = RetentionPlan.oldTableFiles(listed, now, graceMillis = 5000)
    assert(old == Vector(FileNames.inTableFolder("old.sst")))
  }
}

object RetentionPlanSuite {
  private final case class Rules(newest: Long, retain: Int, minimum: Long, maximum: Int)
}
