package io.rockstate.inspect

import io.rockstate.files.FileNames
import io.rockstate.history.StateVersion

/** What a query's commit log says of a store: the version that the last committed batch made, and which attempt at it counts.
  *
  * @param checkpointIds of all stores of the operator's partition, one of them this store's; empty under checkpoint format 1
  */
final case class LoggedCommit(version: Long, checkpointIds: Set[String]) {

  /** Whether a name is this commit's; without checkpoint ids any attempt at the version is. */
  def isNamed(name: StateVersion): Boolean =
    name.version == version && (checkpointIds.isEmpty || name.checkpointId.exists(checkpointIds))

  /** What is wrong with a store that can load these and no others. */
  def problemAmong(loadable: Seq[StateVersion]): Option[FileProblem] =
    if (version == 0 || loadable.exists(isNamed)) None
    else {
      val others =
        if (loadable.exists(_.version == version)) s": only files of other attempts are there, none with $id" else ""
      Some(
        FileProblem(
          FileNames.delta(StateVersion(version, Option.when(checkpointIds.size == 1)(checkpointIds.head))),
          Some(version),
          s"The query's last committed batch is ${version - 1}, and its version $version cannot be loaded$others",
          "Restore the files of that version from a backup, or restart the query from a batch whose version is loadable."
        )
      )
    }

  private def id: String = s"checkpoint id ${checkpointIds.toVector.sorted.mkString(" or ")}"
}
