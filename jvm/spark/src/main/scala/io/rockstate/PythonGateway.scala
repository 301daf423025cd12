package io.rockstate

import org.json4s.{Formats, NoTypeHints}
import org.json4s.jackson.Serialization

import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.Inspection

import io.rockstate.errors.{StateStoreException, Unavailable}
import io.rockstate.inspect.LoggedCommit

/** What the Python package calls, over py4j: every answer is JSON, `{"answer": …}` or `{"error": {"kind": …, "problem": …,
  * "remedy": …}}`, where a kind is a class of `io.rockstate.errors`.
  */
class PythonGateway {
  private implicit val formats: Formats = Serialization.formats(NoTypeHints)
  private lazy val inspection = Inspection()

  /** The state of a query's checkpoint: operators and where their stores are. */
  def checkpoint(location: String): String = answer(inspection.checkpoint(location))

  /** One store, as `checkpoint` says where it is.
    *
    * @param provider the checkpoint's, "" if unknown
    * @param expected      the version that must be loadable, -1 for none
    * @param checkpointIds one of which it must have, separated by commas; "" for any
    */
  def store(location: String, provider: String, verify: Boolean, expected: Long, checkpointIds: String): String = {
    val ids = checkpointIds.split(',').filter(_.nonEmpty).toSet
    val logged = Option.when(expected >= 0)(LoggedCommit(expected, ids))
    answer(inspection.store(location, Option(provider).filter(_.nonEmpty), verify, logged))
  }

  /** Whether checkpoints can be kept in a folder: writes a file there as a store would, reads it and deletes it. */
  def probe(location: String): String = answer(inspection.probe(location))

  /** What runs here. */
  def versions(): String = answer(Map("spark" -> org.apache.spark.SPARK_VERSION))

  private def answer(body: => AnyRef): String =
    Serialization.write(
      try Map("answer" -> body)
      catch {
        case e: StateStoreException =>
          error(e.getClass.getSimpleName, e.problem + e.file.fold("")(file => s" [$file]"), e.remedy)
        case e: Exception =>
          val remedy = "Check the address, that its file system can be reached from here, and your rights on it."
          error(classOf[Unavailable].getSimpleName, s"The checkpoint cannot be read: $e", remedy)
      }
    )

  private def error(kind: String, problem: String, remedy: String): Map[String, AnyRef] =
    Map("error" -> Map("kind" -> kind, "problem" -> problem, "remedy" -> remedy))
}
