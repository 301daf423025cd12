package io.rockstate.engine.layers

import java.nio.charset.StandardCharsets.ISO_8859_1

import org.scalacheck.Gen

import io.rockstate.engine.records.{KeyHash, KeyedRecords}
import io.rockstate.format.delta.DeltaFrame
import io.rockstate.format.wire.{RecordCursor, WriteBatchRecords}

/** A write of a row, for suites. Keys and values are strings of one byte per character, which sort as their unsigned bytes do. */
sealed abstract class Write {
  def key: String

  /** What it makes of the row's value. */
  def on(value: Option[String]): Option[String]

  /** The one write that does what this one and then `next`, to the same row, do. */
  def and(next: Write): Write

  def record: Array[Byte]

  protected final def pair(write: (Array[Byte], Int, Array[Byte], Array[Byte]) => Int, value: String): Array[Byte] = {
    val bytes = new Array[Byte](WriteBatchRecords.pairSize(key.length, value.length))
    write(bytes, 0, key.getBytes(ISO_8859_1), value.getBytes(ISO_8859_1))
    bytes
  }
}

final case class Put(key: String, value: String) extends Write {
  override def on(before: Option[String]): Option[String] = Some(value)
  override def and(next: Write): Write = next match {
    case Merge(_, operand) => Put(key, value + operand)
    case _ => next
  }
  override def record: Array[Byte] = pair(WriteBatchRecords.writePut, value)
}

final case class Merge(key: String, operand: String) extends Write {
  override def on(before: Option[String]): Option[String] = Some(before.getOrElse("") + operand)
  override def and(next: Write): Write = next match {
    case Merge(_, more) => Merge(key, operand + more)
    case _ => next
  }
  override def record: Array[Byte] = pair(WriteBatchRecords.writeMerge, operand)
}

final case class Removal(key: String) extends Write {
  override def on(before: Option[String]): Option[String] = None
  override def and(next: Write): Write = next match {
    case Merge(_, operand) => Put(key, operand)
    case _ => next
  }
  override def record: Array[Byte] = {
    val bytes = new Array[Byte](WriteBatchRecords.deleteSize(key.length))
    WriteBatchRecords.writeDelete(bytes, 0, key.getBytes(ISO_8859_1))
    bytes
  }
}

object Write {

  /** Few keys, so that they are written again; bytes of both signs; some are beginnings of others. */
  val keys: Gen[String] = Gen.choose(0, 3).flatMap(Gen.listOfN(_, Gen.oneOf('\u0000', 'a', '\u00ff'))).map(_.mkString)

  /** Key, value and kind of a write, for `of`: plain values, which show whole where a suite fails. */
  val gen: Gen[(String, String, Int)] = for {
    key <- keys
    value <- Gen.choose(0, 9).flatMap(Gen.listOfN(_, Gen.alphaNumChar)).map(_.mkString)
    kind <- Gen.choose(0, 2)
  } yield (key, value, kind)

  def of(drawn: Seq[(String, String, Int)]): List[Write] = drawn.toList.map {
    case (key, value, 0) => Put(key, value)
    case (key, value, 1) => Merge(key, value)
    case (key, _, _) => Removal(key)
  }

  def frame(writes: Seq[Write]): DeltaFrame = new DeltaFrame(writes.toArray.flatMap(_.record), writes.size)

  /** A layer of these writes, in several frames. */
  def layer(writes: Seq[Write]): ChangeLayer = DeltaLayer.of(writes.grouped(5).map(frame).toVector, "of a suite").get

  /** Adds its record to those of a transaction. */
  def add(changes: KeyedRecords, write: Write): Unit = {
    val record = write.record
    val cursor = new RecordCursor(record, 0, record.length, "of a suite")
    cursor.next()
    val hash = KeyHash.of(cursor.key)
    val found = changes.find(cursor.key, hash)
    val id = if (found >= 0) found else changes.addKey(record, cursor.keyOffset, cursor.keyLength, hash)
    changes.add(id, record, 0, record.length, if (write.isInstanceOf[Removal]) -1 else cursor.valueOffset)
  }

  /** What the writes, one after the other, do to each row. */
  def net(writes: Seq[Write]): Map[String, Write] =
    writes.groupBy(_.key).map { case (key, ofKey) => key -> ofKey.reduce(_ and _) }

  /** The rows that the writes make of others. */
  def rowsAfter(rows: Map[String, String], writes: Seq[Write]): Map[String, String] =
    writes.foldLeft(rows)((before, write) => before.updatedWith(write.key)(write.on))

  def text(bytes: Array[Byte]): String = new String(bytes, ISO_8859_1)
  def bytes(text: String): Array[Byte] = text.getBytes(ISO_8859_1)
}
