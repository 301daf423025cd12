package io.rockstate.engine.transaction

import scala.util.Using

import io.rockstate.engine.api.{EngineSettings, Transaction}
import io.rockstate.errors.{Misuse, Unavailable}
import io.rockstate.files.{RemoteFile, RemoteFiles, RemoteInput, RemoteOutput}
import io.rockstate.testkit.{EngineUnderTest, FaultMoment, FaultyFiles, MemoryFiles, RecordingFiles, RemoteOperation, Rows, StoreUnderTest}
import io.rockstate.versions.StateVersion

import org.scalatest.funsuite.AnyFunSuite

import Rows._

/** A frame that could not be written while the task runs: half of it may be in the delta, so that nothing may follow it. */
class FailedWriteSuite extends AnyFunSuite {

  /** More than a frame's worth of rows. */
  private def fill(transaction: Transaction): Unit = (1 to 3000).foreach(i => transaction.putRow(s"row$i", "x" * 100))

  private def refuses(transaction: Transaction): Unit =
    Seq[() => Any](
      () => transaction.putRow("again", "1"),
      () => transaction.mergeRow("again", "1"),
      () => transaction.removeRow("again"),
      () => transaction.row("again"),
      () => transaction.createColumnFamily("again", isInternal = false),
      () => transaction.commit()
    ).foreach(call => assert(intercept[Misuse](call()).problem.contains("failed write")))

  // A delta's header takes two writes, the first frame two more.
  (1 to 4).foreach { n =>
    Seq(FaultMoment.BeforeEffect, FaultMoment.AfterEffect).foreach { moment =>
      test(s"after write $n failed ($moment) only abort works, and no output stays open") {
        val memory = new MemoryFiles
        val recording = new RecordingFiles(memory)
        val faulty = FaultyFiles.failing(recording, RemoteOperation.Write, n, moment)
        Using.resource(new EngineUnderTest(faulty)) { engine =>
          val transaction = engine.begin(StateVersion.Empty)
          intercept[Unavailable](fill(transaction))
          refuses(transaction)
          transaction.abort()
          assert(memory.names.isEmpty && recording.transcript == Vector("create 1.delta", "cancel 1.delta"))
          val retried = engine.begin(StateVersion.Empty)
          fill(retried)
          val one = retried.commit()
          engine.restart()
          val after = engine.begin(one)
          assert(after.rowCount == 3000 && after.rows.size == 3000)
          after.abort()
        }
      }
    }
  }

  test("an interrupt during a write leaves a transaction that only abort works on") {
    val memory = new MemoryFiles
    Using.resource(new EngineUnderTest(new InterruptedFiles(memory))) { engine =>
      val transaction = engine.begin(StateVersion.Empty)
      intercept[InterruptedException](fill(transaction))
      refuses(transaction)
      transaction.abort()
      assert(memory.names.isEmpty)
    }
  }

  test("a publish that fails with a missing file leaves nothing of the version at hand") {
    val memory = new MemoryFiles
    val here = new EngineUnderTest(new LosingFiles(memory), EngineSettings())
    Using.Manager { use =>
      use(here)
      val elsewhere = use(new EngineUnderTest(memory))
      def commit(store: StoreUnderTest, base: StateVersion, value: String): StateVersion = {
        val transaction = store.begin(base)
        transaction.putRow("a", value)
        transaction.commit()
      }
      val one = commit(here, StateVersion.Empty, "1")
      val two = commit(here, one, "here")
      val other = here.begin(one)
      other.putRow("a", "lost")
      intercept[io.rockstate.errors.NotFound](other.commit())
      other.abort()
      commit(elsewhere, one, "elsewhere")
      val after = here.begin(two)
      assert(after.row("a").contains("elsewhere"))
      after.abort()
    }.get
  }

  /** The second write is interrupted. */
  private final class InterruptedFiles(under: RemoteFiles) extends Forwarding(under) {
    private var writes = 0
    override def create(name: String): RemoteOutput = new ForwardingOutput(under.create(name)) {
      override def write(bytes: Array[Byte], offset: Int, length: Int): Unit = {
        writes += 1
        if (writes == 4) throw new InterruptedException
        super.write(bytes, offset, length)
      }
    }
  }

  /** The third file to be published is gone from under its writer. */
  private final class LosingFiles(under: RemoteFiles) extends Forwarding(under) {
    private var published = 0
    override def create(name: String): RemoteOutput = new ForwardingOutput(under.create(name)) {
      override def publishIfAbsent(): Boolean = {
        published += 1
        if (published == 3) throw new io.rockstate.errors.NotFound("It is gone", "Look for it.", name)
        super.publishIfAbsent()
      }
    }
  }

  private abstract class Forwarding(under: RemoteFiles) extends RemoteFiles {
    override def location: String = under.location
    override def open(name: String): RemoteInput = under.open(name)
    override def list(folder: String): Seq[RemoteFile] = under.list(folder)
    override def delete(name: String): Unit = under.delete(name)
  }

  private class ForwardingOutput(output: RemoteOutput) extends RemoteOutput {
    override def write(byte: Int): Unit = output.write(byte)
    override def write(bytes: Array[Byte], offset: Int, length: Int): Unit = output.write(bytes, offset, length)
    override def cancel(): Unit = output.cancel()
    override def publish(): Unit = output.publish()
    override def publishIfAbsent(): Boolean = output.publishIfAbsent()
  }
}
