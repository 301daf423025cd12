package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import org.json4s.{DefaultFormats, Formats, JArray, JNothing, JObject, JString, JValue}
import org.json4s.jackson.JsonMethods

import org.apache.spark.sql.internal.SQLConf

import io.rockstate.errors.Unsupported

/** Entries of a query's logs as text. What a move has no business with stays as it is, whichever Spark wrote it. */
private[rockstate] object LogEntry {
  private implicit val formats: Formats = DefaultFormats
  private val Ids = "stateUniqueIds"
  private val NoOffset = "-"

  /** What a batch's entry in the offset log pins its query to. */
  def conf(planned: String): Map[String, String] = metadata(planned) \ "conf" match {
    case JNothing => Map.empty
    case conf => conf.extract[Map[String, String]]
  }

  /** How many shuffle partitions the batch has, by its entry in the offset log. */
  def partitions(planned: String): Option[Int] = conf(planned).get(SQLConf.SHUFFLE_PARTITIONS.key).map(_.toInt)

  /** The entry with these confs instead of its own. */
  def planned(entry: String, conf: Map[String, String]): String = {
    val before = metadata(entry)
    val fields = (before \ "conf").asInstanceOf[JObject].obj.filterNot(field => conf.contains(field._1))
    val after = JObject(fields ++ conf.map { case (key, value) => key -> JString(value) })
    withMetadata(entry, JObject(before.obj.map(field => if (field._1 == "conf") "conf" -> after else field)))
  }

  /** The entry of a batch, in the offset log, that has nothing of any source. Throws if it names sources: so they are told apart. */
  def withoutOffsets(entry: String): String = {
    if (version(entry) != "v1")
      throw new Unsupported(
        "The query's sources have names, which no checkpoint without offsets can keep",
        "Run the query once, and give its checkpoint with --like."
      )
    val (head, offsets) = entry.linesIterator.toVector.splitAt(2)
    (head ++ offsets.map(_ => NoOffset)).mkString("\n")
  }

  /** The checkpoint format of a batch's entry in the commit log. */
  def format(committed: String): Int =
    if (version(committed) == "v2" || idsIn(committed).nonEmpty) 2 else 1

  /** By operator and partition the checkpoint ids of its stores; none in format 1. */
  def idsIn(committed: String): Option[Map[Long, Array[Array[String]]]] =
    metadata(committed) \ Ids match {
      case JNothing => None
      case ids => Some(ids.extract[Map[String, Array[Array[String]]]].map { case (k, v) => k.toLong -> v })
    }

  /** The entry in this checkpoint format, with these checkpoint ids instead of its own. */
  def committed(entry: String, format: Int, ids: Option[Map[Long, Array[Array[String]]]]): String = {
    val others = metadata(entry).obj.filterNot(_._1 == Ids)
    val named = ids.map { operators =>
      Ids -> JObject(operators.toList.sortBy(_._1).map { case (operator, ids) => operator.toString -> arrays(ids) })
    }
    // Versions above 2 hold more than the checkpoint format.
    val first = if (Set("v1", "v2")(version(entry))) s"v$format" else version(entry)
    (first +: withMetadata(entry, JObject(others ++ named)).linesIterator.drop(1).toVector).mkString("\n")
  }

  private def arrays(ids: Array[Array[String]]): JValue =
    JArray(ids.toList.map(stores => JArray(stores.toList.map(JString(_)))))

  private def version(entry: String): String = entry.linesIterator.next().trim

  private def metadata(entry: String): JObject =
    JsonMethods.parse(entry.linesIterator.drop(1).nextOption().filter(_.nonEmpty).getOrElse("{}")).asInstanceOf[JObject]

  private def withMetadata(entry: String, metadata: JObject): String =
    entry.linesIterator.toVector.patch(1, Vector(JsonMethods.compact(metadata)), 1).mkString("\n")
}
