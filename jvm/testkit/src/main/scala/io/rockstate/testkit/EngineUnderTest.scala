package io.rockstate.testkit

import java.nio.file.{Files, NoSuchFileException, Path}

import io.rockstate.db.NativeMemory
import io.rockstate.engine.StateEngine
import io.rockstate.engine.api.{EngineSettings, MaintenanceReport, Transaction}
import io.rockstate.engine.memory.{HeapMemory, SharedMemory}
import io.rockstate.engine.recovery.ChangeFeed
import io.rockstate.files.RemoteFiles
import io.rockstate.folders.{MachineFolders, MachineStart, StoreFolder, Trees}
import io.rockstate.versions.StateVersion

/** The engine on `files`, with a local folder of its own that is gone after `close`.
  *
  * @param heapBytes for its change layers and its read cache; 0 switches both off
  * @param found     what an engine finds of the one before on the local disk
  * @param native    for its databases
  */
final class EngineUnderTest(
    files: RemoteFiles,
    settings: EngineSettings = EngineSettings(),
    heapBytes: Long = EngineUnderTest.AmpleHeap,
    found: EngineUnderTest.Found = EngineUnderTest.Nothing,
    native: => NativeMemory = NativeMemory.shared(64L << 20)
) extends StoreUnderTest {
  import EngineUnderTest._

  private val heap = new HeapMemory(heapBytes)
  private val root = newFolder()
  private lazy val machine = MachineFolders.in(root.resolve("machine"), 1L << 30, MachineStart("this start", None))
  private var folder: Path = _
  private var engine = open(newStoreFolder())

  override def begin(version: StateVersion): Transaction = engine.begin(version)
  override def beginEmpty(version: StateVersion): Transaction = engine.beginEmpty(version)

  def beginFromSnapshot(snapshot: StateVersion, version: StateVersion): Transaction =
    engine.beginFromSnapshot(snapshot, version)

  def changes(first: Long, last: StateVersion): ChangeFeed = engine.changes(first, last)

  override def maintain(): Unit = { maintained(); () }

  def maintained(): MaintenanceReport = engine.maintain()

  /** Of the newest version. */
  def requestSnapshot(): Unit = requestSnapshot(engine.lastSnapshot + engine.deltasSinceSnapshot, snapshotsStored)

  def requestSnapshot(version: Long, storedBefore: Long): Unit = engine.requestSnapshot(version, storedBefore)

  def snapshotsStored: Long = engine.snapshotsStored

  override def restart(): Unit = {
    val copy = Option.when(found == WhatACrashLeft)(copyOf(folder))
    engine.close()
    engine = open(copy.fold(newStoreFolder())(StoreFolder.passing))
  }

  override def close(): Unit =
    try engine.close()
    finally {
      if (found == AllOfIt) machine.abandon()
      Trees.delete(root)
    }

  /** Where its databases and table files are. */
  def localFolder: Path = folder

  /** What layers and caches hold of the JVM's memory. */
  def heapUsed: Long = heap.usedBytes

  /** The databases on the local disk. */
  def databases: Int = {
    val children = folder.toFile.list()
    if (children == null) 0 else children.count(_.startsWith("db-"))
  }

  private def newStoreFolder(): StoreFolder =
    if (found == AllOfIt) machine.open("the store") else StoreFolder.passing(Files.createTempDirectory(root, "store"))

  private def open(local: StoreFolder): StateEngine = {
    folder = local.path
    StateEngine.open(files, local, settings, SharedMemory(native, heap))
  }

  private def copyOf(folder: Path): Path = {
    val copy = Files.createTempDirectory(root, "copy")
    copyInto(copy, folder)
    copy
  }

  private def copyInto(copy: Path, folder: Path): Unit = Trees.children(folder).foreach { from =>
    val to = copy.resolve(from.getFileName)
    try
      if (Files.isDirectory(from)) copyInto(Files.createDirectory(to), from)
      else { Files.copy(from, to); () }
    catch { case _: NoSuchFileException => } // RocksDB deletes what it needs no more
  }
}

object EngineUnderTest {

  /** What an engine finds of the one before it. */
  sealed trait Found
  case object Nothing extends Found
  case object AllOfIt extends Found
  case object WhatACrashLeft extends Found

  /** More for layers and cache than a test needs; nothing, so that both are off; so little that both are full all the time; room for half of
    * a large test's rows.
    */
  val AmpleHeap: Long = 64L << 20
  val NoHeap: Long = 0
  val TinyHeap: Long = 6L << 10
  val SmallHeap: Long = 400L << 10

  /** Native memory in which a database is opened anew as soon as it has rows. */
  lazy val NoFilterRoom: NativeMemory = NativeMemory.apart(filterBytes = 0)

  /** One that opens its databases anew: neither native memory nor the heap has room for what they have outgrown. */
  def openingAnew(files: RemoteFiles, settings: EngineSettings): EngineUnderTest =
    new EngineUnderTest(files, settings, NoHeap, native = NoFilterRoom)

  /** In memory where the system has such a file system: what these suites ask does not depend on a disk's speed, their time does. */
  private def newFolder(): Path = {
    val memory = Path.of("/dev/shm")
    if (Files.isWritable(memory)) Files.createTempDirectory(memory, "rockstate-engine")
    else Files.createTempDirectory("rockstate-engine")
  }
}
