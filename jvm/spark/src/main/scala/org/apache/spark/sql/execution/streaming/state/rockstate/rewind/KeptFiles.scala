package org.apache.spark.sql.execution.streaming.state.rockstate.rewind

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.{CheckpointFiles, Journal}
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{MoveProgress, PhaseReport, Watched}

import io.rockstate.errors.{Conflict, Misuse}
import io.rockstate.inspect.FileTotals

/** What rollbacks of a checkpoint have kept aside: put back, or forgotten. */
final class KeptFiles(session: SparkSession, checkpoint: String) extends Watched {
  private val hadoopConf: Configuration = session.sessionState.newHadoopConf()
  private val files = new CheckpointFiles(checkpoint, hadoopConf)
  private val moves = new MoveProgress(session.sparkContext)
  private val kept = new KeptAside(files.folder, hadoopConf, () => synchronized(moves.tasks.add(1)))

  override def progress: Option[PhaseReport] = moves.now

  /** Files that are on their way arrive, no other is moved. */
  override def cancel(): Unit = kept.stop()

  /** What `undo` would bring back: nothing is moved. */
  def planUndo(): KeptReport = {
    if (kept.isForgetting) throw nothing
    val last = ofLast()
    report(Vector(last.folder), last.totals)
  }

  /** Undoes the last rollback, unless the query has gone on since. */
  def undo(): KeptReport = {
    kept.finishForgetting()
    kept.settle()
    val last = ofLast()
    last.entry.foreach { entry =>
      moves.begin("move", last.totals.files)
      kept.journaled(entry)(moveBack(last.folder, _))
    }
    kept.delete(last.folder)
    report(Vector(last.folder), last.totals)
  }

  private def ofLast(): LastRollback = {
    val begun = kept.journal
    begun.filter(_.isRollback).foreach(entry => throw kept.cutOff(entry))
    val folder = begun.map(_.folder).orElse(kept.folders.lastOption).getOrElse(throw nothing)
    val totals = kept.totals(folder)
    // Without a file in it, it is what an earlier run has left that was cut off at its end.
    LastRollback(folder, totals, begun.orElse(Option.when(totals.files > 0)(entryOf(folder))))
  }

  /** Logs come last, and of them the commits: what they name is there by then. */
  private def moveBack(folder: String, isAgain: Boolean): Unit = {
    val (state, logs) = kept.filesIn(folder).map(_._1).partition(_.startsWith("state/"))
    val (commits, offsets) = logs.partition(_.startsWith("commits/"))
    val steps = Vector(state.map(Vector(_)), Vector(inOrder("offsets", offsets)), Vector(inOrder("commits", commits)))
    steps.foreach { lists =>
      kept.move(lists.map(_.map(name => s"$folder/$name")), isAgain)(_.stripPrefix(s"$folder/"))
    }
  }

  /** What `forget` would delete: nothing is. */
  def planForget(): KeptReport = {
    kept.journal.foreach(entry => throw kept.cutOff(entry))
    report(kept.folders, kept.totals(KeptAside.Root))
  }

  /** Deletes all of it, for ever. */
  def forget(): KeptReport = {
    kept.settle()
    val all = planForget()
    kept.forget()
    all
  }

  private def nothing: Misuse =
    new Misuse(s"Nothing is kept aside [${files.folder}]", "There is no rollback to undo.")

  private def entryOf(folder: String): Journal = {
    val names = kept.filesIn(folder).map(_._1)
    // Of a repartition that was cut off there is no commit.
    val logs = Vector("commits", "offsets").map(Rollback.batchesIn(_, names))
    val batches = logs
      .find(_.nonEmpty)
      .getOrElse(
        throw new Misuse(
          s"$folder has no entry of the query's logs",
          "It is not what a rollback has kept: move the files by hand."
        )
      )
    val entry = Journal(batches.min - 1, folder, isRollback = false)
    requireFree(entry, names, last = batches.max)
    entry
  }

  /** That what comes back meets nothing of a query that has begun there anew. One that was not stopped for the rollback goes on after the
    * last batch that was kept: its files and those that come back belong together.
    *
    * @param names that come back
    * @param last  batch of them
    */
  private def requireFree(entry: Journal, names: Vector[String], last: Long): Unit = {
    import entry.{batch, folder}
    val later = new LaterFiles(files, batch, hadoopConf)
    val found = later.names
    val committed = Rollback.batchesIn("commits", found)
    val hasGoneOn = if (found.isEmpty) !later.newest._1.contains(batch) else committed.exists(_ <= last)
    if (hasGoneOn)
      throw new Conflict(
        s"The query went on since it was rolled back to batch $batch: its new batches would be mixed with those that were kept",
        s"Stay with the new ones; what is in $folder can be deleted with `rockstate rollback --forget`.",
        Some(files.folder.toString)
      )
    val inTheWay = (found.intersect(names) ++ LaterFiles.upToVersion(found, last)).headOption
    inTheWay.foreach { name =>
      throw new Conflict(
        "A query has written to the checkpoint since it was rolled back, and no batch of it says that it went on from there",
        "Stop the query and its Spark session, move this file out of the checkpoint, and run the same again: nothing that was kept is lost.",
        Some(s"${files.folder}/$name")
      )
    }
  }

  private def inOrder(log: String, names: Vector[String]): Vector[String] =
    Rollback.batchesIn(log, names).sorted.map(batch => s"$log/$batch")

  private def report(folders: Vector[String], totals: FileTotals): KeptReport =
    KeptReport(files.folder.toString, folders, totals.files, totals.bytes)
}

/** What the last rollback has kept.
  *
  * @param entry of the journal while it is undone; none if nothing is left to move
  */
private final case class LastRollback(folder: String, totals: FileTotals, entry: Option[Journal])
