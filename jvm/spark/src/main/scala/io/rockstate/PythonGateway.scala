package io.rockstate

import org.json4s.{Formats, NoTypeHints}
import org.json4s.jackson.Serialization

import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.Inspection

import io.rockstate.errors.StateStoreException

/** What the Python package calls, over py4j: every answer is JSON, `{"answer": …}` or `{"error": {"problem": …, "remedy": …}}`. */
class PythonGateway {
  private implicit val formats: Formats = Serialization.formats(NoTypeHints)
  private lazy val inspection = Inspection()

  /** The state of a query's checkpoint: operators and where their stores are. */
  def checkpoint(location: String): String = answer(inspection.checkpoint(location))

  /** One store, as `checkpoint` says where it is.
    *
    * @param provider the checkpoint's, "" if unknown
    * @param expected the version that must be loadable, -1 for none
    */
  def store(location: String, provider: String, verify: Boolean, expected: Long): String =
    answer(inspection.store(location, Option(provider).filter(_.nonEmpty), verify, Option.when(expected >= 0)(expected)))

  private def answer(body: => AnyRef): String =
    Serialization.write(
      try Map("answer" -> body)
      catch {
        case e: StateStoreException =>
          Map("error" -> Map("problem" -> (e.problem + e.file.fold("")(file => s" [$file]")), "remedy" -> e.remedy))
        case e: Exception =>
          val remedy = "Check the address, that its file system can be reached from here, and your rights on it."
          Map("error" -> Map("problem" -> s"The checkpoint cannot be read: $e", "remedy" -> remedy))
      }
    )
}
