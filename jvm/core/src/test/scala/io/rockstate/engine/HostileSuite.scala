package io.rockstate.engine

import java.lang.management.ManagementFactory
import java.nio.file.{Files, Path}

import scala.util.{Random, Using}

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.db.NativeMemory
import io.rockstate.engine.api.EngineSettings
import io.rockstate.engine.layers.DeltaLayer
import io.rockstate.engine.memory.{HeapMemory, SharedMemory}
import io.rockstate.errors.StateStoreException
import io.rockstate.files.{FileNames, RemoteInput}
import io.rockstate.folders.StoreFolder
import io.rockstate.format.Mutations
import io.rockstate.format.delta.{DeltaFrame, DeltaReader}
import io.rockstate.format.snapshot.SnapshotManifest
import io.rockstate.inspect.StoreInspector
import io.rockstate.testkit.{ClosesHandles, Counting, EngineUnderTest, MemoryFiles, Operation, Rows, Seeds, Watchdog}
import io.rockstate.versions.StateVersion

/** Files of a store that accidents or somebody's hand have altered: an error that is ours, or the right rows. Whoever makes the checksums right
  * again can write what he likes, but no more than that: no crash, no hang, no memory beyond measure, no file elsewhere.
  */
class HostileSuite extends AnyFunSuite with ClosesHandles with Counting {
  import HostileSuite._

  for (codec <- Seq("none", "lz4", "zstd", "snappy", "lzf"))
    test(s"a delta of codec $codec that is altered is read or refused, with little memory") {
      val files = storeOf(codec, checkpointIds = false)
      val deltas = files.names.filter(_.endsWith(".delta")).map(name => name -> files.bytes(name))
      eachSeed(500) { random =>
        val mutations = new Mutations(random)
        count("altered files read", 100)
        (1 to 100).foreach { i =>
          val (name, sound) = deltas(random.nextInt(deltas.size))
          val isForged = random.nextBoolean()
          val bytes = if (isForged) mutations.forgedDelta(sound) else mutations.accident(sound)
          withClue(s"input $i, $name${if (isForged) " with right checksums" else ""}: ") {
            val frames = frugally(read(name, bytes))
            assert(isForged || frames.forall(_.sameElements(recordsOf(framesOf(name, sound)))))
          }
        }
      }
    }

  test("a manifest that is altered is read or refused, with little memory") {
    val files = storeOf("lz4", checkpointIds = true)
    val manifests = files.names.filter(_.endsWith(".snapshot")).map(name => name -> files.bytes(name))
    eachSeed(1000) { random =>
      val mutations = new Mutations(random)
      count("altered files read", 100)
      (1 to 100).foreach { i =>
        val (name, sound) = manifests(random.nextInt(manifests.size))
        val isForged = random.nextBoolean()
        val bytes = if (isForged) mutations.forgedManifest(sound) else mutations.accident(sound)
        withClue(s"input $i, $name${if (isForged) " with a right checksum" else ""}: ") {
          frugally(SnapshotManifest.decode(name, bytes)).foreach { read =>
            assert(isForged || read == SnapshotManifest.decode(name, sound))
            assert(read.tableFiles.forall(table => FileNames.isTableFileName(table.remoteName)))
          }
        }
      }
    }
  }

  for (checkpointIds <- Seq(false, true); isForged <- Seq(false, true)) {
    val which = if (isForged) "altered, with right checksums" else "altered"
    test(s"a store with files that are $which, checkpoint ids ${if (checkpointIds) "on" else "off"}") {
      val sound = storeOf("zstd", checkpointIds)
      val other = storeOf("zstd", checkpointIds)
      eachSeed(500) { random =>
        count("stores with altered files opened")
        val files = sound.crashClone()
        val what = if (isForged) forge(files, random) else harm(files, other, random)
        withClue(s"$what: ")(use(files, sound, checkpointIds, mayDiffer = isForged))
      }
    }
  }

  /** Each in a time of its own, so that one that hangs fails. */
  private def eachSeed(usual: Int)(body: Random => Unit): Unit = Seeds.first(usual).foreach { seed =>
    withClue(s"seed $seed: ")(Watchdog.within(MostSeconds)(body(new Random(seed))))
  }

  /** What is read of it; None if it is refused. */
  private def frugally[A](body: => A): Option[A] = {
    val before = allocated()
    val started = System.nanoTime()
    val outcome =
      try Some(body)
      catch { case _: StateStoreException => None }
    val bytes = allocated() - before
    assert(bytes < MostBytes, s"$bytes bytes were allocated")
    assert(System.nanoTime() - started < MostNanos, "it took too long")
    outcome
  }

  private def read(name: String, bytes: Array[Byte]): Array[Byte] = {
    val frames = framesOf(name, bytes)
    DeltaLayer.of(frames, name)
    recordsOf(frames)
  }

  private def recordsOf(frames: Vector[DeltaFrame]): Array[Byte] = frames.flatMap(_.bytes).toArray

  private def framesOf(name: String, bytes: Array[Byte]): Vector[DeltaFrame] = {
    val input = new RemoteInput(new java.io.ByteArrayInputStream(bytes), bytes.length.toLong)
    Using.resource(new DeltaReader(name, input)) { reader =>
      Iterator.continually(reader.nextFrame()).takeWhile(_.isDefined).flatten.toVector
    }
  }

  /** Opens every version, reads all of it, and has the inspector look; with a local folder of its own, beside which nothing appears. */
  private def use(files: MemoryFiles, sound: MemoryFiles, checkpointIds: Boolean, mayDiffer: Boolean): Unit = {
    val around = newFolder()
    val memory = SharedMemory(NativeMemory.shared(64L << 20), new HeapMemory(EngineUnderTest.AmpleHeap))
    val local = around.resolve("a/b/c/store")
    Using.resource(StateEngine.open(files, StoreFolder.passing(local), settings(checkpointIds), memory)) { engine =>
      versionsOf(sound).foreach { version =>
        try {
          val transaction = engine.begin(version)
          try {
            val rows = Rows.content(transaction)("default")
            assert(mayDiffer || rows == expected(version.version.toInt), s"at $version")
          } finally transaction.abort()
        } catch { case _: StateStoreException => }
      }
    }
    new StoreInspector(files).verify()
    val left = Using.resource(Files.walk(around))(_.toArray.toVector.map(_.toString.drop(around.toString.length)))
    assert(left.toSet.subsetOf(Set("", "/a", "/a/b", "/a/b/c")))
    Vector("a/b/c", "a/b", "a", "").foreach(folder => Files.deleteIfExists(around.resolve(folder)))
  }

  private def harm(files: MemoryFiles, other: MemoryFiles, random: Random): String = {
    val name = oneOf(files.names, random)
    random.nextInt(5) match {
      case 0 =>
        val second = oneOf(files.names, random)
        val bytes = files.bytes(name)
        files.put(name, files.bytes(second))
        files.put(second, bytes)
        s"$name and $second change places"
      case 1 =>
        val kind = name.dropWhile(_ != '.')
        val foreign = oneOf(other.names.filter(_.endsWith(kind)), random)
        files.put(name, other.bytes(if (other.names.contains(name)) name else foreign))
        s"$name is another store's"
      case _ =>
        files.put(name, new Mutations(random).accident(files.bytes(name)))
        s"$name is altered"
    }
  }

  private def forge(files: MemoryFiles, random: Random): String = {
    val mutations = new Mutations(random)
    val name = oneOf(files.names, random)
    if (name.endsWith(".delta")) files.put(name, mutations.forgedDelta(files.bytes(name)))
    else if (name.endsWith(".snapshot")) files.put(name, mutations.forgedManifest(files.bytes(name)))
    else {
      files.put(name, mutations.accident(files.bytes(name)))
      files.names.filter(_.endsWith(".snapshot")).foreach(recounted(files, _, name))
    }
    s"$name is forged"
  }

  /** The manifest says of the table file what that is now. */
  private def recounted(files: MemoryFiles, manifest: String, table: String): Unit = {
    val read = SnapshotManifest.read(files, manifest)
    val bytes = files.bytes(table)
    val crc = new java.util.zip.CRC32C
    crc.update(bytes)
    val tables = read.tableFiles.map { file =>
      if (file.remoteName == table) file.copy(length = bytes.length.toLong, crc32c = crc.getValue.toInt) else file
    }
    files.put(manifest, read.copy(tableFiles = tables).encode)
  }
}

private object HostileSuite {
  val Versions = 7
  val MostBytes: Long = 64L << 20
  val MostSeconds = 60L
  val MostNanos: Long = 10L * 1000 * 1000 * 1000

  private val threads = ManagementFactory.getThreadMXBean.asInstanceOf[com.sun.management.ThreadMXBean]
  def allocated(): Long = threads.getCurrentThreadAllocatedBytes

  def settings(checkpointIds: Boolean, codec: String = "lz4"): EngineSettings =
    EngineSettings(checkpointIds = checkpointIds, codec = codec, minDeltasForSnapshot = 3, fetchThreads = 2)

  /** A store of some versions, with snapshots in between. */
  def storeOf(codec: String, checkpointIds: Boolean): MemoryFiles = {
    val files = new MemoryFiles
    Using.resource(new EngineUnderTest(files, settings(checkpointIds, codec))) { engine =>
      (1 to Versions).foldLeft(StateVersion.Empty) { (base, i) =>
        val transaction = engine.begin(base)
        operations(i).foreach(_.perform(transaction))
        val next = transaction.commit()
        engine.maintain()
        next
      }
    }
    files
  }

  def versionsOf(files: MemoryFiles): Vector[StateVersion] =
    files.names.filter(_.endsWith(".delta")).flatMap(FileNames.parse).map(_.version).sortBy(_.version)

  def expected(version: Int): Vector[(String, String)] =
    (1 to 12).map(row => f"row$row%02d" -> (s"$row at $version " * 3)).toVector :+
      ("sum" -> (1 to version).map(i => s"+$i").mkString)

  private def operations(i: Int): Seq[Operation] =
    (1 to 12).map(row => Operation.Put(f"row$row%02d", s"$row at $i " * 3)) ++
      Seq(Operation.Merge("sum", s"+$i"), Operation.Put("gone", "x"), Operation.Remove("gone"))

  def oneOf(names: Seq[String], random: Random): String = names(random.nextInt(names.size))

  def newFolder(): Path = {
    val memory = Path.of("/dev/shm")
    if (Files.isWritable(memory)) Files.createTempDirectory(memory, "rockstate-hostile")
    else Files.createTempDirectory("rockstate-hostile")
  }
}
