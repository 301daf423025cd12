package io.rockstate.testkit

import java.util.concurrent.{Callable, CountDownLatch, Executors, TimeUnit}

import scala.util.Using

import io.rockstate.engine.EngineSettings
import io.rockstate.files.{FileNames, RemoteFile, RemoteFiles, RemoteInput, RemoteOutput}
import io.rockstate.history.StateVersion

import org.scalatest.funsuite.AnyFunSuite

import Rows._

/** A recovery and a snapshot of one store use the same folder of table files at the same time. */
class SharedTablesSuite extends AnyFunSuite {
  private val settings = EngineSettings(minDeltasForSnapshot = 2, fetchThreads = 1)

  private def commit(store: StoreUnderTest, base: StateVersion, i: Int): StateVersion = {
    val transaction = store.begin(base)
    (1 to 200).foreach(row => transaction.putRow(s"row$row", s"$i/$row"))
    transaction.commit()
  }

  test("a snapshot that is stored while a recovery fetches table files leaves those in place") {
    val memory = new MemoryFiles
    val gated = new GatedFiles(memory)
    Using.Manager { use =>
      val elsewhere = use(new EngineUnderTest(memory, settings))
      val here = use(new EngineUnderTest(gated, settings))
      val one = commit(here, StateVersion.Empty, 1)
      val six = (2 to 6).foldLeft(one) { (base, i) =>
        val next = commit(elsewhere, base, i)
        elsewhere.maintain()
        next
      }
      here.begin(six).abort() // brought forward by deltas: no table file is on this disk
      val four = StateVersion(4)
      gated.openTablesBeforeGate = 1
      val pool = Executors.newSingleThreadExecutor()
      try {
        val recovering = pool.submit((() => {
          val transaction = here.begin(four)
          try transaction.rows.toMap
          finally transaction.abort()
        }): Callable[Map[String, String]])
        assert(gated.reached.await(10, TimeUnit.SECONDS))
        here.requestSnapshot()
        assert(here.maintained().snapshot.contains(six))
        gated.goOn.countDown()
        assert(recovering.get(10, TimeUnit.SECONDS) == (1 to 200).map(row => s"row$row" -> s"4/$row").toMap)
      } finally {
        gated.goOn.countDown()
        pool.shutdownNow()
      }
    }.get
  }

  /** Stops before the next table file is opened, once as many as allowed were. */
  private final class GatedFiles(under: RemoteFiles) extends RemoteFiles {
    @volatile var openTablesBeforeGate: Int = Int.MaxValue
    val reached = new CountDownLatch(1)
    val goOn = new CountDownLatch(1)

    override def location: String = under.location
    override def create(name: String): RemoteOutput = under.create(name)
    override def list(folder: String): Seq[RemoteFile] = under.list(folder)
    override def delete(name: String): Unit = under.delete(name)
    override def open(name: String): RemoteInput = {
      if (FileNames.isTableFileName(name)) {
        if (openTablesBeforeGate == 0) {
          reached.countDown()
          goOn.await()
        } else openTablesBeforeGate -= 1
      }
      under.open(name)
    }
  }
}
