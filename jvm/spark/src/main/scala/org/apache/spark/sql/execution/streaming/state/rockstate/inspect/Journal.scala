package org.apache.spark.sql.execution.streaming.state.rockstate.inspect

import scala.util.Try

import org.json4s.{Formats, NoTypeHints}
import org.json4s.jackson.Serialization

/** What the journal of a rollback says, which is there while files move.
  *
  * @param batch  that the checkpoint goes back to, or was at
  * @param folder where what came after it is
  */
private[rockstate] final case class Journal(batch: Long, folder: String, isRollback: Boolean) {
  def text: String = Serialization.write(this)(Journal.formats)

  /** The command that finishes it. */
  def command(checkpoint: String): String =
    s"rockstate rollback $checkpoint ${if (isRollback) s"--batch $batch" else "--undo"}"
}

private[rockstate] object Journal {
  private implicit val formats: Formats = Serialization.formats(NoTypeHints)

  /** None if the text is no journal. */
  def of(text: String): Option[Journal] = Try(Serialization.read[Journal](text)).toOption
}
