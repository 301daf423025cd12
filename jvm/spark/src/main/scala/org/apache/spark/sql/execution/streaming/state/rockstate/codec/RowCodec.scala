package org.apache.spark.sql.execution.streaming.state.rockstate.codec

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.types.StructType

/** Rows of one column family as the engine's bytes and back. Decoded rows are fresh and stay valid. Safe for several threads. */
private[rockstate] final class RowCodec(val keys: KeyCodec, values: ValueCodec, checksum: Option[RowChecksum]) {

  def encodeValue(engineKey: Array[Byte], value: UnsafeRow): Array[Byte] = {
    val bytes = values.encode(value)
    checksum match {
      case None => bytes
      case Some(sum) => sum.add(engineKey, bytes)
    }
  }

  /** The value row, or null for null bytes. */
  def decodeValue(engineKey: Array[Byte], bytes: Array[Byte]): UnsafeRow =
    if (bytes == null) null
    else {
      val at = checksum match {
        case None => 0
        case Some(sum) => sum.verify(engineKey, bytes)
      }
      values.decode(bytes, at)
    }
}

private[rockstate] object RowCodec {

  /** @param family       the column family's id
    * @param encoderSpec   how the operator wants keys encoded, with their schema
    * @param schemas       where Avro's writer schemas come from
    * @param verifierOwner the store's name in checksum errors
    */
  def apply(
      family: FamilyRows,
      encoderSpec: KeyStateEncoderSpec,
      valueSchema: StructType,
      conf: StateStoreConf,
      schemas: Option[StateSchemaProvider],
      verifierOwner: String
  ): RowCodec = {
    val isPlain = conf.stateStoreEncodingFormat == StateStoreEncoding.UnsafeRow.toString
    val data: RocksDBDataEncoder =
      if (isPlain) new UnsafeRowDataEncoder(encoderSpec, valueSchema)
      else new AvroStateEncoder(encoderSpec, valueSchema, schemas, family.name)
    val keys = encoderSpec match {
      case NoPrefixKeyStateEncoderSpec(schema) if isPlain => new PlainKeyCodec(family.id, schema.length)
      case spec => new SparkKeyCodec(family.id, spec.toEncoder(data, family.inColumnFamilies))
    }
    val values =
      if (isPlain) new PlainValueCodec(valueSchema.length)
      else new SparkValueCodec(new SingleValueStateEncoder(data, valueSchema))
    new RowCodec(keys, values, checksumOf(conf, verifierOwner))
  }

  private def checksumOf(conf: StateStoreConf, owner: String): Option[RowChecksum] =
    if (!conf.rowChecksumEnabled) None
    else {
      val ratio = conf.rowChecksumReadVerificationRatio
      Some(new RowChecksum(KeyValueIntegrityVerifier.create(owner, rowChecksumEnabled = true, ratio)))
    }
}

/** Which column family a codec is for, and whether the operator works with several. */
private[rockstate] final case class FamilyRows(id: Int, name: String, inColumnFamilies: Boolean)
