package io.rockstate.engine.apart

import java.nio.file.Paths

import scala.util.{Failure, Random, Success, Try}

import io.rockstate.db.NativeMemory
import io.rockstate.engine.StateEngine
import io.rockstate.engine.api.{EngineSettings, Transaction}
import io.rockstate.engine.memory.{HeapMemory, SharedMemory}
import io.rockstate.folders.StoreFolder
import io.rockstate.testkit.{EngineUnderTest, MemoryFiles}
import io.rockstate.testkit.Rows._
import io.rockstate.versions.StateVersion

/** Recovers 60 MB of state again and again on a disk that is too small for it, with and without heap for layers, and then writes as much anew;
  * prints what comes of it. Argument: a folder on that disk.
  */
object FullDisk {
  private val Batches = 100
  private val settings = EngineSettings(checkpointIds = true)

  def main(arguments: Array[String]): Unit = {
    val files = new MemoryFiles
    val last = write(files)
    (1 to 7).foreach { n =>
      val memory = SharedMemory(NativeMemory.shared(64L << 20), new HeapMemory(if (n % 2 == 0) 8L << 20 else 0))
      val engine =
        StateEngine.open(files, StoreFolder.passing(Paths.get(arguments(0)).resolve(s"store-$n")), settings, memory)
      Try(if (n <= 6) recovered(engine, last) else writtenAnew(engine)) match {
        case Success(rows) => println(s"outcome $rows rows")
        case Failure(e) => println(s"outcome ${e.getClass.getSimpleName}: ${e.getMessage}")
      }
      engine.close()
    }
  }

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
