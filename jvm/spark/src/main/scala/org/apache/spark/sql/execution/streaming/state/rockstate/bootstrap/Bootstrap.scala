package org.apache.spark.sql.execution.streaming.state.rockstate.bootstrap

import java.util.UUID

import org.apache.spark.sql.Column
import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.execution.streaming.state.rockstate.exporting.Table
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{
  GivenStore,
  GivenStruct,
  GivenTable,
  Move,
  MoveReport,
  MoveRequest,
  SourceCheckpoint
}
import org.apache.spark.sql.functions.{col, struct}
import org.apache.spark.sql.types.{DataType, StructType}

import io.rockstate.errors.{Misuse, Unsupported}

/** What is asked for.
  *
  * @param like     the checkpoint of a query that has run once, as the new one is to be
  * @param to       an empty folder, or none yet
  * @param isDryRun whether only to look
  */
final case class BootstrapRequest(like: String, to: String, isDryRun: Boolean)

/** Makes a checkpoint like another one, with other state: the rows of tables as an export has them. What sources have read and which batch
  * was the last is as in the other.
  *
  * @param tables by the paths that they have in an export
  */
final class Bootstrap(session: SparkSession, request: BootstrapRequest, tables: Map[String, DataFrame]) {
  import Bootstrap._
  import request._

  private val source = new SourceCheckpoint(like, None, session.sessionState.newHadoopConf())
  private val known = source.stores.flatMap { case (plan, _) => Table.of(plan).filterNot(_.family.isFormer) }
  if (tables.isEmpty) throw new Misuse("No table was given", s"The query has ${names(known)}.")
  tables.keys.find(name => !known.exists(_.path == name)).foreach { name =>
    throw new Misuse(s"The query has no table $name in its state", s"It has ${names(known)}.")
  }
  source.requireSpreadByKeys()
  private val replaced = known.filter(table => tables.contains(table.path)).groupBy(_.store).toVector.map {
    case (store, ofStore) => GivenStore(store, ofStore.map(table => made(table, tables(table.path))))
  }

  /** It can be watched and cancelled. */
  val move: Move =
    new Move(session, MoveRequest(like, to, None, None, Some(source.batch), None, isDryRun), replaced)

  def run(): MoveReport =
    if (isDryRun) move.plan() else move.run(Some(s"""{"id":"${UUID.randomUUID()}"}"""))

  private def made(table: Table, rows: DataFrame): GivenTable = {
    requireAlone(table)
    val wanted = table.schema.fields.toVector.filter(field => Structs(field.name))
    val columns = wanted.map { field =>
      val fields = field.dataType.asInstanceOf[StructType]
      requireStruct(table, field.name, fields, rows)
      struct(fields.fieldNames.toVector.map(name => part(field.name, name)): _*).as(field.name)
    }
    def of(name: String, state: StructType, isNormalized: Boolean = false) = {
      val place = wanted.indexWhere(_.name == name)
      val fields = wanted.find(_.name == name).fold(new StructType())(_.dataType.asInstanceOf[StructType])
      GivenStruct(state, Option(place).filter(_ >= 0), fields, isNormalized)
    }
    val schema = table.family.schema
    GivenTable(
      table.family,
      rows.select(columns: _*),
      of("key", schema.keySchema, table.store.hasNormalizedKeys),
      of("value", schema.valueSchema)
    )
  }

  private def part(struct: String, field: String): Column = col(s"`$struct`").getField(field).as(field)

  /** That its rows are all there is: Spark keeps nothing beside them that would have to fit. */
  private def requireAlone(table: Table): Unit = {
    val (family, store) = (table.family, table.store)
    val beside = store.families.filter(_.isBeside(family))
    val why =
      if (store.operatorName == "symmetricHashJoin") Some("both sides of a join and their counters have to fit")
      else if (family.isInternal) Some("Spark keeps it for itself")
      else if (family.isMultiValued) Some("it is a list, whose lengths Spark keeps beside it")
      else beside.headOption.map(other => s"Spark keeps ${other.name} beside it")
    why.foreach { reason =>
      throw new Unsupported(
        s"Table ${table.path} cannot be made of rows: $reason",
        "Tables of aggregations, deduplication, groups' state, and value and map state without TTL can."
      )
    }
  }

  private def requireStruct(table: Table, name: String, fields: StructType, rows: DataFrame): Unit = {
    val found = rows.schema.fields.find(_.name == name).map(_.dataType)
    val fits = found.exists {
      case struct: StructType =>
        fields.forall(f => struct.fields.exists(g => g.name == f.name && isSame(f.dataType, g.dataType)))
      case _ => false
    }
    if (!fits)
      throw new Misuse(
        s"Table ${table.path} has a column $name ${fields.catalogString}, and the rows " +
          found.fold("have none")(other => s"have ${other.catalogString}"),
        s"Give the rows such a column, with its fields in any order: struct(...).alias(\"$name\"); files as parquet " +
          "or orc, since those as json or csv have no types."
      )
  }
}

private object Bootstrap {
  private val Structs = Set("key", "value")

  private def names(tables: Vector[Table]): String = tables.map(_.path).mkString(", ")

  private def isSame(one: DataType, other: DataType): Boolean = DataType.equalsIgnoreNullability(one, other)
}
