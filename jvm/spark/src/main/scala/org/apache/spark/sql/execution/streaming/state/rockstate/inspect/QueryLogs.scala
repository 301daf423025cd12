package org.apache.spark.sql.execution.streaming.state.rockstate.inspect

import java.io.{ByteArrayInputStream, InputStream}
import java.nio.charset.StandardCharsets.UTF_8

import scala.annotation.tailrec

import org.json4s.jackson.JsonMethods

import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles._
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.{
  MetadataVersionUtil,
  OffsetSeqMetadata,
  QueryLogFormat
}
import org.apache.spark.sql.internal.SQLConf

import io.rockstate.inspect.{FileProblem, LoggedCommit}

/** What a query's offset log and commit log hold, by batch.
  *
  * @param strayChecksums the logs and batches to come of which only a checksum file is there
  * @param unread         further batches by log, of which only the names are known
  */
private[inspect] final case class QueryLogs(
    offsets: Map[Long, Content[PlannedBatch]],
    commits: Map[Long, Content[CommittedBatch]],
    strayChecksums: Vector[(String, Long)] = Vector.empty,
    unread: Map[String, Set[Long]] = Map.empty
) {

  /** The batches that have an entry, read or not. */
  val planned: Set[Long] = offsets.keySet ++ unread.getOrElse("offsets", Set.empty)
  val committed: Set[Long] = commits.keySet ++ unread.getOrElse("commits", Set.empty)

  val lastPlanned: Option[Long] = offsets.keys.maxOption
  val lastCommitted: Option[Long] = commits.keys.maxOption

  /** The checkpoint format of the last commit. */
  def checkpointFormat: Option[Int] = lastCommitted.flatMap(commits(_).toOption).map(_.format)

  /** What the offset log pins the query to, by the newest entry that can be read. */
  def pinned: Option[PlannedBatch] = offsets.toVector.sortBy(-_._1).flatMap(_._2.toOption).headOption

  /** The operators that the last commit names; none under checkpoint format 1. */
  def operators: Set[Long] = newestIds.keySet

  /** How many partitions the operator had in the last committed batch, if the commit log tells. */
  def partitionsOf(operator: Long): Option[Int] = newestIds.get(operator).map(_.length)

  /** What the commits that are known promise of a partition's stores, oldest first. */
  def promised(operator: Long, partition: Int): Vector[LoggedCommit] =
    commits.toVector.sortBy(_._1).flatMap { case (batch, content) =>
      val ids = content.toOption.flatMap(_.checkpointIds).flatMap(_.get(operator))
      // A partition that a batch's operator did not have promises nothing of it; a damaged entry leaves any attempt possible.
      ids.fold(ofAny(batch, partition))(_.lift(partition).map(_.toSet)).map(LoggedCommit(batch + 1, _))
    }

  /** Without checkpoint ids any attempt may be a batch's, if it had the partition. */
  private def ofAny(batch: Long, partition: Int): Option[Set[String]] =
    Option.when(plan(batch).flatMap(_.partitions).forall(partition < _))(Set.empty)

  /** A batch that was begun to give the query another number of partitions in place, and is not committed. */
  def unfinishedRepartition: Option[Repartition] = for {
    batch <- lastPlanned if lastCommitted.contains(batch - 1)
    partitions <- plan(batch).flatMap(_.partitions)
    before <- plan(batch - 1).flatMap(_.partitions) if before != partitions
  } yield Repartition(batch, before, partitions)

  private def plan(batch: Long): Option[PlannedBatch] = offsets.get(batch).flatMap(_.toOption)

  private def newestIds: Map[Long, Array[Array[String]]] =
    lastCommitted.flatMap(commits(_).toOption).flatMap(_.checkpointIds).getOrElse(Map.empty)
}

/** A batch's entry in the offset log.
  *
  * @param sources how many offsets it has, if all entries must have as many: those of named sources have one for each that has any
  */
private[inspect] final case class PlannedBatch(conf: Map[String, String], sources: Option[Int]) {
  def provider: Option[String] = conf.get(SQLConf.STATE_STORE_PROVIDER_CLASS.key)
  def partitions: Option[Int] = conf.get(SQLConf.SHUFFLE_PARTITIONS.key).flatMap(_.toIntOption)
}

/** @param before how many partitions there were */
private[inspect] final case class Repartition(batch: Long, before: Int, partitions: Int)

/** A batch's entry in the commit log.
  *
  * @param format        the checkpoint format
  * @param checkpointIds by operator and partition those of its stores; none under checkpoint format 1
  */
private[inspect] final case class CommittedBatch(
    format: Int,
    checkpointIds: Option[Map[Long, Array[Array[String]]]]
)

private[inspect] object QueryLogs {
  private val Attempts = 5

  /** The newest commit, what tells of the newest batch, and the names of the others. */
  def newest(files: CheckpointFiles): QueryLogs = {
    val (commits, offsets) = (files.numbersIn("commits"), files.numbersIn("offsets"))
    read(files, commits.takeRight(1), offsets.takeRight(2))
      .copy(unread = Map("commits" -> commits.dropRight(1).toSet, "offsets" -> offsets.dropRight(2).toSet))
  }

  /** Every entry of both logs. */
  def whole(files: CheckpointFiles): QueryLogs = {
    val checksums = Vector("commits", "offsets").map(log => log -> files.checksumsIn(log))
    val entries = read(files, files.numbersIn("commits"), files.numbersIn("offsets"))
    val last = Map("commits" -> entries.lastCommitted, "offsets" -> entries.lastPlanned)
    val strays = checksums.flatMap { case (log, batches) =>
      batches.filter(b => last(log).forall(_ < b)).map(log -> _)
    }
    entries.copy(strayChecksums = strays)
  }

  /** Logs, and what is wrong with them. A query that runs meanwhile writes and deletes entries: only what is wrong twice in the same way
    * counts.
    */
  def settled(read: () => QueryLogs)(problemsOf: QueryLogs => Vector[FileProblem]): (QueryLogs, Vector[FileProblem]) = {
    @tailrec
    def again(before: Option[Vector[FileProblem]], attempts: Int): (QueryLogs, Vector[FileProblem]) = {
      val logs = read()
      val problems = problemsOf(logs)
      if (problems.isEmpty || before.contains(problems) || attempts == 1) (logs, problems)
      else again(Some(problems), attempts - 1)
    }
    again(None, Attempts)
  }

  /** An entry that was listed and is gone has been cleaned up. */
  private def read(files: CheckpointFiles, commits: Vector[Long], offsets: Vector[Long]): QueryLogs = {
    def all[T](log: String, batches: Vector[Long])(parse: InputStream => T): Map[Long, Content[T]] =
      batches.map(batch => batch -> files.read(s"$log/$batch")(parse)).filter(_._2 != Gone).toMap
    QueryLogs(all("offsets", offsets)(plannedBatch), all("commits", commits)(commit))
  }

  private def commit(in: InputStream): CommittedBatch = {
    val text = new String(in.readAllBytes(), UTF_8)
    if (text.linesIterator.size == 1) throw new IllegalStateException("It ends before its metadata")
    val (format, checkpointIds) = QueryLogFormat.commit(new ByteArrayInputStream(text.getBytes(UTF_8)))
    // Entries of version 3 tell of sinks besides, in either format.
    CommittedBatch(if (format <= 2) format else if (checkpointIds.isEmpty) 1 else 2, checkpointIds)
  }

  private def plannedBatch(in: InputStream): PlannedBatch = {
    val lines = new String(in.readAllBytes(), UTF_8).linesIterator.toVector
    val version = MetadataVersionUtil.validateVersion(lines.headOption.getOrElse("").trim, QueryLogFormat.NewestOffsets)
    if (lines.size < 3) throw new IllegalStateException("It ends before its offsets")
    val conf = if (lines(1).trim.isEmpty) Map.empty[String, String] else OffsetSeqMetadata(lines(1)).conf
    val offsets = lines.drop(2).map(line => if (version == 1) line else line.drop(line.indexOf(':') + 1))
    offsets.filter(_ != QueryLogFormat.NoOffset).foreach(JsonMethods.parse(_))
    PlannedBatch(conf, Option.when(version == 1)(offsets.size))
  }
}
