package org.apache.spark.sql.execution.streaming.state.rockstate.inspect

import java.io.{BufferedReader, FileNotFoundException, InputStreamReader}
import java.nio.charset.StandardCharsets.UTF_8

import scala.util.{Try, Using}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}
import org.json4s.{JArray, JNothing, JString, JValue}
import org.json4s.jackson.JsonMethods

import org.apache.spark.{SPARK_VERSION, SparkThrowable}
import org.apache.spark.sql.execution.streaming.checkpointing.{CommitLog, MetadataVersionUtil, OffsetSeqLog}
import org.apache.spark.sql.execution.streaming.state.{OperatorStateMetadataUtils, OperatorStateMetadataV1}
import org.apache.spark.sql.execution.streaming.state.{OperatorStateMetadataV2, StateStoreId}
import org.apache.spark.sql.internal.SQLConf

import io.rockstate.errors.{NotFound, Unsupported}

/** A query's checkpoint folder, on any Hadoop file system. Only reads. */
private[rockstate] final class CheckpointFolder(location: String, hadoopConf: Configuration) {
  private val root = new Path(location)
  private val fs = root.getFileSystem(hadoopConf)
  private val qualified = fs.makeQualified(root)

  def report(): CheckpointReport = {
    requireState()
    ofThisRelease(read())
  }

  private def read(): CheckpointReport = {
    val planned = numbersIn("offsets").lastOption
    val committed = numbersIn("commits").lastOption
    val checkpointIds =
      committed.fold[JValue](JNothing)(metadata("commits", _, CommitLog.MAX_VERSION) \ "stateUniqueIds")
    CheckpointReport(
      qualified.toString,
      planned.flatMap(providerOf),
      planned,
      committed,
      numbersIn("state").map(id => operator(id, checkpointIds \ id.toString))
    )
  }

  private def requireState(): Unit = {
    val problem =
      if (!fs.exists(qualified)) Some("There is no such folder")
      else if (!fs.exists(new Path(qualified, "state")))
        Some("The folder has no state: no streaming query kept any in it")
      else None
    problem.foreach { what =>
      throw new NotFound(
        what,
        "Give the checkpointLocation of a streaming query with stateful operators, with its file system if it is not the default one.",
        qualified.toString
      )
    }
  }

  private def ofThisRelease[T](body: => T): T =
    try body
    catch {
      case e: SparkThrowable if String.valueOf(e.getCondition).startsWith("INVALID_LOG_VERSION") =>
        throw new Unsupported(
          s"Another Spark release wrote the checkpoint: ${e.asInstanceOf[Throwable].getMessage}",
          s"Look at it with the Spark release that its query runs on; this is $SPARK_VERSION.",
          Some(qualified.toString)
        )
    }

  /** @param checkpointIds an array of each partition's ids */
  private def operator(id: Long, checkpointIds: JValue): OperatorReport = {
    val folder = new Path(new Path(qualified, "state"), id.toString)
    val stores = numbersIn(s"state/$id").flatMap { partition =>
      val place = new Path(folder, partition.toString)
      val named = list(place).filter(f => f.isDirectory && !CheckpointFolder.isInside(f)).map(_.getPath.getName)
      val names = if (named.isEmpty || list(place).exists(_.isFile)) StateStoreId.DEFAULT_STORE_NAME +: named else named
      val ids = idsOf(partition.toInt, checkpointIds)
      names.sorted.map(name => StorePlace(partition.toInt, name, storeLocation(id, partition.toInt, name), ids))
    }
    OperatorReport(id, operatorName(folder), stores)
  }

  private def storeLocation(operatorId: Long, partition: Int, name: String): String =
    StateStoreId(new Path(qualified, "state").toString, operatorId, partition, name).storeCheckpointLocation().toString

  /** From Spark's operator metadata; checkpoints of old Spark releases have none. */
  private def operatorName(folder: Path): Option[String] = {
    val newest =
      list(OperatorStateMetadataV2.metadataDirPath(folder)).flatMap(f => f.getPath.getName.toLongOption).maxOption
    newest
      .map(batch => (OperatorStateMetadataV2.metadataFilePath(folder, batch), 2))
      .orElse(Some((OperatorStateMetadataV1.metadataFilePath(folder), 1)))
      .filter { case (file, _) => fs.exists(file) }
      .flatMap { case (file, version) => OperatorStateMetadataUtils.readMetadata(fs.open(file), version) }
      .map(_.operatorInfo.operatorName)
  }

  private def idsOf(partition: Int, checkpointIds: JValue): Vector[String] = checkpointIds match {
    case JArray(partitions) =>
      partitions.lift(partition).toVector.flatMap(_.children).collect { case JString(id) => id }
    case _ => Vector.empty
  }

  /** The offset log's metadata has the confs that the query is pinned to. */
  private def providerOf(batch: Long): Option[String] =
    metadata("offsets", batch, OffsetSeqLog.MAX_VERSION) \ "conf" \ SQLConf.STATE_STORE_PROVIDER_CLASS.key match {
      case JString(name) => Some(name)
      case _ => None
    }

  /** The second line of a batch's entry in a log of Spark's, whose first line is the log's version. */
  private def metadata(log: String, batch: Long, newestVersion: Int): JValue = {
    val file = new Path(new Path(qualified, log), batch.toString)
    val line = Using.resource(new BufferedReader(new InputStreamReader(fs.open(file), UTF_8))) { reader =>
      Option(reader.readLine()).foreach(version => MetadataVersionUtil.validateVersion(version.trim, newestVersion))
      Option(reader.readLine())
    }
    line.flatMap(text => Try(JsonMethods.parse(text)).toOption).getOrElse(JNothing)
  }

  private def numbersIn(folder: String): Vector[Long] =
    list(new Path(qualified, folder)).flatMap(f => f.getPath.getName.toLongOption).sorted

  private def list(folder: Path): Vector[FileStatus] =
    try fs.listStatus(folder).toVector
    catch { case _: FileNotFoundException => Vector.empty }
}

private object CheckpointFolder {

  /** Folders within a store's: Rockstate's table files, those of Spark's RocksDB provider, and metadata. */
  private def isInside(folder: FileStatus): Boolean =
    Set("sst", "SSTs", "logs").contains(folder.getPath.getName) || folder.getPath.getName.matches("[._].*")
}
