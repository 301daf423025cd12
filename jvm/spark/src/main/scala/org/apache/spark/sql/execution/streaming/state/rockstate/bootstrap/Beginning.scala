package org.apache.spark.sql.execution.streaming.state.rockstate.bootstrap

import scala.collection.mutable
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.streaming.StreamingRelationV2
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.classic.{DataFrame, Dataset}
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles.Readable
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.LogEntry
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.StreamingRelation
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streaming.{StreamingQueryException, Trigger}
import org.apache.spark.sql.util.CaseInsensitiveStringMap

import io.rockstate.errors.{Misuse, OnFailure}

/** The checkpoint of a query before it has read anything: its operators have had one batch without rows, into no sink. Its sources begin,
  * when it is started there, where its program says.
  *
  * @param result     what the query writes
  * @param outputMode as its program gives it
  * @param location   an empty folder, or none yet
  */
final class Beginning(result: DataFrame, outputMode: String, location: String) {
  import Beginning._

  private val session = result.sparkSession.cloneSession()
  private val folder = new Path(location)
  private val hadoopConf = session.sessionState.newHadoopConf()
  private val fs = folder.getFileSystem(hadoopConf)

  /** @return how many stateful operators the query has; of a query without any nothing is left */
  def run(): Int = {
    if (!result.isStreaming)
      throw new Misuse("The DataFrame is no stream", "Give what the query writes, made of spark.readStream.")
    if (names("").nonEmpty)
      throw new Misuse(s"$folder is not empty", "Give a folder that is empty or not there.")
    OnFailure(forget(location, hadoopConf)) {
      runOneBatch()
      val operators = names("state").count(_.forall(_.isDigit))
      if (operators > 0) names("offsets").filter(_.forall(_.isDigit)).foreach(forgetOffsets)
      else forget(location, hadoopConf)
      operators
    }
  }

  private def runOneBatch(): Unit = {
    session.conf.set(SQLConf.STREAMING_NO_DATA_MICRO_BATCHES_ENABLED.key, "false")
    try {
      val query = Dataset
        .ofRows(session, withoutRows(result.queryExecution.analyzed))
        .writeStream
        .outputMode(outputMode)
        .format("noop")
        .option("checkpointLocation", location)
        .trigger(Trigger.AvailableNow())
        .start()
      try query.awaitTermination()
      finally query.stop() // who waits may be interrupted
    } catch {
      case e @ (_: AnalysisException | _: StreamingQueryException) =>
        throw new Misuse(
          s"The query does not start: ${e.getMessage.linesIterator.nextOption().getOrElse(e)}",
          "See that it runs, on an empty folder."
        )
    }
  }

  /** A source that has no offset yet begins as in a query's first batch. */
  private def forgetOffsets(batch: String): Unit = {
    val path = new Path(folder, s"offsets/$batch")
    val entry = LogEntry.withoutOffsets(Using.resource(fs.open(path))(in => new String(in.readAllBytes(), "UTF-8")))
    Using.resource(fs.create(path, true))(_.write(entry.getBytes("UTF-8")))
  }

  private def names(name: String): Vector[String] = {
    val path = if (name.isEmpty) folder else new Path(folder, name)
    if (fs.exists(path)) fs.listStatus(path).toVector.map(_.getPath.getName) else Vector.empty
  }
}

object Beginning {

  /** Deletes what was made there, or left when its making was cut off. Refuses what else is there. */
  def forget(location: String, hadoopConf: Configuration): Unit = {
    val files = new CheckpointFiles(location, hadoopConf)
    if (!isBegun(files))
      throw new Misuse(
        s"${files.folder} is not what a query was begun with, and has the name of that",
        "Move it away, or give another new checkpoint."
      )
    files.folder.getFileSystem(hadoopConf).delete(files.folder, true): Unit
  }

  /** Whether nothing is in it but a checkpoint of which no source has been read. */
  private def isBegun(files: CheckpointFiles): Boolean =
    files.list("").forall(file => InCheckpoints(file.getPath.getName)) && files.numbersIn("offsets").forall { batch =>
      files.text(s"offsets/$batch") match {
        case Readable(entry) => entry.linesIterator.drop(2).forall(NoRowsStream.isOf)
        case _ => true
      }
    }

  private val InCheckpoints = Set("offsets", "commits", "state", "metadata", "sources")

  /** Each stream has another in its place, a stream that is there twice the same. */
  private def withoutRows(plan: LogicalPlan): LogicalPlan = {
    val made = mutable.Map.empty[LogicalPlan, LogicalPlan]
    plan.transform {
      case stream: StreamingRelationV2 => made.getOrElseUpdate(stream, emptied(stream.output))
      case stream: StreamingRelation => made.getOrElseUpdate(stream, emptied(stream.output))
    }
  }

  private def emptied(output: Seq[Attribute]): LogicalPlan = {
    val attributes = output.collect { case attribute: AttributeReference => attribute }
    val table = new NoRows(DataTypeUtils.fromAttributes(attributes))
    StreamingRelationV2(
      None,
      table.name,
      table,
      CaseInsensitiveStringMap.empty,
      attributes,
      catalog = None,
      identifier = None,
      v1Relation = None
    )
  }
}
