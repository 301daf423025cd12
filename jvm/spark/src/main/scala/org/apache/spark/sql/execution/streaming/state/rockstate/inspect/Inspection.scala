package org.apache.spark.sql.execution.streaming.state.rockstate.inspect

import java.nio.charset.StandardCharsets.UTF_8
import java.util.UUID

import scala.util.{Try, Using}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.SparkConf
import org.apache.spark.deploy.SparkHadoopUtil
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderClass
import org.apache.spark.sql.execution.streaming.state.rockstate.files.SparkRemoteFiles

import io.rockstate.errors.{Conflict, Unavailable}

/** Looks into checkpoints with the Hadoop settings of the running Spark, `spark.hadoop.*` included. */
final class Inspection private (hadoopConf: Configuration) {

  /** @param verify whether every file is to be read */
  def checkpoint(location: String, verify: Boolean): OpenCheckpoint = new OpenCheckpoint(location, hadoopConf, verify)

  /** The checkpoint format of the query's last commit; none if it has no commit that can be read. */
  def checkpointFormat(location: String): Option[Int] =
    QueryLogs.newest(new CheckpointFiles(location, hadoopConf)).checkpointFormat

  /** What a query that starts on it is to know. */
  def atStart(location: String): AtStart = {
    val files = new CheckpointFiles(location, hadoopConf)
    val logs = QueryLogs.newest(files)
    val unfinished = Unfinished.in(files, logs).map { found =>
      new Conflict(found.problem, found.remedy, Some(s"${files.folder}/${found.file}"), found.version)
    }
    val provider = if (files.exists("state")) logs.pinned.flatMap(_.provider) else None
    val others = provider.filterNot(ProviderClass.isOurs).map(_ => Inspection.SparksFormat)
    AtStart(unfinished, provider, logs.checkpointFormat.orElse(others))
  }

  /** Does to a file in the folder what stores do to theirs, and takes it away again, with the folders that it took. */
  def probe(location: String): ProbeReport = {
    val start = System.nanoTime()
    val folder = new Path(location)
    val fs = folder.getFileSystem(hadoopConf)
    val lacking = Iterator.iterate(folder)(_.getParent).takeWhile(path => path != null && !fs.exists(path)).toVector
    try writeAndRead(folder)
    finally lacking.foreach(path => Try(fs.delete(path, false))) // one that somebody has begun to use stays
    ProbeReport(fs.makeQualified(folder).toString, lacking.nonEmpty, (System.nanoTime() - start) / 1000000)
  }

  private def writeAndRead(folder: Path): Unit = {
    val files = new SparkRemoteFiles(folder, hadoopConf)
    val name = s"rockstate-doctor-${UUID.randomUUID()}"
    Using.resource(files.create(name)) { output =>
      output.write(name.getBytes(UTF_8))
      output.publish()
    }
    try {
      val read = Using.resource(files.open(name))(input => new String(input.stream.readAllBytes(), UTF_8))
      if (read != name || !files.list("").exists(_.name == name))
        throw new Unavailable(
          "A file that was written is not there or not as it was written",
          "Checkpoints need a file system whose files can be read and listed as soon as they are written.",
          Some(s"$folder/$name")
        )
    } finally files.delete(name)
  }
}

/** @param unfinished what a command has begun to do with the checkpoint and not finished
  * @param provider   that the query goes on with, if it has kept state and its offset log tells
  * @param format     the checkpoint format that it began with, if it has begun
  */
final case class AtStart(unfinished: Option[Conflict], provider: Option[String], format: Option[Int])

/** @param isNew  whether there was no such folder, nor is there now
  * @param millis from the first call to the last
  */
final case class ProbeReport(location: String, isNew: Boolean, millis: Long)

object Inspection {

  /** The checkpoint format that Spark has for queries for which nobody asks for another: each of its providers knows it. */
  private val SparksFormat = 1

  /** With the settings of the session that there is: of its context, too, where s3a's keys are often given. Else with `spark.hadoop.*`. */
  def apply(): Inspection = apply(hadoopConf())

  /** Those settings. */
  def hadoopConf(): Configuration =
    SparkSession.getDefaultSession.fold(SparkHadoopUtil.newConfiguration(new SparkConf))(_.sessionState.newHadoopConf())

  def apply(hadoopConf: Configuration): Inspection = new Inspection(hadoopConf)
}
