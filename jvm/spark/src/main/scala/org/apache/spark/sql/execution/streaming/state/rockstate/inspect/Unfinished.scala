package org.apache.spark.sql.execution.streaming.state.rockstate.inspect

import io.rockstate.inspect.FileProblem

/** What a command has begun to do with a checkpoint and not finished: no query is to start on it. Spark 4.2 and later refuse it themselves. */
private[inspect] object Unfinished {
  def in(files: CheckpointFiles, logs: QueryLogs): Option[FileProblem] = files.madeOf
    .map(beingMade)
    .orElse(Option.when(files.isBeingRolledBack)(beingRolledBack(files.rollbackToFinish)))
    .orElse(logs.unfinishedRepartition.map(beingRepartitioned(_, files.folder.toString)))

  private def beingMade(source: String): FileProblem = FileProblem(
    CheckpointFiles.UnfinishedMark,
    None,
    s"The checkpoint is unfinished: it is being made of $source, or that was cut off",
    "Run the command that made it again, which starts over, or delete the folder."
  )

  private def beingRolledBack(command: String): FileProblem = FileProblem(
    CheckpointFiles.RollbackJournal,
    None,
    "The checkpoint is being rolled back to an earlier batch, or that was cut off",
    s"Run `$command` again, which finishes it."
  )

  private def beingRepartitioned(begun: Repartition, folder: String): FileProblem = FileProblem(
    s"offsets/${begun.batch}",
    Some(begun.batch + 1),
    s"The checkpoint is being given ${begun.partitions} partitions instead of ${begun.before}, or that was cut off: Spark " +
      "4.2 and later start no query on it",
    s"Run `rockstate repartition $folder --in-place --partitions ${begun.partitions}` again, which finishes it, or go back " +
      s"with `rockstate rollback $folder --batch ${begun.batch - 1}`."
  )
}
