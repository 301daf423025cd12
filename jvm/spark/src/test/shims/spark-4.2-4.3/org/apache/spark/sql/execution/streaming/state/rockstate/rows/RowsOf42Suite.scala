package org.apache.spark.sql.execution.streaming.state.rockstate.rows

import org.apache.spark.SparkException
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.codec.{FamilyRows, FamilySchema, RowCodec}
import org.apache.spark.sql.execution.streaming.state.rockstate.provider.{ProviderTest, TestRows}
import org.apache.spark.sql.internal.SQLConf

/** What Spark 4.2 brought for rows: timestamps in keys, checksums. */
class RowsOf42Suite extends ProviderTest {
  import TestRows._

  test("timestamp-encoded keys iterate in the order of their timestamps") {
    val schema = TimestampKeyStateEncoder.keySchemaWithTimestamp(keySchema)
    val attach = TimestampKeyStateEncoder.getAttachTimestampProjection(keySchema)
    def key(time: Long) = TimestampKeyStateEncoder.attachTimestamp(attach, schema, dataToKeyRow("a", 1), time).copy()
    withProvider(encoderSpec = TimestampAsPrefixKeyStateEncoderSpec(schema)) { provider =>
      val store = provider.getStore(0)
      Seq(5L, -3L, 900L, 0L).foreach(time => store.put(key(time), dataToValueRow(1)))
      assert(
        store.iterator().map(pair => TimestampKeyStateEncoder.extractTimestamp(pair.key)).toSeq == Seq(
          -3L,
          0L,
          5L,
          900L
        )
      )
      store.abort()
    }
  }

  test("a value that is altered on the way is caught by its row checksum") {
    val codec = codecWithChecksums(isMultiValued = false)
    val key = codec.keys.encode(dataToKeyRow("a", 1))
    val stored = codec.encodeValue(key, dataToValueRow(7))
    assert(valueRowToData(codec.decodeValue(key, stored)) == 7)
    stored.indices.foreach { i =>
      val altered = stored.clone()
      altered(i) = (altered(i) ^ 1).toByte
      intercept[StateStoreRowChecksumVerificationFailed](codec.decodeValue(key, altered))
    }
    val otherKey = codec.keys.encode(dataToKeyRow("b", 1))
    intercept[StateStoreRowChecksumVerificationFailed](codec.decodeValue(otherKey, stored))
  }

  test("each value of a list has its own row checksum") {
    val codec = codecWithChecksums(isMultiValued = true)
    val key = codec.keys.encode(dataToKeyRow("a", 1))
    val stored = codec.encodeValues(key, Array(7, 8).map(dataToValueRow)) ++ codec.encodeValue(key, dataToValueRow(9))
    assert(codec.decodeValues(key, stored).map(valueRowToData).toSeq == Seq(7, 8, 9))
    stored(stored.length - 1) = (stored.last ^ 1).toByte
    val values = codec.decodeValues(key, stored)
    assert(valueRowToData(values.next()) == 7 && valueRowToData(values.next()) == 8)
    intercept[StateStoreRowChecksumVerificationFailed](values.next())
  }

  test("rows with checksums are refused to who would read them without, and the other way round") {
    val on = SQLConf.STATE_STORE_ROW_CHECKSUM_ENABLED.key -> "true"
    Seq((Map(on), Map.empty[String, String]), (Map.empty[String, String], Map(on))).foreach { case (written, read) =>
      val id = newId()
      withProvider(id, written)(commit(_, 0, ("a", 1) -> 1))
      val refused = intercept[SparkException](withProvider(id, read)(_.getStore(1)))
      assert(refused.getMessage.contains(on._1) && refused.getMessage.contains("1.delta"))
      withProvider(id, written)(provider => assert(get(provider.getReadStore(1), "a", 1).contains(1)))
    }
  }

  private def codecWithChecksums(isMultiValued: Boolean): RowCodec = {
    val conf = new SQLConf
    conf.setConf(SQLConf.STATE_STORE_ROW_CHECKSUM_ENABLED, true)
    conf.setConf(SQLConf.STATE_STORE_ROW_CHECKSUM_READ_VERIFICATION_RATIO, 1L)
    val family = FamilyRows(0, "default", inColumnFamilies = false)
    val schema = FamilySchema(NoPrefixKeyStateEncoderSpec(keySchema), valueSchema, isMultiValued)
    RowCodec(family, schema, new StateStoreConf(conf), None, "a store")
  }
}
