package org.apache.spark.sql.execution.streaming.state.rockstate.exporting

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.streaming.state.{
  NoPrefixKeyStateEncoderSpec,
  StateStoreColFamilySchema,
  UnsafeRowPair
}
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{FamilyPlan, StorePlan, StoreRow}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.OperatorDetails
import org.apache.spark.sql.types._

class TableSuite extends AnyFunSuite {
  private val key = new StructType().add("a", LongType, nullable = false)
  private val void = new StructType().add("nothing", NullType).add("empty", new StructType())

  private def family(name: String, key: StructType, value: StructType, isMultiValued: Boolean = false): FamilyPlan = {
    val schema = StateStoreColFamilySchema(name, 0, key, 0, value)
    FamilyPlan(schema, NoPrefixKeyStateEncoderSpec(key), isMultiValued)
  }

  private def tables(families: FamilyPlan*): Vector[Table] =
    Table.of(StorePlan(3, "an/operator", "a store", 0, families.toVector, None, OperatorDetails(None, None)))

  private def names(columns: String*): Vector[String] = {
    val value = columns.foldLeft(new StructType())(_.add(_, LongType))
    val schema = new Columns(family("default", key, value)).schema
    schema("value").dataType.asInstanceOf[StructType].fieldNames.toVector
  }

  private def row(of: StructType, cells: Any*): UnsafeRow =
    UnsafeProjection.create(of)(InternalRow.fromSeq(cells)).copy()

  test("no two fields of a struct have one name, in whatever case") {
    assert(names("sum", "sum", "sum") == Vector("sum", "sum_2", "sum_3"))
    assert(names("a", "A", "b") == Vector("a", "A_2", "b"))
    assert(names("sum", "sum", "Sum_2", "sum") == Vector("sum", "sum_3", "Sum_2", "sum_4"))
  }

  test("fields without a type are left out, and structs of nothing else") {
    val columns = new Columns(family("default", key, void))
    assert(columns.schema.fieldNames.toVector == Vector("key", "partition_id"))
    assert(columns.leftOut == Vector("value.nothing", "value.empty"))
    val cells =
      columns.rows(7)(StoreRow(family("default", key, void), pair(row(key, 5L), row(void, null, null)), false))
    assert(cells.numFields == 2 && cells.getStruct(0, 1).getLong(0) == 5 && cells.getInt(1) == 7)
  }

  test("what is beside them stays what it is") {
    val mixed = new StructType().add("x", NullType).add("n", LongType).add("text", StringType)
    val of = family("default", key, mixed)
    val columns = new Columns(of)
    val cells = columns.rows(1)(StoreRow(of, pair(row(key, 5L), row(mixed, null, 8L, null)), false))
    assert(columns.leftOut == Vector("value.x"))
    val value = cells.getStruct(1, 2)
    assert(value.getLong(0) == 8 && value.isNullAt(1))
  }

  test("a value of a list has its position") {
    val of = family("list", key, key, isMultiValued = true)
    val rows = new Columns(of).rows(0)
    val positions = Seq(false, true, true, false, true).map { isNext =>
      rows(StoreRow(of, pair(row(key, 1L), row(key, 2L)), isNext)).getLong(2)
    }
    assert(positions == Seq(0, 1, 2, 0, 1))
  }

  test("a field that is never null to its operator may be null in a file") {
    assert(new Columns(family("default", key, key)).schema.forall(_.nullable))
    assert(new Columns(family("default", key, key)).schema("key").dataType.asInstanceOf[StructType].forall(_.nullable))
  }

  test("each column family has a folder where there are several") {
    assert(tables(family("default", key, key)).map(_.path) == Vector("3-an%2Foperator/a%20store"))
    assert(
      tables(family("default", key, key), family("_a.b*", key, key), family("$ttl", key, key)).map(_.path) ==
        Vector("3-an%2Foperator/a%20store/%5Fa.b%2A", "3-an%2Foperator/a%20store/$ttl")
    )
  }

  private def pair(key: UnsafeRow, value: UnsafeRow): UnsafeRowPair = new UnsafeRowPair(key, value)
}
