package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import java.util.UUID

import scala.util.Try
import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.execution.streaming.state.rockstate.files.WriteWhile
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles

import io.rockstate.errors.Conflict

/** Which run writes in a folder: a file there has its id. One that begins replaces that file, and deletes what others wrote; the tasks of
  * an earlier run may be at work all the same, and would replace what the later one has read back.
  *
  * @param name the file's
  */
private[rockstate] final case class RunMark(folder: String, name: String, id: String = UUID.randomUUID().toString) {

  def isOurs(hadoopConf: Configuration): Boolean = found(hadoopConf).contains(id)

  def isAnothers(hadoopConf: Configuration): Boolean = found(hadoopConf).exists(_ != id)

  /** Whether it is not known to be another's, or gone. */
  def mayBeOurs(hadoopConf: Configuration): Boolean = Try(isOurs(hadoopConf)).getOrElse(true)

  /** Throws if another run has begun meanwhile, or has ended. To be asked before anything is published. */
  def require(hadoopConf: Configuration): Unit = if (!isOurs(hadoopConf)) throw overtaken

  /** Does what is done once this run has begun. Who begins then deletes what others wrote: whatever fails after that, that is why. */
  def whileOurs[T](hadoopConf: Configuration)(body: => T): T =
    try body
    catch {
      case NonFatal(e) if !e.isInstanceOf[Conflict] && !mayBeOurs(hadoopConf) =>
        val why = overtaken
        why.addSuppressed(e)
        throw why
    }

  /** The same confs, with which our stores ask once more at the very moment when a name is given that another run may give, too. */
  def heededIn(hadoopConf: Configuration): Configuration = {
    val heeding = new Configuration(hadoopConf)
    WriteWhile(new Path(folder, name), id).addTo(heeding)
    heeding
  }

  def overtaken: Conflict = new Conflict(
    "Another run has begun to do the same here",
    "Wait for it, or end it and run this again.",
    Some(folder)
  )

  private def found(hadoopConf: Configuration): Option[String] =
    new CheckpointFiles(folder, hadoopConf).text(name).toOption
}
