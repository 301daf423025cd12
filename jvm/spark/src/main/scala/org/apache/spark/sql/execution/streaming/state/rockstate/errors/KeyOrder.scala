package org.apache.spark.sql.execution.streaming.state.rockstate.errors

import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.execution.streaming.state.{StateSchemaCompatibilityChecker, StateStore, StateStoreId}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.CheckpointFileManager
import org.apache.spark.sql.types.StructType

import io.rockstate.errors.{MissingFile, Unavailable, Unsupported}

/** Refuses state whose key has the same columns as the query's in another order: every look-up would miss. Spark compares the columns'
  * types alone, and its minors order those of a deduplication in different ways. Only the keys that this can happen to are compared.
  */
private[rockstate] final class KeyOrder(id: StateStoreId, keySchema: StructType, hadoopConf: Configuration) {
  import KeyOrder._

  @volatile private var isPending = isOrderedInManyWays

  /** Call before a version is loaded, be it the empty one that a first attempt has left. Once it has passed it reads nothing more. */
  def check(): Unit = if (isPending) {
    begunWith().filter(isReordered).foreach(begun => throw refusal(begun))
    isPending = false
  }

  /** The columns of the first batch: Spark leaves the schema as it was where only names change. It has none here of operators that evolve
    * theirs, nor of stores without a default column family.
    */
  private def begunWith(): Option[Seq[String]] =
    try {
      val schemas = StateSchemaCompatibilityChecker.readSchemaFile(
        CheckpointFileManager.create(schemaFile, hadoopConf).open(schemaFile)
      )
      schemas.find(_.colFamilyName == StateStore.DEFAULT_COL_FAMILY_NAME).map(_.keySchema.fieldNames.toSeq)
    } catch {
      case MissingFile() => None
      case NonFatal(e) =>
        throw new Unavailable(
          s"Could not read the schema of the operator's state: $e",
          "Trying again may help; if the file is damaged, restore it from a backup.",
          Some(schemaFile.toString),
          cause = e
        )
    }

  /** Renamed columns are Spark's business. */
  private def isReordered(begun: Seq[String]): Boolean = begun != names && begun.sorted == names.sorted

  private def refusal(begun: Seq[String]): Unsupported = new Unsupported(
    s"The query's key is (${names.mkString(", ")}), and its checkpoint was begun with the same columns in another order, " +
      s"(${begun.mkString(", ")}): it would take rows that it has seen for new ones",
    s"A deduplication that was begun with $OrderConf=true, as Spark 4.3 does unless told otherwise, goes on with Spark 4.3 or later only. " +
      "Where it was the query that changed, give the columns in their first order. Otherwise start with a new checkpoint.",
    Some(schemaFile.toString)
  )

  private def isOrderedInManyWays: Boolean = names.length > KeptInOrder || names.distinct.length < names.length

  private def names: Seq[String] = keySchema.fieldNames.toSeq

  private def schemaFile: Path = new Path(id.copy(partitionId = 0).storeCheckpointLocation(), "_metadata/schema")
}

private object KeyOrder {

  /** The largest set that Scala keeps in order. Up to Spark 4.2 `Dataset.dropDuplicates` made one of the columns' names, and took all
    * columns of a name together.
    */
  private val KeptInOrder = 4

  /** Earlier Sparks have no name for it. */
  private val OrderConf = "spark.sql.dropDuplicates.deterministicKeyOrder.enabled"
}
