package io.rockstate.versions

/** One commit of a store's history: the version it made, and the id that tells it from other attempts at that version. With Spark's
  * checkpoint format 2 the id is the checkpoint id in the file's name.
  */
final case class LineageEntry(version: Long, commitId: String)

object Lineage {

  /** Whether each entry is the version after the one before it. */
  def isConsecutive(lineage: Vector[LineageEntry]): Boolean =
    lineage.iterator.zip(lineage.iterator.drop(1)).forall { case (older, newer) => newer.version == older.version + 1 }
}
