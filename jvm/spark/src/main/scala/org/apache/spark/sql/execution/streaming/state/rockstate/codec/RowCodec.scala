package org.apache.spark.sql.execution.streaming.state.rockstate.codec

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.RowChecksum

import io.rockstate.errors.Unsupported

/** Rows of one column family as the engine's bytes and back. Decoded rows are fresh and stay valid. Safe for several threads. */
private[rockstate] sealed abstract class RowCodec(
    val keys: KeyCodec,
    values: ValueCodec,
    checksum: Option[RowChecksum]
) {

  /** Whether a key has a list of values. */
  def isMultiValued: Boolean

  /** What is stored for a key with this one value. */
  def encodeValue(engineKey: Array[Byte], value: UnsafeRow): Array[Byte]

  /** What is stored for a key with these values, and what appends them to a key's; only of a multi-valued family. */
  def encodeValues(engineKey: Array[Byte], list: Array[UnsafeRow]): Array[Byte]

  /** The key's value, the first of several, or null if there is none. */
  def decodeValue(engineKey: Array[Byte], stored: Array[Byte]): UnsafeRow

  /** The key's values in the order in which they were added; none for null bytes. Only of a multi-valued family. */
  def decodeValues(engineKey: Array[Byte], stored: Array[Byte]): Iterator[UnsafeRow]

  protected final def encodeOne(engineKey: Array[Byte], value: UnsafeRow): Array[Byte] = {
    val bytes = values.encode(value)
    checksum match {
      case None => bytes
      case Some(sum) => sum.add(engineKey, bytes)
    }
  }

  protected final def decodeOne(engineKey: Array[Byte], stored: Array[Byte], from: Int, until: Int): UnsafeRow = {
    val start = checksum match {
      case None => from
      case Some(sum) => sum.verify(engineKey, stored, from, until)
    }
    values.decode(stored, start, until)
  }
}

/** One value for a key, stored as it is. */
private[rockstate] final class SingleRowCodec(keys: KeyCodec, values: ValueCodec, checksum: Option[RowChecksum])
    extends RowCodec(keys, values, checksum) {
  override def isMultiValued: Boolean = false

  override def encodeValue(engineKey: Array[Byte], value: UnsafeRow): Array[Byte] = encodeOne(engineKey, value)

  override def decodeValue(engineKey: Array[Byte], stored: Array[Byte]): UnsafeRow =
    if (stored == null) null else decodeOne(engineKey, stored, 0, stored.length)

  override def encodeValues(engineKey: Array[Byte], list: Array[UnsafeRow]): Array[Byte] = refuse()
  override def decodeValues(engineKey: Array[Byte], stored: Array[Byte]): Iterator[UnsafeRow] = refuse()

  private def refuse(): Nothing = throw new IllegalStateException("The column family has one value per key")
}

/** A list of values for a key. Each is stored after its length (four bytes, big-endian), so that lists can be appended to each other. */
private[rockstate] final class ListRowCodec(keys: KeyCodec, values: ValueCodec, checksum: Option[RowChecksum])
    extends RowCodec(keys, values, checksum) {
  import ListRowCodec._

  override def isMultiValued: Boolean = true

  override def encodeValue(engineKey: Array[Byte], value: UnsafeRow): Array[Byte] =
    encodeValues(engineKey, Array(value))

  override def encodeValues(engineKey: Array[Byte], list: Array[UnsafeRow]): Array[Byte] = {
    requireSize(list.iterator.map(_.getSizeInBytes.toLong + LengthBytes).sum)
    val encoded = list.map(encodeOne(engineKey, _))
    val stored = java.nio.ByteBuffer.allocate(encoded.map(_.length + LengthBytes).sum)
    encoded.foreach(bytes => stored.putInt(bytes.length).put(bytes))
    stored.array
  }

  override def decodeValue(engineKey: Array[Byte], stored: Array[Byte]): UnsafeRow =
    decodeValues(engineKey, stored).nextOption().orNull

  override def decodeValues(engineKey: Array[Byte], stored: Array[Byte]): Iterator[UnsafeRow] =
    if (stored == null) Iterator.empty
    else
      new Iterator[UnsafeRow] {
        private val lengths = java.nio.ByteBuffer.wrap(stored)
        private var at = 0

        override def hasNext: Boolean = at < stored.length

        override def next(): UnsafeRow = {
          if (!hasNext) throw new NoSuchElementException("The key has no more values")
          val start = at + LengthBytes
          at = start + lengths.getInt(at)
          decodeOne(engineKey, stored, start, at)
        }
      }
}

private object ListRowCodec {

  /** Before they are encoded, which takes as much again; the engine looks at what the row takes in the end. */
  private def requireSize(bytes: Long): Unit = if (bytes > (1 << 30))
    throw new Unsupported(
      s"A list with $bytes bytes of values",
      "All values of a key together have at most 1 GiB: store less per key."
    )

  val LengthBytes = 4
}

private[rockstate] object RowCodec {

  /** @param family        which column family the codec is for
    * @param schema        how its rows look
    * @param schemas       where Avro's writer schemas come from
    * @param verifierOwner the store's name in checksum errors
    */
  def apply(
      family: FamilyRows,
      schema: FamilySchema,
      conf: StateStoreConf,
      schemas: Option[StateSchemaProvider],
      verifierOwner: String
  ): RowCodec = {
    val FamilySchema(encoderSpec, valueSchema, isMultiValued) = schema
    val isPlain = conf.stateStoreEncodingFormat == StateStoreEncoding.UnsafeRow.toString
    val data: RocksDBDataEncoder =
      if (isPlain) new UnsafeRowDataEncoder(encoderSpec, valueSchema)
      else new AvroStateEncoder(encoderSpec, valueSchema, schemas, family.name)
    def sparkEncoder = encoderSpec.toEncoder(data, family.inColumnFamilies)
    val keys = encoderSpec match {
      case NoPrefixKeyStateEncoderSpec(keySchema) if isPlain => new PlainKeyCodec(family.id, keySchema.length)
      case PrefixKeyScanStateEncoderSpec(keySchema, prefixFields) if isPlain =>
        new PrefixKeyCodec(family.id, sparkEncoder, keySchema, prefixFields)
      case range: RangeKeyScanStateEncoderSpec if isPlain && RangeKeyCodec.isFor(range) =>
        new RangeKeyCodec(family.id, sparkEncoder, range.keySchema, range.orderingOrdinals.size)
      case _ => new SparkKeyCodec(family.id, sparkEncoder, data)
    }
    val values =
      if (isPlain) new PlainValueCodec(valueSchema.length)
      else new SparkValueCodec(new SingleValueStateEncoder(data, valueSchema), data)
    val checksum = RowChecksum.of(conf, verifierOwner)
    if (isMultiValued) new ListRowCodec(keys, values, checksum) else new SingleRowCodec(keys, values, checksum)
  }
}

/** Which column family a codec is for, and whether the operator works with several. */
private[rockstate] final case class FamilyRows(id: Int, name: String, inColumnFamilies: Boolean)
