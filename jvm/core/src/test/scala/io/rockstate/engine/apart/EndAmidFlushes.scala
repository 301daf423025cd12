package io.rockstate.engine.apart

import java.nio.ByteBuffer
import java.nio.file.{Files, Path}

import io.rockstate.db.{LocalDb, NativeMemory, WriteBatches}
import io.rockstate.format.wire.WriteBatchRecords

/** Ends while many databases are written to that share too little memory: RocksDB's threads have flushes to do all the time. Argument: a
  * folder for them.
  */
object EndAmidFlushes {
  private val Databases = 200
  private val Rounds = 10

  def main(arguments: Array[String]): Unit = {
    val memory = NativeMemory.shared(16L << 20)
    val all = (1 to Databases).map { n =>
      LocalDb.open(Files.createDirectories(Path.of(arguments(0)).resolve(s"db-$n")), memory)
    }
    val busy = new Thread(() => Iterator.from(0).foreach(n => all.foreach(write(_, n))))
    busy.setDaemon(true)
    (0 until Rounds).foreach(n => all.foreach(write(_, -n)))
    busy.start()
    Thread.sleep(200)
    System.exit(0)
  }

  private def write(db: LocalDb, n: Int): Unit = {
    val batches = new WriteBatches(db.write)
    (0 until 100).foreach { row =>
      val key = ByteBuffer.allocate(16).putLong(row.toLong * 31).putLong(n.toLong).array
      val record = new Array[Byte](WriteBatchRecords.pairSize(key.length, 100))
      WriteBatchRecords.writePut(record, 0, key, new Array[Byte](100))
      batches.add(record, 0, record.length, 1)
    }
    batches.finish("last".getBytes, Array.emptyByteArray)
  }
}
