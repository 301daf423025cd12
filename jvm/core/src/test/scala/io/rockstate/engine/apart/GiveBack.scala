package io.rockstate.engine.apart

import java.nio.file.{Files, Paths}

import scala.jdk.CollectionConverters._

import org.rocksdb.WriteBatch

import io.rockstate.db.NativeMemory
import io.rockstate.engine.StateEngine
import io.rockstate.engine.api.EngineSettings
import io.rockstate.engine.memory.{HeapMemory, SharedMemory}
import io.rockstate.folders.StoreFolder
import io.rockstate.testkit.MemoryFiles

/** Frees native memory, and prints what the process holds before and after a store's maintenance. */
object GiveBack {
  val FreedBytes: Long = 200L << 20
  val Line = "held (\\d+) (\\d+)".r

  private val BatchBytes = 40 << 10

  def main(arguments: Array[String]): Unit = {
    val memory = SharedMemory(NativeMemory.shared(16L << 20), new HeapMemory(0))
    val engine = StateEngine.open(
      new MemoryFiles,
      StoreFolder.passing(Paths.get(arguments(0)).resolve("store")),
      EngineSettings(),
      memory
    )
    val batches = Vector.fill((FreedBytes / BatchBytes).toInt)(new WriteBatch(new Array[Byte](BatchBytes)))
    batches.init.foreach(_.close()) // the last one keeps the allocator from shrinking by itself
    val before = residentBytes
    engine.maintain()
    val after = residentBytes
    println(s"held $before $after")
    batches.last.close()
    engine.close()
  }

  private def residentBytes: Long =
    Files.readAllLines(Paths.get("/proc/self/status")).asScala.collectFirst { case Resident(kb) => kb.toLong << 10 }.get

  private val Resident = """VmRSS:\s+(\d+) kB""".r
}
