package org.apache.spark.sql.execution.streaming.state.rockstate.files

import scala.util.Using

import org.apache.hadoop.fs.Path
import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.EngineSettings
import io.rockstate.files.RemoteFiles
import io.rockstate.inspect.{LoggedCommit, StoreInspector}
import io.rockstate.testkit.{ClosesHandles, Counting, EngineUnderTest, QueryPlan, QueryRun, Seeds}

/** A query on a file system whose renames do not replace: each call that changes something there meets a fate once, and the query goes on, on
  * another machine if its own is gone. Nothing differs from the model.
  */
class CutQuerySuite extends AnyFunSuite with ClosesHandles with Counting {
  import CutFiles._
  import CutQuerySuite._

  for {
    checkpointIds <- Seq(false, true)
    fate <- Seq(Gone, AnswerLost, AskedTwice)
  } test(s"every call of the file system $fate, checkpoint ids ${if (checkpointIds) "on" else "off"}") {
    Seeds.first(1).foreach { seed =>
      val calls = Iterator
        .from(0)
        .takeWhile(n => withClue(s"seed $seed, call $n $fate: ")(isCut(n, fate, seed, checkpointIds)))
        .size
      assert(calls > 20)
      count("positions stopped at", calls.toLong)
    }
  }

  /** False if there was no such call. */
  private def isCut(n: Int, fate: Fate, seed: Long, checkpointIds: Boolean): Boolean = {
    val folder = newFolder()
    val plan = QueryPlan.random(seed, Batches)
    val run = new QueryRun(checkpointIds)
    cut(n, fate) {
      Using.resource(engine(folder, checkpointIds)) { here =>
        if (fate == Gone) run.untilFailure(here, plan) else run.complete(here, plan, failures = 2)
      }
    }.get
    val wasMet = CutFiles.calls > n
    run.reopen()
    Using.resource(engine(folder, checkpointIds)) { elsewhere =>
      run.complete(elsewhere, QueryPlan(plan.batches ++ QueryPlan.calm(1).batches))
      run.verifyLast(elsewhere, Retained + 1)
    }
    val logged = run.committed.takeRight(Retained + 1).map(v => LoggedCommit(v.version, v.checkpointId.toSet))
    val report = new StoreInspector(files(folder)).verify(logged)
    assert(report.problems.isEmpty, report)
    wasMet
  }

  private def engine(folder: Path, checkpointIds: Boolean): EngineUnderTest = new EngineUnderTest(
    files(folder),
    EngineSettings(
      checkpointIds = checkpointIds,
      minDeltasForSnapshot = 2,
      minVersionsToRetain = Retained,
      minVersionsToDelete = 1,
      maxVersionsToDelete = -1,
      fetchThreads = 1
    )
  )

  private def files(folder: Path): RemoteFiles = new SparkRemoteFiles(folder, configuration())
}

private object CutQuerySuite {
  val Batches = 5
  val Retained = 1
}
