package io.rockstate.format.wire

import java.nio.{BufferUnderflowException, ByteBuffer}
import java.nio.charset.StandardCharsets.UTF_8

import io.rockstate.versions.RowLayout

/** Reads back what a `FieldWriter` wrote. Every length is held against what is left before anything is allocated. */
private[format] final class FieldReader(bytes: Array[Byte], damage: Damage) {
  private val fields = ByteBuffer.wrap(bytes)

  def u8(): Int = read(fields.get & 0xff)
  def u16(): Int = read(fields.getShort & 0xffff)
  def i32(): Int = read(fields.getInt)
  def i64(): Long = read(fields.getLong)

  def text(): String = new String(take(u16()), UTF_8)

  def block(): Array[Byte] = take(i32())

  /** A number of rows, bytes or the like: never below zero. */
  def count(): Long = {
    val value = i64()
    if (value < 0) throw damage(s"a count is negative ($value)")
    value
  }

  /** As many elements as an i32 says, each of which takes at least one byte. */
  def many[A](element: => A): Vector[A] = {
    val size = i32()
    if (size < 0 || size > fields.remaining)
      throw damage(s"it announces $size entries where ${fields.remaining} bytes are left")
    Vector.fill(size)(element)
  }

  def layout(formatVersion: Int): RowLayout =
    if (FileHeader.hasLayout(formatVersion)) RowLayout(many(text())) else RowLayout.Plain

  def requireEnd(): Unit =
    if (fields.hasRemaining) throw damage(s"${fields.remaining} bytes follow its last field")

  private def take(length: Int): Array[Byte] = {
    if (length < 0 || length > fields.remaining)
      throw damage(s"a field announces $length bytes where ${fields.remaining} are left")
    val taken = new Array[Byte](length)
    fields.get(taken)
    taken
  }

  private def read[A](field: => A): A =
    try field
    catch { case e: BufferUnderflowException => throw damage("its fields end too early", e) }
}
