package io.rockstate.versions

/** What a query's checkpoint format says of its versions' names.
  *
  * @param checkpointIds whether attempts at a version have names of their own (Spark's checkpoint format 2); otherwise they share one
  */
final case class VersionNaming(checkpointIds: Boolean) {

  /** The name of the version that this commit makes. */
  def nameOf(version: Long, commitId: String): StateVersion =
    StateVersion(version, Option.when(checkpointIds)(commitId))

  private[rockstate] def nameOf(version: CommittedVersion): StateVersion = nameOf(version.version, version.commitId)

  /** The lineage that a delta on top of `base` carries: only where names tell attempts apart can it be followed. */
  private[rockstate] def lineageOn(base: CommittedVersion): Vector[LineageEntry] =
    if (checkpointIds) base.lineageOfNext else Vector.empty
}
