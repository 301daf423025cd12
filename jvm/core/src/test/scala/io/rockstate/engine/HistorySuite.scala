package io.rockstate.engine

import scala.util.Using

import org.scalacheck.{Gen, Shrink}
import org.scalatest.Assertions
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.rockstate.db.NativeMemory
import io.rockstate.engine.api.{EngineSettings, Transaction}
import io.rockstate.testkit.{ClosesHandles, EngineUnderTest, MemoryFiles, ModelStore, Operation, Rows}
import io.rockstate.versions.StateVersion

import Operation._
import Rows._

/** Random histories on engine and model side by side: after every step both must answer alike. */
class HistorySuite extends AnyFunSuite with ClosesHandles with ScalaCheckPropertyChecks {
  import HistorySuite._
  import EngineUnderTest.{AllOfIt, AmpleHeap, Found, NoFilterRoom, NoHeap, Nothing, TinyHeap, WhatACrashLeft}

  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 30, sizeRange = 60)

  for {
    checkpointIds <- Seq(false, true)
    (memory, heapBytes) <- Seq("ample" -> AmpleHeap, "no" -> NoHeap, "tiny" -> TinyHeap)
  } {
    val ids = if (checkpointIds) "on" else "off"
    for ((left, found) <- Seq("nothing" -> Nothing, "all" -> AllOfIt, "what a crash left" -> WhatACrashLeft))
      test(
        s"engine and model agree on random histories, checkpoint ids $ids, $memory memory for layers and cache, $left found after a restart"
      ) {
        forAll(histories)(history => replay(history, checkpointIds, heapBytes, found))
      }
  }

  private def replay(history: List[Step], checkpointIds: Boolean, heapBytes: Long, found: Found): Unit = {
    val settings = EngineSettings(
      checkpointIds = checkpointIds,
      minDeltasForSnapshot = 2,
      minVersionsToRetain = Retained,
      minVersionsToDelete = 1,
      maxVersionsToDelete = -1,
      portionBytes = 1, // each write of a version made from nothing
      keysAtOnce = if (history.size % 2 == 0) 0 else EngineSettings.KeysAtOnce
    )
    def native = if (history.size % 3 == 0) NoFilterRoom else NativeMemory.shared(64L << 20)
    val engine = new EngineUnderTest(new MemoryFiles, settings, heapBytes, found, native)
    Using.resource(engine) { engine =>
      val run = new Run(engine, new ModelStore(checkpointIds))
      history.foreach(run.step)
      run.verifyAll()
    }
    assert(engine.heapUsed == 0, "bytes of layers or cache are left after the close")
  }
}

object HistorySuite {
  private val Retained = 4

  sealed trait Step
  final case class Batch(operations: List[Operation], commits: Boolean) extends Step
  final case class FromNothing(operations: List[Operation]) extends Step
  final case class GoBack(versions: Int) extends Step
  final case class LosingAttempt(operations: List[Operation]) extends Step

  /** Two transactions on one version, their operations by turns; both commit, and the query goes on from one of them. */
  final case class TwoAttempts(first: List[Operation], second: List[Operation], goesOnFromFirst: Boolean) extends Step

  /** Two transactions on one version, one after the other; both commit, and the query goes on from one of them. */
  final case class RunAgain(first: List[Operation], second: List[Operation], goesOnFromFirst: Boolean) extends Step
  case object Restart extends Step
  case object Maintain extends Step

  private val keys = Gen.choose(0, 30).map(i => f"k${i % 3}/$i%02d")
  private val families = Gen.oneOf("blue", "red")
  private val inDefault: Gen[Operation] = Gen.frequency(
    6 -> Gen.zip(keys, Gen.choose(0, 1000)).map { case (k, v) => Put(k, s"value$v") },
    4 -> Gen.zip(keys, Gen.choose(0, 9)).map { case (k, v) => Merge(k, s"+$v") },
    3 -> keys.map(Remove),
    2 -> keys.map(Get),
    1 -> keys.map(Contains),
    1 -> Gen.choose(0, 3).map(i => ScanPrefix(s"k$i")),
    1 -> Gen.const(ScanAndRemoveHalf),
    1 -> Gen.const(ScanUnorderedAndRemoveSome)
  )
  private val operations: Gen[Operation] = Gen.frequency(
    12 -> inDefault,
    4 -> Gen.zip(families, inDefault).map { case (name, operation) => InFamily(name, operation) },
    1 -> families.map(RemoveFamily)
  )
  private val batches =
    Gen.zip(Gen.listOf(operations), Gen.frequency(5 -> true, 1 -> false)).map((Batch.apply _).tupled)

  val histories: Gen[List[Step]] = Gen.listOf(
    Gen.frequency(
      10 -> batches,
      2 -> Gen.const(Restart),
      3 -> Gen.const(Maintain),
      1 -> Gen.choose(1, 3).map(GoBack),
      2 -> Gen.listOf(operations).map(FromNothing),
      2 -> Gen.listOf(operations).map(LosingAttempt),
      2 -> Gen
        .zip(Gen.listOf(operations), Gen.listOf(operations), Gen.oneOf(true, false))
        .map((TwoAttempts.apply _).tupled),
      3 -> Gen
        .zip(Gen.listOf(operations), Gen.listOf(operations), Gen.frequency(3 -> false, 1 -> true))
        .map((RunAgain.apply _).tupled)
    )
  )

  private implicit val shrinkOperations: Shrink[List[Operation]] = {
    implicit val whole: Shrink[Operation] = Shrink.shrinkAny
    Shrink.shrinkContainer[List, Operation]
  }

  private implicit val shrinkStep: Shrink[Step] = Shrink.withLazyList {
    case batch: Batch => fewer(batch.operations).map(less => batch.copy(operations = less))
    case FromNothing(operations) => fewer(operations).map(FromNothing)
    case LosingAttempt(operations) => fewer(operations).map(LosingAttempt)
    case attempts: TwoAttempts =>
      fewer(attempts.first).map(less => attempts.copy(first = less)) ++
        fewer(attempts.second).map(less => attempts.copy(second = less))
    case runs: RunAgain =>
      fewer(runs.first).map(less => runs.copy(first = less)) ++
        fewer(runs.second).map(less => runs.copy(second = less))
    case Restart | Maintain | GoBack(_) => LazyList.empty
  }

  private def fewer(operations: List[Operation]): LazyList[List[Operation]] =
    Shrink.shrinkWithOrig(operations)(shrinkOperations).to(LazyList)

  implicit val shrinkHistory: Shrink[List[Step]] = Shrink.shrinkContainer[List, Step]

  /** Drives both stores; `current` is the newest version that a query would go on from. */
  private final class Run(engine: EngineUnderTest, model: ModelStore) extends Assertions {
    private var newest = 0L
    private var path = Vector(
      (StateVersion.Empty, StateVersion.Empty)
    ) // the engine's and the model's name of each version

    def step(step: Step): Unit = step match {
      case Batch(operations, commits) =>
        batch(operations, commits, engine.begin(path.last._1), model.begin(path.last._2))
      case FromNothing(operations) =>
        batch(operations, commits = true, engine.beginEmpty(path.last._1), model.beginEmpty(path.last._2))
      case Restart => restart()
      case Maintain => engine.maintain()
      case GoBack(versions) =>
        val earlier = path.dropRight(versions)
        if (earlier.lastOption.exists(v => isPromised(v._1))) {
          restart()
          path = earlier
        }
      case LosingAttempt(operations) =>
        val loser = engine.begin(path.last._1)
        operations.foreach(_.perform(loser))
        val before = path.last
        batch(Nil, commits = true, engine.begin(before._1), model.begin(before._2))
        verify(before)
        loser.abort()
      case TwoAttempts(first, second, goesOnFromFirst) => twoAttempts(first, second, goesOnFromFirst)
      case RunAgain(first, second, goesOnFromFirst) =>
        val base = path
        batch(first, commits = true, engine.begin(base.last._1), model.begin(base.last._2))
        val committed = path
        path = base
        batch(second, commits = true, engine.begin(base.last._1), model.begin(base.last._2))
        if (goesOnFromFirst && committed.last._1.checkpointId.isDefined) path = committed
    }

    private def restart(): Unit = {
      engine.restart()
      model.restart()
    }

    def verifyAll(): Unit = path.filter(v => isPromised(v._1)).foreach(verify)

    private def verify(version: (StateVersion, StateVersion)): Unit = {
      val (ours, models) = (engine.begin(version._1), model.begin(version._2))
      assert(content(ours) == content(models))
      assert(counts(ours) == counts(models))
      ours.abort()
      models.abort()
    }

    private def isPromised(version: StateVersion): Boolean = version.version >= newest - Retained

    private def batch(operations: List[Operation], commits: Boolean, ours: Transaction, models: Transaction): Unit = {
      operations.foreach { operation =>
        assert(operation.perform(ours) == operation.perform(models), operation.toString)
      }
      assert(content(ours) == content(models))
      if (commits) {
        path :+= ours.commit() -> models.commit()
        newest = math.max(newest, path.last._1.version)
        assert(counts(ours) == counts(models))
      } else {
        ours.abort()
        models.abort()
      }
    }

    private def twoAttempts(first: List[Operation], second: List[Operation], goesOnFromFirst: Boolean): Unit = {
      val base = path.last
      val ours = Vector.fill(2)(engine.begin(base._1))
      val models = Vector.fill(2)(model.begin(base._2))
      first
        .map(0 -> _)
        .zipAll(second.map(1 -> _), null, null)
        .flatMap { case (a, b) => List(a, b) }
        .filter(_ != null)
        .foreach { case (i, operation) =>
          assert(operation.perform(ours(i)) == operation.perform(models(i)), operation.toString)
        }
      val committed = ours.map(_.commit()).zip(models.map(_.commit()))
      newest = math.max(newest, base._1.version + 1)
      val named = committed.head._1.checkpointId.isDefined
      path :+= (if (goesOnFromFirst && named) committed.head else committed.last)
      (if (named) committed else committed.tail).foreach(verify)
    }
  }
}
