package io.rockstate.engine

import java.util.concurrent.atomic.AtomicLong

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.EngineSettings
import io.rockstate.files.{FileNames, RemoteFiles}
import io.rockstate.inspect.{LoggedCommit, StoreInspector}
import io.rockstate.testkit._

/** A query is cut off at every single call to storage, in every way: another machine goes on from what is in storage, or the same one does,
  * and nothing differs from the model, now or later. `Seeds` says how to run more of them, or one again.
  */
class CrashSuite extends AnyFunSuite with ClosesHandles with Counting {
  import CrashSuite._

  for {
    checkpointIds <- Seq(false, true)
    fate <- fates
  } test(s"every call to storage $fate, checkpoint ids ${if (checkpointIds) "on" else "off"}") {
    val positions = Seeds.half(2, second = checkpointIds).map { seed =>
      val calls = callsOfOneRun(seed, checkpointIds, fate.clock)
      val positions = (1 to calls.size).filter(n => fate.isFor(calls(n - 1).operation))
      positions.foreach { n =>
        withClue(s"seed $seed, call $n, ${calls(n - 1)} $fate: ") {
          assert((1 to Tries).exists(_ => isCutOff(n, fate, seed, checkpointIds)), "the call is never made")
        }
      }
      count("positions stopped at", positions.size.toLong)
      positions.size
    }
    assert(positions.forall(_ > 5))
  }

  test("there are as many positions as calls to storage") {
    for (checkpointIds <- Seq(false, true); seed <- Seeds.first(2))
      assert((1 to Tries).exists { _ =>
        val calls = recorded(seed, checkpointIds, daysApart)
        assert(RemoteOperation.all.forall(operation => calls.exists(_.operation == operation)))
        val beyond = new FaultyFiles(new MemoryFiles(daysApart), FailBefore(Calls.all.nth(calls.size + 1)))
        Using.resource(engine(beyond, checkpointIds))(
          new QueryRun(checkpointIds).complete(_, planOf(seed), failures = 1)
        )
        beyond.faultsMet == 0 && beyond.calls.size == calls.size
      })
  }

  /** False if there was no such call in this run. */
  private def isCutOff(n: Int, fate: Fate, seed: Long, checkpointIds: Boolean): Boolean = {
    val gate = new Gate
    val memory = new MemoryFiles(fate.clock)
    val isOpenedAnew = (n + seed) % OpenedAnewEvery == 0
    val files = new FaultyFiles(memory, fate.faults(n, gate): _*)
    var batchesSince = 0
    val run = new QueryRun(
      checkpointIds,
      _ => {
        if (files.faultsMet > 0) batchesSince += 1
        if (batchesSince == 2) gate.open()
      }
    )
    Using.resource(engine(files, checkpointIds, isOpenedAnew)) { here =>
      if (fate.isLast) run.untilFailure(here, planOf(seed)) else run.complete(here, planOf(seed), failures = 2)
    }
    gate.open()
    run.reopen()
    goesOn(memory.crashClone(), run, planOf(seed), checkpointIds, fate, toTheEnd = (n + seed) % CalmEvery == 0)
    files.faultsMet > 0
  }

  /** On another machine; `toTheEnd` is for so long that nothing of what was cut off is needed any more. */
  private def goesOn(
      files: MemoryFiles,
      run: QueryRun,
      plan: QueryPlan,
      checkpointIds: Boolean,
      fate: Fate,
      toTheEnd: Boolean
  ): Unit = Using.resource(engine(files, checkpointIds)) { elsewhere =>
    run.complete(elsewhere, plan)
    run.verifyLast(elsewhere, if (toTheEnd) Retained + 1 else 1)
    if (toTheEnd) {
      run.complete(elsewhere, QueryPlan(plan.batches ++ QueryPlan.calm(CalmBatches).batches))
      run.verifyLast(elsewhere, Retained + 1)
      assert(files.names.flatMap(FileNames.parse).forall(_.version.version > Batches), files.names)
    }
    val logged = run.committed.takeRight(Retained + 1).map(v => LoggedCommit(v.version, v.checkpointId.toSet))
    val report = new StoreInspector(files).verify(logged)
    assert(report.problems.isEmpty && report.others.files == 0, report)
    assert(!toTheEnd || !fate.isOnTime || report.orphans.files == 0, files.names)
  }
}

private object CrashSuite {
  val Batches = 8
  val CalmBatches = 6
  val Retained = 2

  /** Of so many positions one is followed until nothing is left of what was cut off; with more seeds each of them is. */
  val CalmEvery = 5

  /** Of so many positions one meets databases that are opened anew, for there is no room for their filters. */
  val OpenedAnewEvery = 3

  /** RocksDB's threads have a say of how many table files there are: where one run made no such call, so many others may. */
  val Tries = 20
  val RunsToCount = 5

  val now: () => Long = () => System.currentTimeMillis()

  /** What nobody needs is old enough to go as soon as another file is written. */
  def daysApart: () => Long = {
    val hours = new AtomicLong
    () => hours.addAndGet(25) * 60 * 60 * 1000
  }

  /** What becomes of one call. */
  sealed abstract class Fate(what: String) {
    def faults(n: Int, gate: Gate): Seq[Fault]
    def isFor(operation: RemoteOperation): Boolean = true

    /** Whether what an upload needs can be told from leftovers by its age alone. */
    def isOnTime: Boolean = true
    final def clock: () => Long = if (isOnTime) daysApart else now

    /** Whether the machine is gone then. */
    def isLast: Boolean = false
    final override def toString: String = what
  }

  case object LastBefore extends Fate("is the first that a machine does not come to") {
    override def faults(n: Int, gate: Gate): Seq[Fault] = Seq(FailBefore(Calls.all.from(n)))
    override def isLast: Boolean = true
  }

  final case class Once(what: String, fault: Calls => Fault) extends Fate(what) {
    override def faults(n: Int, gate: Gate): Seq[Fault] = Seq(fault(Calls.all.nth(n)))
  }

  case object Late extends Fate("fails, and takes effect a batch later") {
    override def faults(n: Int, gate: Gate): Seq[Fault] = Seq(TakeEffectLate(Calls.all.nth(n), gate))
    override def isFor(operation: RemoteOperation): Boolean =
      operation == RemoteOperation.Publish || operation == RemoteOperation.Delete
    override def isOnTime: Boolean = false
  }

  case object Stale extends Fate("does not see the last change") {
    override def faults(n: Int, gate: Gate): Seq[Fault] = Seq(ListStale(Calls.all.nth(n)))
    override def isFor(operation: RemoteOperation): Boolean = operation == RemoteOperation.List
    override def isOnTime: Boolean = false
  }

  val fates: Seq[Fate] = Seq(
    LastBefore,
    Once("fails before its effect", FailBefore),
    Once("fails after its effect, the answer being lost", FailAfter),
    Once("is interrupted", Interrupt),
    Late,
    Stale
  )

  def planOf(seed: Long): QueryPlan = QueryPlan.random(seed, Batches)

  private val settings = EngineSettings(
    minDeltasForSnapshot = 2,
    minVersionsToRetain = Retained,
    minVersionsToDelete = 1,
    maxVersionsToDelete = -1,
    fetchThreads = 1
  )

  def engine(files: RemoteFiles, checkpointIds: Boolean, isOpenedAnew: Boolean = false): EngineUnderTest = {
    val of = settings.copy(checkpointIds = checkpointIds)
    if (isOpenedAnew) EngineUnderTest.openingAnew(files, of) else new EngineUnderTest(files, of)
  }

  /** The shortest of some runs. */
  def callsOfOneRun(seed: Long, checkpointIds: Boolean, clock: () => Long): Vector[RemoteCall] =
    Vector.fill(RunsToCount)(recorded(seed, checkpointIds, clock)).minBy(_.size)

  private def recorded(seed: Long, checkpointIds: Boolean, clock: () => Long): Vector[RemoteCall] = {
    val counting = new FaultyFiles(new MemoryFiles(clock))
    Using.resource(engine(counting, checkpointIds))(new QueryRun(checkpointIds).complete(_, planOf(seed)))
    counting.calls
  }
}
