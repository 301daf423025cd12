package io.rockstate.testkit

import java.nio.file.{Files, Path}

import io.rockstate.db.NativeMemory
import io.rockstate.engine.{ChangeFeed, EngineSettings, MaintenanceReport, StateEngine, Transaction}
import io.rockstate.files.RemoteFiles
import io.rockstate.history.StateVersion

/** The engine on `files`, with a local folder of its own that is gone after `close`. */
final class EngineUnderTest(files: RemoteFiles, settings: EngineSettings = EngineSettings()) extends StoreUnderTest {
  private var engine = open()

  override def begin(version: StateVersion): Transaction = engine.begin(version)
  override def beginEmpty(version: StateVersion): Transaction = engine.beginEmpty(version)

  def beginFromSnapshot(snapshot: StateVersion, version: StateVersion): Transaction =
    engine.beginFromSnapshot(snapshot, version)

  def changes(first: Long, last: StateVersion): ChangeFeed = engine.changes(first, last)

  override def maintain(): Unit = { maintained(); () }

  def maintained(): MaintenanceReport = engine.maintain()

  def requestSnapshot(): Unit = engine.requestSnapshot()

  override def restart(): Unit = {
    engine.close()
    engine = open()
  }

  override def close(): Unit = engine.close()

  private def open(): StateEngine =
    StateEngine.open(files, EngineUnderTest.newFolder(), settings, NativeMemory.shared(64L << 20))
}

object EngineUnderTest {

  /** In memory where the system has such a file system: what these suites ask does not depend on a disk's speed, their time does. */
  private def newFolder(): Path = {
    val memory = Path.of("/dev/shm")
    if (Files.isWritable(memory)) Files.createTempDirectory(memory, "rockstate-engine")
    else Files.createTempDirectory("rockstate-engine")
  }
}
