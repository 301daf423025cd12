package org.apache.spark.sql.execution.streaming.state.rockstate.lookup

import scala.util.{Try, Using}

import org.apache.spark.SparkConf
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{InterpretedUnsafeProjection, Literal, UnsafeRow}
import org.apache.spark.sql.catalyst.util.UnsafeRowUtils
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderClass
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.Inspection
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{SourceCheckpoint, StateSide, StoreRows}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{DataType, DoubleType, FloatType, StructType}

/** The row of a whole key, from its store: to start a session and run a query takes several times as long.
  *
  * @param jsonFormats options of Spark's JSON writer, if the row is wanted as JSON and not as a table
  */
final class KeyRow(request: KeyRequest, jsonFormats: Option[Map[String, String]]) {
  private lazy val hadoopConf = Inspection.hadoopConf()
  private lazy val conf = KeyRow.conf()
  private lazy val source = new SourceCheckpoint(request.location, request.batch, hadoopConf)
  private lazy val place = new KeyPlace(source, request, conf.sessionLocalTimeZone)

  /** As Spark's state data source would print it, by `text`. Empty if that is for a session to say: it knows more of all that is in doubt, and
    * of what is wrong.
    */
  def printed: Map[String, String] = Try(SQLConf.withExistingConf(conf)(found)).toOption.flatten.map("text" -> _).toMap

  private def found: Option[String] = for {
    (partition, _) <- place.partition if ProviderClass.isOurs(source.provider)
    plan <- source.stores.map(_._1).find(plan => plan.operator == request.operator && plan.store == request.store)
    schema <- plan.families.headOption.map(_.schema) if !plan.hasColumnFamilies
    values <- place.valuesOf(schema.keySchema) if isWhole(schema.keySchema)
  } yield {
    val key = KeyRow.rowOf(values)
    val value = Using.resource(new StoreRows(plan, partition, StateSide.read(source, conf), hadoopConf))(_.valueOf(key))
    val rows = value.map(InternalRow(key, _, partition))
    new RowText(schema.keySchema, schema.valueSchema, conf.sessionLocalTimeZone, jsonFormats).of(rows)
  }

  /** Whether no column is asked for that the key does not have, and a key that equals it in SQL has its bytes. */
  private def isWhole(key: StructType): Boolean =
    KeyRow.leaves(key).length == request.key.size && KeyRow.leaves(key).forall(KeyRow.hasOneForm)
}

private object KeyRow {

  /** That of the session that there is; else what Spark was started with, which one would have. */
  private def conf(): SQLConf = SparkSession.getDefaultSession.fold {
    val conf = new SQLConf
    new SparkConf().getAll.foreach { case (key, value) => conf.setConfString(key, value) }
    conf
  }(_.sessionState.conf.clone())

  private def leaves(of: StructType): Seq[DataType] = of.flatMap(_.dataType match {
    case struct: StructType => leaves(struct)
    case leaf => Seq(leaf)
  })

  /** 0.0 and -0.0 are one, as are texts that a collation takes for one. */
  private def hasOneForm(leaf: DataType): Boolean =
    leaf != DoubleType && leaf != FloatType && UnsafeRowUtils.isBinaryStable(leaf)

  private def rowOf(values: Seq[Literal]): UnsafeRow = InterpretedUnsafeProjection.createProjection(values)(null).copy()
}
