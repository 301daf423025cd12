package org.apache.spark.sql.execution.streaming.state.rockstate

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path

import org.apache.spark.SparkException
import org.apache.spark.sql.errors.QueryExecutionErrors
import org.apache.spark.sql.execution.streaming.state.StateStoreErrors

import io.rockstate.errors.{NotFound, StateStoreException}

/** Our errors under the error conditions that Spark and its tools look for, with our problem and remedy in the message they show. */
private[rockstate] object SparkErrors {

  /** A version that is not there is `CANNOT_READ_STREAMING_STATE_FILE`, as for Spark's RocksDB provider.
    *
    * @param folder the store's folder
    */
  def loadFailed(folder: Path, cause: Throwable): Throwable = {
    val error = cause match {
      case missing: NotFound =>
        QueryExecutionErrors.failedToReadStreamingStateFileError(fileOf(folder, missing), missing)
      case other => StateStoreErrors.cannotLoadStore(other)
    }
    withOurText(error, cause)
  }

  /** Whatever is wrong with a snapshot that was asked for by its version is `CANNOT_LOAD_STATE_STORE`. */
  def replayFailed(cause: Throwable): Throwable = withOurText(StateStoreErrors.cannotLoadStore(cause), cause)

  /** @param store the store as it names itself */
  def commitFailed(store: String, cause: Throwable): Throwable =
    withOurText(QueryExecutionErrors.failedToCommitStateFileError(store, cause), cause)

  private def fileOf(folder: Path, missing: NotFound): Path = missing.file.fold(folder)(new Path(folder, _))

  /** Spark's templates have no place for a remedy, and `UNCATEGORIZED` not even for the problem. */
  private def withOurText(error: Throwable, cause: Throwable): Throwable = (error, cause) match {
    case (spark: SparkException, ours: StateStoreException) =>
      new SparkException(
        s"${spark.getMessage.trim} ${ours.getMessage}",
        ours,
        Option(spark.getCondition),
        spark.getMessageParameters.asScala.toMap
      )
    case _ => error
  }
}
