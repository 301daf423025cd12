package io.rockstate.history

import org.scalacheck.Gen

import io.rockstate.files.{DeltaName, SnapshotName, StoreFile}
import io.rockstate.versions.{LineageEntry, StateVersion}

/** A commit of a store's history, as the names from version 1 to its own. */
final case class Attempt(names: Vector[StateVersion]) {
  def version: StateVersion = names.last
  def lineage: Vector[LineageEntry] =
    names.map(name => LineageEntry(name.version, name.checkpointId.getOrElse(s"plain-${name.version}")))
}

/** All commits ever made in a store's folder, and which of their files are listed. */
final case class AttemptTree(attempts: Vector[Attempt], files: Vector[StoreFile]) {
  private lazy val listed: Set[StoreFile] = files.toSet

  /** By its definition: a version is there if its snapshot is, or its delta and the version before; the empty store always is. */
  def isLoadable(attempt: Attempt, without: Option[StoreFile] = None): Boolean = {
    def isThere(file: StoreFile) = listed(file) && !without.contains(file)
    attempt.names.foldLeft(true) { (isBaseLoadable, name) =>
      isThere(SnapshotName(name)) || isBaseLoadable && isThere(DeltaName(name))
    }
  }

  /** Whether there are deltas of the next version, and all of them go on from this one. */
  def leadsOn(version: StateVersion): Boolean = {
    val next = attempts.filter(a => a.version.version == version.version + 1 && listed(DeltaName(a.version)))
    next.nonEmpty && next.forall(_.names.dropRight(1).lastOption.contains(version))
  }

  def recover(attempt: Attempt): Either[Any, Vector[RecoveryPlan.Candidate]] =
    RecoveryPlan.candidates(attempt.version, files, attempt.lineage)

  /** As if no delta from before checkpoint ids were switched on had told of the commits before it. */
  def recoverWithShortLineage(attempt: Attempt): Either[Any, Vector[RecoveryPlan.Candidate]] = {
    val plain = attempt.names.count(_.checkpointId.isEmpty)
    RecoveryPlan.candidates(attempt.version, files, attempt.lineage.drop(plain - 1))
  }
}

object AttemptTree {
  private val most = 25

  /** One commit per version, plain names. */
  val plain: Gen[AttemptTree] = trees(idsFrom = most + 1)

  /** Named by checkpoint id, with several commits of a version now and then. */
  val withIds: Gen[AttemptTree] = trees(idsFrom = 1)

  /** Plain at first, until checkpoint ids are switched on. */
  val switched: Gen[AttemptTree] = Gen.choose(2, most).flatMap(trees)

  val any: Gen[AttemptTree] = Gen.oneOf(plain, withIds, switched)

  private def trees(idsFrom: Int): Gen[AttemptTree] = for {
    versions <- Gen.choose(1, most)
    widths <- Gen.listOfN(versions, Gen.frequency(5 -> 1, 2 -> 2, 1 -> 3))
    bases <- Gen.listOfN(versions * 3, Gen.choose(0, 2))
    attempts = grow(widths, bases, idsFrom)
    deltaShare <- Gen.oneOf(75, 95, 100)
    files <- Gen.sequence[Vector[Vector[StoreFile]], Vector[StoreFile]](attempts.map(listed(_, deltaShare)))
  } yield AttemptTree(attempts, files.flatten)

  private def grow(widths: List[Int], bases: List[Int], idsFrom: Int): Vector[Attempt] =
    widths.zipWithIndex.foldLeft(Vector.empty[Attempt]) { case (attempts, (width, index)) =>
      val version = index + 1L
      val older = attempts.filter(_.version.version == index)
      def base(nth: Int) = if (older.isEmpty) Vector.empty else older(bases(index * 3 + nth) % older.size).names
      val names =
        if (version < idsFrom) Vector(StateVersion(version))
        else Vector.tabulate(width)(nth => StateVersion(version, Some(s"v$version-$nth")))
      attempts ++ names.zipWithIndex.map { case (name, nth) => Attempt(base(nth) :+ name) }
    }

  private def listed(attempt: Attempt, deltaShare: Int): Gen[Vector[StoreFile]] = for {
    hasDelta <- Gen.choose(1, 100).map(_ <= deltaShare)
    hasSnapshot <- Gen.choose(1, 4).map(_ == 1)
  } yield Option.when(hasDelta)(DeltaName(attempt.version)).toVector ++ Option.when(hasSnapshot)(
    SnapshotName(attempt.version)
  )
}
