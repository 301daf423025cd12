package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import scala.collection.mutable

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.{JsonNodeFactory, ObjectNode}

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.conformance.command.{Args, UsageException}

/** A store that a provider handed out, with the iterators that are open on it. */
private[conformance] final class LabStore(val provider: LabProvider, val reading: ReadStateStore) {
  import LabStore._

  private val families = mutable.Map(StateStore.DEFAULT_COL_FAMILY_NAME -> provider.defaultRows)
  private val iterators = mutable.Map.empty[String, OpenIterator]
  private val held = mutable.Map.empty[String, HeldRow]

  /** Performs a command on the store. */
  def perform(op: String, args: Args): JsonNode = {
    val family = args.text("family", StateStore.DEFAULT_COL_FAMILY_NAME)
    op match {
      case "create_family" => createFamily(family, args)
      case "remove_family" => Json.booleanNode(writing(op).removeColFamilyIfExists(family))
      case "families" => args.strings(CallsSince42.families(reading).toSeq.sorted)
      case "iter_next" => drained(iterator(args).rows.take(args.long("n", 1).toInt))
      case "iter_has_next" => Json.booleanNode(iterator(args).rows.hasNext)
      case "iter_hold" => done(held(args.text("row")) = iterator(args).rows.next())
      case "remove_held" => done(writing(op).remove(heldRow(args).row, family))
      case "held_key" => heldRow(args).read().get(0)
      case "iter_close" => done(iterators.remove(args.text("iter")).foreach(_.close()))
      case "commit" => commit(writing(op))
      case "held" => heldRow(args).read()
      case "lay_rows" => done(families.values.foreach(_.lieIn(RowMemory.named(args.text("memory")))))
      case "abort" => done(reading.abort())
      case "release" => done(CallsSince41.release(reading))
      case "has_committed" => Json.booleanNode(writing(op).hasCommitted)
      case "store_version" => Json.numberNode(reading.version)
      case "store_id" => Json.textNode(reading.id.toString)
      case "metrics" => metrics(writing(op).metrics)
      case "unknown_metrics" =>
        args.strings(InstanceMetrics.unknown(writing(op).metrics, provider.unopened, reading.id))
      case _ => onRows(op, family, args)
    }
  }

  private def onRows(op: String, family: String, args: Args): JsonNode = {
    val rows = families.getOrElseUpdate(family, rowsOf(family))
    op match {
      case "get" => keyed(rows, args)(key => rows.valueJson(reading.get(key, family)))
      case "hold" => done(held(args.text("row")) = ofValue(keyed(rows, args)(reading.get(_, family)), rows))
      case "contains" => Json.booleanNode(keyed(rows, args)(CallsSince42.contains(reading, _, family)))
      case "multi_get" =>
        rows.withKeys(args.list("keys")) { keys =>
          drained(CallsSince42.multiGet(reading, keys, family).map(ofValue(_, rows)))
        }
      case "unequal" => all(opened(args.text("kind"), family, rows, args))(!_.isAsMade())
      case "iter_open" => done(iterators(args.text("iter")) = opened(args.text("kind"), family, rows, args))
      case _ if Scans(op) => all(opened(op, family, rows, args))(_ => true)
      case _ => done(write(op, family, rows, args))
    }
  }

  private def write(op: String, family: String, rows: LabRows, args: Args): Unit = op match {
    case "put" => keyed(rows, args)(key => rows.withValue(args("value"))(writing(op).put(key, _, family)))
    case "merge" => keyed(rows, args)(key => rows.withValue(args("value"))(writing(op).merge(key, _, family)))
    case "put_list" =>
      keyed(rows, args) { key =>
        rows.withValues(args.list("values"))(CallsSince41.putList(writing(op), key, _, family))
      }
    case "merge_list" =>
      keyed(rows, args) { key =>
        rows.withValues(args.list("values"))(CallsSince41.mergeList(writing(op), key, _, family))
      }
    case "put_value" => keyed(rows, args)(writing(op).put(_, heldRow(args).row, family))
    case "merge_value" => keyed(rows, args)(writing(op).merge(_, heldRow(args).row, family))
    case "put_held" => rows.withValue(args("value"))(writing(op).put(heldRow(args).row, _, family))
    case "remove" => keyed(rows, args)(writing(op).remove(_, family))
    case "delete_range" =>
      rows.withKeys(Seq(args("first"), args("last"))) { keys =>
        CallsSince42.deleteRange(writing(op), keys(0), keys(1), family)
      }
    case _ => throw new UsageException(s"no command $op")
  }

  def abort(seconds: Long): Unit = provider(seconds)(_ => reading.abort())

  private def createFamily(family: String, args: Args): JsonNode = {
    val rows = new LabRows(args.text("encoder", "none"))
    writing("create_family").createColFamilyIfAbsent(
      family,
      rows.declaredKeySchema,
      rows.valueSchema,
      rows.encoderSpec,
      args.boolean("multi"),
      args.boolean("internal")
    )
    provider.declared(family) = rows
    done(families(family) = rows)
  }

  private def rowsOf(family: String): LabRows =
    provider.declared.getOrElse(family, new LabRows(provider.defaultRows.encoder))

  private def keyed[T](rows: LabRows, args: Args)(body: UnsafeRow => T): T =
    rows.withKey(args("key"), args.optional("fields").map(_.asInt))(body)

  private def iterator(args: Args): OpenIterator =
    iterators.getOrElse(args.text("iter"), throw new UsageException("no such iterator"))

  private def ofValue(value: UnsafeRow, rows: LabRows): HeldRow =
    HeldRow(value, () => rows.valueJson(value), () => value == null || rows.isAsMade(value, isKey = false))

  private def ofPair(pair: UnsafeRowPair, rows: LabRows): HeldRow = {
    def isAsMade = rows.isAsMade(pair.key, isKey = true) && rows.isAsMade(pair.value, isKey = false)
    HeldRow(pair.key, () => rows.pairJson(pair), () => isAsMade)
  }

  private def heldRow(args: Args): HeldRow = held.getOrElse(args.text("row"), throw new UsageException("no such row"))

  private def opened(kind: String, family: String, rows: LabRows, args: Args): OpenIterator = {
    def pairs(iterator: StateStoreIterator[UnsafeRowPair]) =
      OpenIterator(iterator.map(ofPair(_, rows)), () => iterator.close())
    def bound[T](name: String)(body: Option[UnsafeRow] => T): T =
      args.optional(name).fold(body(None))(key => rows.withKey(key)(row => body(Some(row))))
    def range(
        scan: (ReadStateStore, Option[UnsafeRow], Option[UnsafeRow], String) => StateStoreIterator[UnsafeRowPair]
    ) =
      bound("first")(first => bound("last")(last => pairs(scan(reading, first, last, family))))
    kind match {
      case "scan" => pairs(reading.iterator(family))
      case "prefix" => rows.withPrefix(args("prefix"))(prefix => pairs(reading.prefixScan(prefix, family)))
      case "range" => range(CallsSince42.range)
      case "scan_multi" => pairs(CallsSince42.allValues(reading, family))
      case "prefix_multi" =>
        rows.withPrefix(args("prefix"))(prefix => pairs(CallsSince42.prefixValues(reading, prefix, family)))
      case "range_multi" => range(CallsSince42.rangeValues)
      case "values" =>
        val values = keyed(rows, args)(reading.valuesIterator(_, family))
        OpenIterator(values.map(ofValue(_, rows)), () => ())
      case "get" => OpenIterator(Iterator(ofValue(keyed(rows, args)(reading.get(_, family)), rows)), () => ())
      case other => throw new UsageException(s"no kind of iterator $other")
    }
  }

  private def commit(store: StateStore): JsonNode = {
    val version = store.commit()
    val answer = Json.objectNode().put("version", version)
    val info =
      try {
        val said = store.getStateStoreCheckpointInfo()
        answer.put("said_again", store.getStateStoreCheckpointInfo() == said)
        Some(said)
      } catch {
        case e: Exception =>
          answer.put("said_error", e.toString)
          None
      }
    info.foreach(said => answer.put("said_version", said.batchVersion).put("said_partition", said.partitionId))
    answer
      .put("id", info.flatMap(_.stateStoreCkptId).orNull)
      .put("base_id", info.flatMap(_.baseStateStoreCkptId).orNull)
  }

  private def metrics(found: StateStoreMetrics): JsonNode = {
    val custom = Json.objectNode()
    found.customMetrics.foreach { case (metric, value) => custom.put(metric.name, value) }
    val instance = Json.objectNode()
    InstanceMetrics.of(found).foreach { case (name, value) => instance.put(name, value) }
    Json
      .objectNode()
      .put("rows", found.numKeys)
      .put("memory", found.memoryUsedBytes)
      .set[ObjectNode]("custom", custom)
      .set[JsonNode]("instance", instance)
  }

  private def writing(op: String): StateStore = reading match {
    case store: StateStore => store
    case _ => throw new UsageException(s"$op on a store for reading")
  }
}

private[conformance] object LabStore {
  private val Json = JsonNodeFactory.instance
  private val Scans = Set("scan", "prefix", "range", "scan_multi", "prefix_multi", "range_multi", "values")

  /** A row as the store gave it, not copied, which is read whenever `read` is called: a value, or a pair, whose key `row` is then.
    * `isAsMade` is whether it equals, byte by byte, what Spark makes of the same columns.
    */
  private final case class HeldRow(row: UnsafeRow, read: () => JsonNode, isAsMade: () => Boolean)

  private final case class OpenIterator(rows: Iterator[HeldRow], close: () => Unit)

  /** The answer of what has none. */
  private def done(body: => Unit): JsonNode = {
    body
    Json.nullNode()
  }

  /** Those of an iterator's rows that are wanted; it is closed then. */
  private def all(iterator: OpenIterator)(isWanted: HeldRow => Boolean): JsonNode =
    try drained(iterator.rows.filter(isWanted))
    finally iterator.close()

  /** Each row is read before the next is asked for. */
  private def drained(rows: Iterator[HeldRow]): JsonNode = {
    val all = Json.arrayNode()
    rows.foreach(row => all.add(row.read()))
    all
  }
}
