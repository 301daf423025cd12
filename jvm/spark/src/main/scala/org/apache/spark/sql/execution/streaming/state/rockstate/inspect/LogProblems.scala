package org.apache.spark.sql.execution.streaming.state.rockstate.inspect

import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles._

import io.rockstate.inspect.FileProblem

/** What is wrong with a query's logs. Pure: what they hold in, the decision out.
  *
  * A query starts from its last planned batch `L`: it reads the offsets of `L` and `L - 1`, and the last commit, which is that of `L` or,
  * if `L` has to run again, of `L - 1`. To go back after batch `n` it needs the same for `n`. Both logs are cleaned up from below.
  */
private[inspect] object LogProblems {

  /** @param hasStores whether there is state: a query plans its first batch before it writes any */
  def of(logs: QueryLogs, hasStores: Boolean): Vector[FileProblem] =
    (missing(logs, hasStores) ++ unreadable(logs) ++ inTheWay(logs)).sortBy(p => (p.version, p.file))

  private def missing(
      logs: QueryLogs,
      hasStores: Boolean
  ): Vector[FileProblem] = (logs.lastPlanned, logs.lastCommitted) match {
    case (None, None) =>
      val what =
        "Neither of the query's logs has a batch, though it has kept state: the query does not start, and on Spark 4.0 " +
          "it may begin anew on what is there"
      Option.when(hasStores)(FileProblem("offsets", None, what, RestoreLogs)).toVector
    case (None, Some(committed)) =>
      val what = s"No batch's offsets are there, though batch $committed was committed: the query does not start"
      Vector(FileProblem("offsets", None, what, Restore))
    case (Some(planned), committed) =>
      val offsets =
        (between(logs.planned) ++ Option(planned - 1).filter(_ >= 0)).filterNot(logs.planned)
      offsets.distinct.map(batch => problem("offsets", batch, "The offsets are not there", ofOffsets(logs, batch))) ++
        committed.filter(_ > planned).map(lostPlan(_, planned)) ++
        missingCommits(logs, planned)
  }

  private def lostPlan(committed: Long, planned: Long): FileProblem = problem(
    "offsets",
    committed,
    s"Batch $committed was committed, and its offsets are not there",
    s"the query would run batch $planned again, which it has committed"
  )

  private def missingCommits(logs: QueryLogs, planned: Long): Vector[FileProblem] = {
    // Of a query that has planned only one batch, none need be committed.
    val isLate = planned > 0 && logs.lastCommitted.forall(_ < planned - 1)
    val late = Option.when(isLate) {
      val consequence = s"the query would run batch $planned on version $planned of its state, of which no commit tells"
      val late = problem(
        "commits",
        planned - 1,
        s"Batch $planned was planned, and the commit of the one before it is not there",
        consequence
      )
      if (logs.committed.isEmpty) late.copy(remedy = RestoreLogs) else late
    }
    val early = between(logs.committed).filterNot(logs.committed).map { batch =>
      problem("commits", batch, "The commit is not there", s"the query cannot go back to batch $batch")
    }
    early ++ late
  }

  /** What is wrong with the entries that are there. */
  private def unreadable(logs: QueryLogs): Vector[FileProblem] = {
    val offsets = logs.offsets.toVector.collect { case (batch, Damaged(why)) =>
      problem("offsets", batch, s"The offsets cannot be read ($why)", ofOffsets(logs, batch))
    }
    val commits = logs.commits.toVector.collect { case (batch, Damaged(why)) =>
      val consequence =
        if (logs.lastCommitted.contains(batch)) DoesNotStart else s"the query cannot go back to batch $batch"
      problem("commits", batch, s"The commit cannot be read ($why)", consequence)
    }
    offsets ++ commits ++ cutOff(logs)
  }

  private def inTheWay(logs: QueryLogs): Vector[FileProblem] = logs.strayChecksums.map { case (log, batch) =>
    FileProblem(
      s"$log/.$batch.crc",
      Some(batch + 1),
      s"Its entry is gone, and Spark cannot write it anew beside this checksum file: the query fails in batch $batch with " +
        "\"Multiple streaming queries are concurrently using\" the folder",
      "Delete the file."
    )
  }

  /** A query has the same sources in all its batches, unless they have names. */
  private def cutOff(logs: QueryLogs): Vector[FileProblem] = {
    val sources = logs.offsets.toVector.flatMap { case (batch, content) =>
      content.toOption.flatMap(_.sources).map(batch -> _)
    }
    val most = sources.map(_._2).maxOption.getOrElse(0)
    sources.filter(_._2 < most).map { case (batch, found) =>
      problem("offsets", batch, s"It has the offsets of $found sources, other batches of $most", ofOffsets(logs, batch))
    }
  }

  private def ofOffsets(logs: QueryLogs, batch: Long): String =
    if (logs.lastPlanned.exists(_ <= batch + 1)) DoesNotStart
    else s"the query cannot go back to batch $batch or ${batch + 1}"

  private def problem(log: String, batch: Long, what: String, consequence: String): FileProblem =
    FileProblem(s"$log/$batch", Some(batch + 1), s"$what: $consequence", Restore)

  private def between(batches: Set[Long]): Vector[Long] =
    if (batches.isEmpty) Vector.empty else (batches.min to batches.max).toVector

  private val DoesNotStart = "the query does not start"
  private val RestoreLogs =
    "Restore the files of `offsets` and `commits` from a backup; there is no batch to go back to without."
  private val Restore =
    "Restore the file from a backup, or go back to a batch that has all it needs (`rockstate rollback --dry-run` tries one)."
}
