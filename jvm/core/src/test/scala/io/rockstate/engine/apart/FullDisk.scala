package io.rockstate.engine.apart

import java.nio.file.{Files, Path, Paths}

import scala.util.{Failure, Random, Success, Try, Using}

import io.rockstate.db.NativeMemory
import io.rockstate.engine.StateEngine
import io.rockstate.engine.api.{EngineSettings, Transaction}
import io.rockstate.engine.memory.{HeapMemory, SharedMemory}
import io.rockstate.folders.{MachineFolders, MachineStart, StoreFolder}
import io.rockstate.testkit.{EngineUnderTest, MemoryFiles}
import io.rockstate.testkit.Rows._
import io.rockstate.versions.StateVersion

/** Recovers 60 MB of state again and again on a disk that is too small for it, with and without heap for layers, and then writes as much anew;
  * prints what comes of it; and opens stores where another one has left all that the disk holds. Argument: a folder on that disk.
  */
object FullDisk {
  private val Batches = 100
  private val settings = EngineSettings(checkpointIds = true)

  def main(arguments: Array[String]): Unit = {
    val files = new MemoryFiles
    val last = write(files)
    (1 to 7).foreach { n =>
      val folder = StoreFolder.passing(Paths.get(arguments(0)).resolve(s"store-$n"))
      val engine = StateEngine.open(files, folder, settings, memoryOf(if (n % 2 == 0) 8L << 20 else 0))
      Try(if (n <= 6) recovered(engine, last) else writtenAnew(engine)) match {
        case Success(rows) => println(s"outcome $rows rows")
        case Failure(e) => println(s"outcome ${e.getClass.getSimpleName}: ${e.getMessage}")
      }
      engine.close()
    }
    println(s"a store's own database is ${openedOnFullDisk(Paths.get(arguments(0)).resolve("own"))}")
    println(s"a store's folder is ${openedBesideLeft(Paths.get(arguments(0)).resolve("machine"))}")
  }

  /** Opens a store that has left its database where what another store has left and a foreign file fill the disk. */
  private def openedOnFullDisk(root: Path): String = {
    val (files, folders) = (new MemoryFiles, MachineFolders.in(root, Long.MaxValue, MachineStart("now", None)))
    def attempt[T](body: StateEngine => T): Try[T] = {
      val engine = StateEngine.open(files, folders.open("own"), settings, memoryOf(0))
      try Try(body(engine))
      finally engine.close()
    }
    val one = attempt { engine =>
      val transaction = engine.begin(StateVersion.Empty)
      transaction.put(key("row"), key("1"))
      transaction.commit()
    }.get
    val foreign = fillBesideLeft(folders, root, "other", 2 << 20)
    val restarts = attempt { engine =>
      val transaction = engine.begin(one)
      try transaction.metrics.recovery.warmRestarts
      finally transaction.abort()
    }
    Files.delete(foreign)
    if (restarts.toOption.contains(1L)) "used" else s"not used: $restarts"
  }

  /** Opens a store's folder, and then an empty store in it, each where what another one has left and a foreign file fill the disk. */
  private def openedBesideLeft(root: Path): String = {
    val folders = MachineFolders.in(root, Long.MaxValue, MachineStart("now", None))
    fillBesideLeft(folders, root, "first", 2 << 20)
    val second = folders.open("second")
    fillBesideLeft(folders, root, "third", 512 << 10)
    val engine = StateEngine.open(new MemoryFiles, second, settings, memoryOf(0))
    val attempts = Seq.fill(2)(Try(engine.begin(StateVersion.Empty).abort()))
    engine.close()
    if (attempts.last.isSuccess) "opened" else s"not opened: $attempts"
  }

  /** Has a store leave so many bytes, and a foreign file take what the disk has beside; that is returned. */
  private def fillBesideLeft(folders: MachineFolders, root: Path, store: String, bytes: Int): Path = {
    val left = folders.open(store)
    Files.write(left.path.resolve("rows"), new Array[Byte](bytes))
    left.keep()
    val foreign = root.resolveSibling(s"beside-$store")
    Using.resource(Files.newOutputStream(foreign))(out => Try(while (true) out.write(new Array[Byte](4096)))): Unit
    foreign
  }

  private def memoryOf(heapBytes: Long) = SharedMemory(NativeMemory.shared(64L << 20), new HeapMemory(heapBytes))

  private def recovered(engine: StateEngine, version: StateVersion): Long = {
    val transaction = engine.begin(version)
    try transaction.metrics.rows
    finally transaction.abort()
  }

  private def writtenAnew(engine: StateEngine): Long = {
    val transaction = engine.beginEmpty(StateVersion.Empty)
    try {
      fill(transaction, Batches)
      transaction.commit()
      transaction.metrics.rows
    } finally if (!transaction.hasCommitted) transaction.abort()
  }

  private def fill(transaction: Transaction, batches: Int): Unit = {
    val random = new Random(5)
    for (batch <- 1 to batches; i <- 1 to 3000) transaction.put(key(s"row$batch-$i"), random.nextBytes(200))
  }

  private def write(files: MemoryFiles): StateVersion = {
    val random = new Random(5)
    val engine = new EngineUnderTest(files, settings)
    try
      (1 to Batches).foldLeft(StateVersion.Empty) { (base, batch) =>
        val transaction = engine.begin(base)
        (1 to 3000).foreach(i => transaction.put(key(s"row$batch-$i"), random.nextBytes(200)))
        transaction.commit()
      }
    finally engine.close()
  }
}
