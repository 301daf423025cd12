package io.rockstate.inspect

import io.rockstate.versions.{ColumnFamily, VersionRange}

/** What a store's folder holds.
  *
  * @param loadable       the versions that can be loaded: as far as names tell, or for certain if `isVerified`
  * @param newest         the newest of them
  * @param newestSnapshot the newest version with a snapshot
  * @param orphans        table files that no manifest names, and temporary files: of a writer that was cut off, or one that is at work
  * @param others         files that are not Rockstate's
  * @param problems       what is damaged, missing or does not fit; empty for a sound store
  * @param isVerified     whether every file was read
  */
final case class StoreReport(
    location: String,
    deltas: FileTotals,
    snapshots: FileTotals,
    tables: FileTotals,
    orphans: FileTotals,
    others: FileTotals,
    loadable: Vector[VersionRange],
    newest: Option[VersionReport],
    newestSnapshot: Option[Long],
    problems: Vector[FileProblem],
    isVerified: Boolean
) {

  /** Without what is wrong with files that were not wrong in another report. */
  def onlyWithProblemsOf(other: StoreReport): StoreReport = {
    val known = other.problems.map(problem => (problem.file, problem.version)).toSet
    copy(problems = problems.filter(problem => known((problem.file, problem.version))))
  }
}

/** How many files, and their size in bytes together. */
final case class FileTotals(files: Int, bytes: Long)

object FileTotals {
  def of(lengths: Iterable[Long]): FileTotals = FileTotals(lengths.size, lengths.sum)
}

/** A version and its exact row counts; of several attempts the one whose file was written last. */
final case class VersionReport(version: Long, checkpointId: Option[String], columnFamilies: Vector[ColumnFamily])

/** Something wrong with a file, in words for whoever has to mend it.
  *
  * @param file relative to the store's folder
  */
final case class FileProblem(file: String, version: Option[Long], problem: String, remedy: String)
