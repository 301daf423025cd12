package org.apache.spark.sql.execution.streaming.state.rockstate.codec

import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.types.StructType

/** How a column family's rows are encoded, as the operator declared it.
  *
  * @param isMultiValued whether a key has a list of values
  */
private[rockstate] final case class FamilySchema(
    encoderSpec: KeyStateEncoderSpec,
    valueSchema: StructType,
    isMultiValued: Boolean
)

/** The row codecs of a provider's column families. Operators declare their families anew in every task, but read stores come without a
  * declaration: what was declared once holds for all later stores of the provider. Safe for several threads.
  */
private[rockstate] final class FamilyCodecs(
    inColumnFamilies: Boolean,
    conf: StateStoreConf,
    avroSchemas: Option[StateSchemaProvider],
    storeName: String
) {
  private val schemas = new ConcurrentHashMap[String, FamilySchema]()
  private val codecs = new ConcurrentHashMap[(Int, String), RowCodec]()

  /** The first declaration of a name holds until it is forgotten. */
  def declare(name: String, schema: FamilySchema): Unit = {
    schemas.putIfAbsent(name, schema)
    ()
  }

  def forget(name: String): Unit = {
    schemas.remove(name)
    codecs.keySet.removeIf(_._2 == name)
    ()
  }

  /** The codec of a family under the id that the transaction at hand knows it by; none if it was never declared. */
  def codec(name: String, id: Int): Option[RowCodec] = Option(schemas.get(name)).map { schema =>
    codecs.computeIfAbsent((id, name), _ => newCodec(FamilyRows(id, name, inColumnFamilies), schema))
  }

  private def newCodec(family: FamilyRows, schema: FamilySchema): RowCodec =
    RowCodec(family, schema, conf, avroSchemas, storeName)
}
