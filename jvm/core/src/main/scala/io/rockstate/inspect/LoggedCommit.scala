package io.rockstate.inspect

import io.rockstate.files.FileNames
import io.rockstate.versions.{StateVersion, VersionRange}

/** What a query's commit log says of a store: the version that a committed batch made, and which attempt at it counts.
  *
  * @param checkpointIds of all stores of the operator's partition, one of them this store's; empty under checkpoint format 1
  */
final case class LoggedCommit(version: Long, checkpointIds: Set[String]) {

  /** Whether a name is this commit's; without checkpoint ids any attempt at the version is. */
  def isNamed(name: StateVersion): Boolean =
    name.version == version && (checkpointIds.isEmpty || name.checkpointId.exists(checkpointIds))

  private def isAmong(loadable: Seq[StateVersion]): Boolean = version == 0 || loadable.exists(isNamed)

  /** The name of the delta that made the version, if it is known. */
  private def file: String =
    FileNames.delta(StateVersion(version, Option.when(checkpointIds.size == 1)(checkpointIds.head)))

  private def lastIsGone(loadable: Seq[StateVersion]): FileProblem = {
    val others =
      if (loadable.exists(_.version == version))
        s": only files of other attempts are there, none with checkpoint id ${checkpointIds.toVector.sorted.mkString(" or ")}"
      else ""
    FileProblem(
      file,
      Some(version),
      s"The query's last committed batch is ${version - 1}, and its version $version cannot be loaded$others: the query cannot restart",
      LoggedCommit.Remedy
    )
  }
}

object LoggedCommit {
  private val Remedy =
    "Restore the files of that version from a backup, or restart the query from a batch whose version is loadable."

  /** What is wrong with a store that can load these versions and no others: the last commit must be there for the query to restart, each
    * of the others for it to go back.
    *
    * @param logged oldest first
    * @param known  versions of which something wrong has been said already
    */
  def problems(logged: Vector[LoggedCommit], loadable: Seq[StateVersion], known: Set[Long]): Vector[FileProblem] = {
    val gone = logged.filterNot(_.isAmong(loadable))
    val last = gone.filter(logged.lastOption.contains).map(_.lastIsGone(loadable))
    val earlier = gone.filterNot(commit => logged.lastOption.contains(commit) || known(commit.version))
    last ++ VersionRange.gather(earlier.map(_.version)).map(range => noWayBack(range, earlier))
  }

  private def noWayBack(range: VersionRange, gone: Vector[LoggedCommit]): FileProblem = {
    val batches = VersionRange(range.first - 1, range.last - 1)
    FileProblem(
      gone.find(_.version == range.first).get.file,
      Some(range.first),
      s"The query cannot go back to batch $batches, which its logs still have: version $range cannot be loaded",
      "Restore the files of these versions from a backup; only going back to these batches needs them."
    )
  }
}
