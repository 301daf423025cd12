package org.apache.spark.sql.execution.streaming.state.rockstate.files

import java.nio.charset.StandardCharsets.UTF_8

import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import io.rockstate.errors.{Conflict, MissingFile}

/** Files of names that attempts share are published only while a file says this: whoever moves a checkpoint writes one, and the next to
  * begin replaces it.
  */
private[rockstate] final case class WriteWhile(file: Path, says: String) {
  import WriteWhile._

  /** Has the stores that are opened with these confs heed it. */
  def addTo(hadoopConf: Configuration): Unit = {
    hadoopConf.set(File, file.toString)
    hadoopConf.set(Says, says)
  }

  private[files] def require(hadoopConf: Configuration): Unit = if (!holds(hadoopConf))
    throw new Conflict(
      s"Another run has begun to write what $file stands for, or this one has ended",
      "Nothing needs to be done: what this task has written is of no use.",
      Some(file.toString)
    )

  private def holds(hadoopConf: Configuration): Boolean =
    try Using.resource(file.getFileSystem(hadoopConf).open(file))(in => new String(in.readAllBytes(), UTF_8) == says)
    catch { case MissingFile() => false }
}

private[rockstate] object WriteWhile {
  private val File = "rockstate.write.while.file"
  private val Says = "rockstate.write.while.says"

  /** What stores with these confs are to heed. */
  def in(hadoopConf: Configuration): Option[WriteWhile] =
    for (file <- Option(hadoopConf.get(File)); says <- Option(hadoopConf.get(Says)))
      yield WriteWhile(new Path(file), says)
}
