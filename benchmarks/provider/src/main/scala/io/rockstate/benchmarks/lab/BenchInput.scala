package io.rockstate.benchmarks.lab

import java.io.{EOFException, FileNotFoundException}
import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.file.{NoSuchFileException, Path}

import org.apache.hadoop.fs.FSInputStream

/** A local file as Hadoop reads it; not buffered. `FileNotFoundException` if it is not there. */
private final class BenchInput(file: Path) extends FSInputStream {
  private val channel =
    try FileChannel.open(file)
    catch { case _: NoSuchFileException => throw new FileNotFoundException(file.toString) }

  override def read(): Int = {
    val one = new Array[Byte](1)
    if (read(one, 0, 1) < 0) -1 else one(0) & 0xff
  }

  override def read(into: Array[Byte], offset: Int, length: Int): Int = {
    val count = channel.read(ByteBuffer.wrap(into, offset, length))
    if (count > 0) StorageCounters.readBytes(count.toLong)
    count
  }

  override def available(): Int = math.min(channel.size - channel.position, Int.MaxValue.toLong).toInt
  override def getPos: Long = channel.position
  override def seekToNewSource(target: Long): Boolean = false

  override def seek(target: Long): Unit = {
    if (target < 0 || target > channel.size) throw new EOFException(s"seek to $target of ${channel.size}")
    channel.position(target)
    ()
  }

  override def close(): Unit = channel.close()
}
