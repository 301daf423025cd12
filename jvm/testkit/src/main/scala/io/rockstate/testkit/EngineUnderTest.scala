package io.rockstate.testkit

import java.nio.file.{Files, Path}

import io.rockstate.db.NativeMemory
import io.rockstate.engine.StateEngine
import io.rockstate.engine.api.{EngineSettings, MaintenanceReport, Transaction}
import io.rockstate.engine.memory.{HeapMemory, SharedMemory}
import io.rockstate.engine.recovery.ChangeFeed
import io.rockstate.files.RemoteFiles
import io.rockstate.versions.StateVersion

/** The engine on `files`, with a local folder of its own that is gone after `close`.
  *
  * @param heapBytes for its change layers and its read cache; 0 switches both off
  */
final class EngineUnderTest(
    files: RemoteFiles,
    settings: EngineSettings = EngineSettings(),
    heapBytes: Long = EngineUnderTest.AmpleHeap
) extends StoreUnderTest {
  private val heap = new HeapMemory(heapBytes)
  private var folder: Path = _
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

  /** What layers and caches hold of the JVM's memory. */
  def heapUsed: Long = heap.usedBytes

  /** The databases on the local disk. */
  def databases: Int = {
    val children = folder.toFile.list()
    if (children == null) 0 else children.count(_.startsWith("db-"))
  }

  private def open(): StateEngine = {
    folder = EngineUnderTest.newFolder()
    StateEngine.open(files, folder, settings, SharedMemory(NativeMemory.shared(64L << 20), heap))
  }
}

object EngineUnderTest {

  /** More for layers and cache than a test needs; nothing, so that both are off; so little that both are full all the time; room for half of
    * a large test's rows.
    */
  val AmpleHeap: Long = 64L << 20
  val NoHeap: Long = 0
  val TinyHeap: Long = 6L << 10
  val SmallHeap: Long = 400L << 10

  /** In memory where the system has such a file system: what these suites ask does not depend on a disk's speed, their time does. */
  private def newFolder(): Path = {
    val memory = Path.of("/dev/shm")
    if (Files.isWritable(memory)) Files.createTempDirectory(memory, "rockstate-engine")
    else Files.createTempDirectory("rockstate-engine")
  }
}
