package io.rockstate.format.wire

import java.io.BufferedInputStream
import java.nio.ByteBuffer

import io.rockstate.files.RemoteInput

/** Reads a file from start to end and never past it: a length is held against what is left before anything is allocated. */
private[format] final class CheckedInput(input: RemoteInput, damage: Damage) extends AutoCloseable {
  private val stream = new BufferedInputStream(input.stream)
  private var left = input.length

  def i32(): Int = ByteBuffer.wrap(bytes(Integer.BYTES)).getInt

  def bytes(length: Int): Array[Byte] = {
    if (length < 0 || length > left)
      throw damage(
        s"it ends too early or a length is wrong: $length bytes are announced at byte ${input.length - left} of $total"
      )
    val read = stream.readNBytes(length)
    left -= read.length
    if (read.length < length) throw damage(s"it has only ${input.length - left} of its $total bytes")
    read
  }

  /** The bytes of a [[Section]] and its checksum, verified. */
  def section(what: String): (Array[Byte], Int) = {
    val length = i32()
    val checksum = i32()
    val content = bytes(length)
    if (Section.checksum(content) != checksum) throw damage(s"the checksum of its $what does not match")
    (content, checksum)
  }

  def requireEnd(): Unit =
    if (left > 0 || stream.read() >= 0)
      throw damage(s"something follows its end, from byte ${input.length - left} on")

  private def total: String = if (input.length == RemoteInput.UnknownLength) "(unknown)" else input.length.toString

  override def close(): Unit = input.close()
}
