package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import org.apache.spark.TaskContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{GenericInternalRow, UnsafeRow}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.state.UnsafeRowPair
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.RowPlacement
import org.apache.spark.sql.types._

/** The rows of a store on their way to the partitions of another number of them. A key's values stay in their order: they come from one
  * partition, and a shuffle keeps the order of what one task sends another.
  */
private[moving] object ShuffledRows {
  val Columns: StructType = new StructType()
    .add("partition", IntegerType, nullable = false)
    .add("family", IntegerType, nullable = false)
    .add("isNext", BooleanType, nullable = false)
    .add("key", BinaryType, nullable = false)
    .add("value", BinaryType, nullable = false)

  /** @param before how many partitions there are
    * @param after  how many there will be
    */
  def of(
      session: SparkSession,
      plan: StorePlan,
      partitions: (Int, Int),
      from: StateSide,
      hadoopConf: MoveJobs.HadoopConf,
      counted: (Int, Map[FamilyKey, RowTotals]) => Unit
  ): RDD[InternalRow] = {
    val (before, after) = partitions
    val sent = session.sparkContext.parallelize(0 until before, before).flatMap { partition =>
      val rows = new StoreRows(plan, partition, from, hadoopConf.value.value)
      Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit](_ => rows.close()))
      val (is, willBe) = (new Placement(plan, before), new Placement(plan, after))
      val numbers = plan.families.map(_.name).zipWithIndex.toMap
      val placed = rows.iterator.map { row =>
        is.requireIn(partition, row)
        packed(row, willBe.partitionOf(row), numbers(row.family.name))
      }
      placed ++ {
        counted(partition, rows.totals)
        Iterator.empty
      }
    }
    RowPlacement.placed(session.internalCreateDataFrame(sent, Columns), after)
  }

  /** Each row counts until the next is asked for. */
  def unpacked(plan: StorePlan, rows: Iterator[InternalRow]): Iterator[StoreRow] = {
    val pair = new UnsafeRowPair()
    val keys = plan.families.map(family => new UnsafeRow(family.schema.keySchema.length))
    val values = plan.families.map(family => new UnsafeRow(family.schema.valueSchema.length))
    rows.map { row =>
      val family = row.getInt(1)
      StoreRow(
        plan.families(family),
        pair.withRows(over(keys(family), row.getBinary(3)), over(values(family), row.getBinary(4))),
        row.getBoolean(2)
      )
    }
  }

  def packed(row: StoreRow, partition: Int, family: Int): InternalRow =
    new GenericInternalRow(Array[Any](partition, family, row.isNext, row.pair.key.getBytes, row.pair.value.getBytes))

  private def over(row: UnsafeRow, bytes: Array[Byte]): UnsafeRow = {
    row.pointTo(bytes, bytes.length)
    row
  }
}
