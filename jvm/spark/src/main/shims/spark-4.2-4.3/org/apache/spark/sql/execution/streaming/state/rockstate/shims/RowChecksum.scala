package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.spark.sql.execution.streaming.state.{
  ArrayIndexRange,
  KeyValueChecksum,
  KeyValueChecksumEncoder,
  KeyValueIntegrityVerifier,
  StateStoreConf
}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.unsafe.Platform

/** Spark's row checksum (`spark.sql.streaming.stateStore.rowChecksum.enabled`): CRC32C over engine key and value bytes, stored in the four
  * bytes before the value.
  *
  * @param verifier checks what is read, as often as `rowChecksum.readVerificationRatio` says; none if that is 0
  */
private[rockstate] final class RowChecksum(verifier: Option[KeyValueIntegrityVerifier]) {

  def add(engineKey: Array[Byte], value: Array[Byte]): Array[Byte] =
    KeyValueChecksumEncoder.encodeSingleValueRowWithChecksum(value, KeyValueChecksum.create(engineKey, Some(value)))

  /** The index at which the value starts that `add` made the bytes between these indexes of; throws Spark's checksum error if they are
    * not what was written.
    */
  def verify(engineKey: Array[Byte], stored: Array[Byte], from: Int, until: Int): Int = {
    val start = from + Integer.BYTES
    val expected = Platform.getInt(stored, Platform.BYTE_ARRAY_OFFSET + from)
    val value = ArrayIndexRange(stored, start, until)
    verifier.foreach(_.verify(ArrayIndexRange(engineKey, 0, engineKey.length), Some(value), expected))
    start
  }
}

private[rockstate] object RowChecksum {

  /** What a checksum makes of the layout of rows, as `key=value`. */
  def layout(conf: StateStoreConf): Vector[String] =
    if (conf.rowChecksumEnabled) Vector(s"${SQLConf.STATE_STORE_ROW_CHECKSUM_ENABLED.key}=true") else Vector.empty

  /** None if the conf does not ask for it.
    *
    * @param owner the store's name in checksum errors
    */
  def of(conf: StateStoreConf, owner: String): Option[RowChecksum] =
    Option.when(conf.rowChecksumEnabled) {
      val ratio = conf.rowChecksumReadVerificationRatio
      new RowChecksum(KeyValueIntegrityVerifier.create(owner, rowChecksumEnabled = true, ratio))
    }
}
