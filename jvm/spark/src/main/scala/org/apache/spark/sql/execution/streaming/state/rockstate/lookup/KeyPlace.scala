package org.apache.spark.sql.execution.streaming.state.rockstate.lookup

import java.time.LocalDateTime

import scala.util.Try

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Cast, EvalMode, Literal}
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning
import org.apache.spark.sql.catalyst.util.DateTimeUtils
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{FamilyPlan, SourceCheckpoint, StorePlan}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.{RowPlacement, WholeStores}
import org.apache.spark.sql.types.{AtomicType, DataType, StringType, StructType, TimestampType}
import org.apache.spark.unsafe.types.UTF8String

/** The values that are asked for, and where a query's shuffle puts them. */
private[lookup] final class KeyPlace(source: => SourceCheckpoint, request: KeyRequest, timeZone: String) {

  /** The key's partition, and how many there are. None if Spark does not say how the operator's rows are spread, or not all columns that
    * decide on it are given; whoever reads all rows then is told what is wrong with the checkpoint.
    */
  def partition: Option[(Int, Int)] = Try {
    WholeStores.requireThem()
    Option.when(source.isSpreadByKeys)(placed).flatten
  }.toOption.flatten

  private def placed: Option[(Int, Int)] = {
    val own = source.stores.filter(_._1.operator == request.operator)
    for {
      (plan, partitions) <- own.find(_._1.store == request.store).orElse(own.headOption)
      family <- plan.families.find(family => !(plan.hasColumnFamilies && family.isDefault))
      values <- valuesOf(columns(plan, family))
    } yield (HashPartitioning(values, partitions).partitionIdExpression.eval().asInstanceOf[Int], partitions)
  }

  private def columns(plan: StorePlan, family: FamilyPlan): StructType =
    RowPlacement.partitionKey(plan.operatorName, plan.store, family.schema, plan.details)._1

  /** The values of all columns, if they are given. */
  def valuesOf(columns: StructType, within: String = ""): Option[Seq[Literal]] = {
    val found = columns.flatMap(column => valueOf(within + column.name, column.dataType))
    Option.when(columns.nonEmpty && found.length == columns.length)(found)
  }

  private def valueOf(name: String, dataType: DataType): Option[Literal] = dataType match {
    case struct: StructType =>
      valuesOf(struct, s"$name.").map(fields => Literal(InternalRow.fromSeq(fields.map(_.value)), struct))
    case atomic: AtomicType => request.key.get(name).flatMap(valueOf(_, atomic))
    case _ => None
  }

  /** The value that Spark makes of the text, if no other is shown as it: that might be elsewhere. */
  private def valueOf(text: String, dataType: AtomicType): Option[Literal] = {
    val written = Literal.create(UTF8String.fromString(text), StringType)
    val value = Literal(Cast(written, dataType, Some(timeZone), EvalMode.TRY).eval(), dataType)
    Option.when(value.value != null && !isOfTwo(value))(value)
  }

  /** Whether it is in an hour that comes twice, since a clock is put back. */
  private def isOfTwo(value: Literal): Boolean = value.dataType == TimestampType && {
    val zone = DateTimeUtils.getZoneId(timeZone)
    val local = LocalDateTime.ofInstant(DateTimeUtils.microsToInstant(value.value.asInstanceOf[Long]), zone)
    zone.getRules.getValidOffsets(local).size > 1
  }
}

/** @param batch whose state is read; the last committed one if none is given
  * @param key   columns of the key with their values as Spark casts them; a column within another is called `window.start`
  */
final case class KeyRequest(
    location: String,
    batch: Option[Long],
    operator: Long,
    store: String,
    key: Map[String, String]
)
