package org.apache.spark.sql.execution.streaming.state.rockstate.errors

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path

import org.apache.spark.SparkException
import org.apache.spark.sql.errors.QueryExecutionErrors
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.StoreFailures

import io.rockstate.errors.{Conflict, CorruptFile, NotFound, OutOfMemory, StateStoreException}
import io.rockstate.files.{FileNames, RemoteFiles}
import io.rockstate.history.RecoveryPlan

/** Our errors under the error conditions that Spark and its tools look for, with our problem and remedy in the message they show. */
private[rockstate] object SparkErrors {

  /** A version that is not there is `CANNOT_READ_STREAMING_STATE_FILE`, as for Spark's RocksDB provider.
    *
    * @param folder the store's folder
    * @param files  the same
    */
  def loadFailed(folder: Path, files: RemoteFiles, cause: Throwable): Throwable = {
    val error = cause match {
      case missing: NotFound =>
        QueryExecutionErrors.failedToReadStreamingStateFileError(fileOf(folder, missing), missing)
      case other => StoreFailures.cannotLoad(other)
    }
    withOurText(error, cause, wayBack(files, cause))
  }

  /** Whatever is wrong with a snapshot that was asked for by its version is `CANNOT_LOAD_STATE_STORE`. */
  def replayFailed(cause: Throwable): Throwable = withOurText(StoreFailures.cannotLoad(cause), cause)

  /** @param store the store as it names itself */
  def commitFailed(store: String, cause: Throwable): Throwable =
    withOurText(QueryExecutionErrors.failedToCommitStateFileError(store, cause), cause)

  /** What takes more memory than the JVM has. It is no cause of the error: Spark ends an executor where it finds one among a task's causes.
    *
    * @param doing completes "no memory left to ..."
    */
  def noMemory(doing: String, cause: OutOfMemoryError): OutOfMemory = {
    val error = new OutOfMemory(
      s"The JVM has no memory left to $doing: ${cause.getMessage}",
      "Give the executors more of it (spark.executor.memory); nothing is lost in storage.",
      cause = null
    )
    error.addSuppressed(cause)
    error
  }

  /** Where state is lost, Spark's text may advise to clear the checkpoint, and so to lose the rest of it. */
  private def wayBack(files: RemoteFiles, cause: Throwable): String = cause match {
    case damaged: CorruptFile => s" ${loadableWithout(files, damaged)}$KeepTheCheckpoint"
    case _: NotFound | _: Conflict => KeepTheCheckpoint
    case _ => ""
  }

  private def loadableWithout(files: RemoteFiles, damaged: CorruptFile): String = {
    val name = damaged.file.fold("")(_.split('/').last)
    try s"${RecoveryPlan.loadableText(files.list("").map(_.name).filter(_ != name).flatMap(FileNames.parse))}."
    catch {
      case e: StateStoreException =>
        damaged.addSuppressed(e)
        ""
    }
  }

  private val KeepTheCheckpoint =
    " Do not clear the checkpoint, whatever else this message advises: it still holds the query's state. How to restart from an earlier " +
      "batch of it: `rockstate verify` names the batches that it cannot go back to, `rockstate rollback --dry-run` tries the one before."

  private def fileOf(folder: Path, missing: NotFound): Path = missing.file.fold(folder)(new Path(folder, _))

  /** Spark's templates have no place for a remedy, and `UNCATEGORIZED` not even for the problem. */
  private def withOurText(error: Throwable, cause: Throwable, more: String = ""): Throwable = (error, cause) match {
    case (spark: SparkException, ours: StateStoreException) =>
      new SparkException(
        s"${spark.getMessage.trim} ${ours.getMessage}$more",
        ours,
        Option(spark.getCondition),
        spark.getMessageParameters.asScala.toMap
      )
    case _ => error
  }
}
