package io.rockstate

import java.util.{Map => JavaMap}

import scala.jdk.CollectionConverters._

import org.json4s.{Formats, NoTypeHints}
import org.json4s.jackson.Serialization

import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.execution.streaming.state.rockstate.bootstrap.{Beginning, Bootstrap, BootstrapRequest}
import org.apache.spark.sql.execution.streaming.state.rockstate.exporting.{Export, ExportRequest}
import org.apache.spark.sql.execution.streaming.state.rockstate.inplace.{Repartition, RepartitionRequest}
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.{Inspection, OpenCheckpoint}
import org.apache.spark.sql.execution.streaming.state.rockstate.lookup.{KeyLookup, KeyRequest, KeyRow}
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{
  ForeignFailure,
  Move,
  MoveRequest,
  SessionJars,
  Watched
}
import org.apache.spark.sql.execution.streaming.state.rockstate.rewind.{
  Fork,
  ForkRequest,
  KeptFiles,
  Rollback,
  RollbackRequest
}

import io.rockstate.errors.{Misuse, StateStoreException}

/** What the Python package calls, over py4j: every answer is JSON, `{"answer": …}` or `{"error": {"kind": …, "problem": …,
  * "remedy": …}}`, where a kind is a class of `io.rockstate.errors`.
  */
class PythonGateway {
  private implicit val formats: Formats = Serialization.formats(NoTypeHints)
  private lazy val inspection = Inspection()

  private var opened = Option.empty[OpenCheckpoint]
  @volatile private var watched = Option.empty[Watched]
  @volatile private var isCancelled = false // for good: Python makes a gateway for each thing that it may cancel

  /** Opens a query's checkpoint: its operators and where their stores are, and what is wrong with its logs, metadata and schemas.
    *
    * @param verify whether every file is to be read, those of `store` too
    */
  def checkpoint(location: String, verify: Boolean): String = answer {
    opened = Some(inspection.checkpoint(location, verify))
    opened.get.report
  }

  /** One store of the checkpoint that was opened last. */
  def store(operator: Long, partition: Int, name: String): String = answer {
    val checkpoint = opened.getOrElse(throw new Misuse("No checkpoint is open", "Call checkpoint first."))
    checkpoint.store(operator, partition, name)
  }

  /** The checkpoint format of a query's last commit as `checkpointFormat`; nothing if there is none. */
  def checkpointFormat(location: String): String =
    answer(inspection.checkpointFormat(location).map("checkpointFormat" -> _).toMap)

  /** Whether checkpoints can be kept in a folder: writes a file there as a store would, reads it and deletes it. */
  def probe(location: String): String = answer(inspection.probe(location))

  /** Moves a checkpoint to another provider or number of partitions, or tells what would be moved.
    *
    * @param request a `MoveRequest` as JSON
    */
  def move(session: SparkSession, request: String): String = answerIn(session) {
    val asked = Serialization.read[MoveRequest](request)
    val move = watch(new Move(session, asked))
    if (asked.isDryRun) move.plan() else move.run()
  }

  /** Gives a checkpoint another number of partitions in place, or tells what would be written.
    *
    * @param request a `RepartitionRequest` as JSON
    */
  def repartition(session: SparkSession, request: String): String = answerIn(session) {
    val asked = Serialization.read[RepartitionRequest](request)
    val repartition = watch(new Repartition(session, asked))
    if (asked.isDryRun) repartition.plan() else repartition.run()
  }

  /** Exports a checkpoint's state as tables, or tells what would be exported: the manifest.
    *
    * @param request an `ExportRequest` as JSON
    */
  def exportTables(session: SparkSession, request: String): String = answerIn(session) {
    val asked = Serialization.read[ExportRequest](request)
    val tables = watch(new Export(session, asked))
    (if (asked.isDryRun) tables.plan() else tables.run()).json
  }

  /** Makes a checkpoint like another with the rows of tables for state, or tells what would be made.
    *
    * @param request a `BootstrapRequest` as JSON
    * @param tables  by the paths that they have in an export
    */
  def bootstrap(session: SparkSession, request: String, tables: JavaMap[String, DataFrame]): String =
    answerIn(session) {
      val made = new Bootstrap(session, Serialization.read[BootstrapRequest](request), tables.asScala.toMap)
      watch(made.move)
      made.run()
    }

  /** Writes the checkpoint that a query has before it has read anything, and tells how many stateful operators it has. */
  def begin(result: DataFrame, outputMode: String, location: String): String = answer {
    Map("operators" -> Int.box(new Beginning(result, outputMode, location).run()))
  }

  /** Deletes what `begin` has made. */
  def forgetBeginning(location: String): String = answer {
    Beginning.forget(location, Inspection.hadoopConf()) // the program may have stopped its session
    Map.empty
  }

  /** Copies a checkpoint as of one of its batches, or tells what would be copied.
    *
    * @param request a `ForkRequest` as JSON
    */
  def fork(session: SparkSession, request: String): String = answerIn(session) {
    val asked = Serialization.read[ForkRequest](request)
    val fork = watch(new Fork(session, asked))
    if (asked.isDryRun) fork.plan() else fork.run()
  }

  /** Takes a checkpoint back to one of its batches, or tells what would be kept aside.
    *
    * @param request a `RollbackRequest` as JSON
    */
  def rollback(session: SparkSession, request: String): String = answerIn(session) {
    val asked = Serialization.read[RollbackRequest](request)
    val rollback = watch(new Rollback(session, asked))
    if (asked.isDryRun) rollback.plan() else rollback.run()
  }

  /** Puts back what the last rollback has kept aside, or tells what would come back. */
  def undoRollback(session: SparkSession, location: String, isDryRun: Boolean): String = answerIn(session) {
    val kept = watch(new KeptFiles(session, location))
    if (isDryRun) kept.planUndo() else kept.undo()
  }

  /** Deletes what rollbacks have kept aside, or tells what would be deleted. */
  def forgetRollbacks(session: SparkSession, location: String, isDryRun: Boolean): String = answerIn(session) {
    val kept = watch(new KeptFiles(session, location))
    if (isDryRun) kept.planForget() else kept.forget()
  }

  /** Of the rows of Spark's state data source those of the partition that a key is in, or all if that is not certain.
    *
    * @param request a `KeyRequest` as JSON
    */
  def partitionOfKey(session: SparkSession, request: String, rows: DataFrame): DataFrame =
    new KeyLookup(session, Serialization.read[KeyRequest](request)).narrowed(rows)

  /** The row of a whole key in words, by `text`; nothing if that takes a session.
    *
    * @param request a `KeyRequest` as JSON
    * @param json    options of Spark's JSON writer, as JSON; empty for a table
    */
  def rowOfKey(request: String, json: String): String = answer {
    val jsonFormats = Option.when(json.nonEmpty)(Serialization.read[Map[String, String]](json))
    new KeyRow(Serialization.read[KeyRequest](request), jsonFormats).printed
  }

  /** How far it is what was begun last: `phase`, and of how many tasks `of` so many are `done`. Nothing before its first job. */
  def progress(): String = answer(watched.flatMap(_.progress).getOrElse(Map.empty))

  /** Ends that, if it is not at its end: the call that does it fails. If it has not begun yet, it fails when it begins. */
  def cancel(): String = answer {
    isCancelled = true
    watched.foreach(_.cancel())
    Map.empty
  }

  /** What runs here. */
  def versions(): String = answer(Map("spark" -> org.apache.spark.SPARK_VERSION))

  private def watch[W <: Watched](begun: W): W = {
    watched = Some(begun)
    if (isCancelled) begun.cancel()
    begun
  }

  private def answerIn(session: SparkSession)(body: => AnyRef): String = answer(SessionJars.within(session)(body))

  private def answer(body: => AnyRef): String =
    Serialization.write(
      try Map("answer" -> body)
      catch { case e @ (_: Exception | _: OutOfMemoryError | _: LinkageError) => error(ForeignFailure.of(e)) }
    )

  private def error(e: StateStoreException): Map[String, AnyRef] = {
    val problem = e.problem + e.file.fold("")(file => s" [$file]")
    Map("error" -> Map("kind" -> e.getClass.getSimpleName, "problem" -> problem, "remedy" -> e.remedy))
  }
}
