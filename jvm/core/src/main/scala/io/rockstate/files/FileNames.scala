package io.rockstate.files

import java.util.UUID

import scala.util.matching.Regex

import io.rockstate.errors.Misuse
import io.rockstate.versions.StateVersion

/** A file directly in a store's folder, told from its name. */
sealed trait StoreFile {
  def version: StateVersion
  final def name: String = FileNames.of(this)
}

final case class DeltaName(version: StateVersion) extends StoreFile
final case class SnapshotName(version: StateVersion) extends StoreFile

/** The one place where names of a store's files are built and parsed.
  *
  * {{{
  * 17.delta      17_<checkpointId>.delta        versions count from 1, without leading zeros
  * 20.snapshot   20_<checkpointId>.snapshot     a checkpoint id has 1 to 128 of A-Z a-z 0-9 _ -
  * sst/<unique>.sst                             <unique> has 1 to 128 of A-Z a-z 0-9 -
  * }}}
  */
object FileNames {

  /** The folder of the table files, relative to the store's. */
  val TableFolder = "sst"

  private val CheckpointId: Regex = "[A-Za-z0-9_-]{1,128}".r
  private val Named: Regex = s"([1-9][0-9]{0,18})(?:_($CheckpointId))?\\.(delta|snapshot)".r
  private val Table: Regex = s"$TableFolder/[A-Za-z0-9-]{1,128}\\.sst".r
  private val Inside: Regex = "(?:[A-Za-z0-9_-][A-Za-z0-9._-]*/)*[A-Za-z0-9_-][A-Za-z0-9._-]*".r

  def delta(version: StateVersion): String = s"${checked(version)}.delta"

  def snapshot(version: StateVersion): String = s"${checked(version)}.snapshot"

  def of(file: StoreFile): String = file match {
    case DeltaName(version) => delta(version)
    case SnapshotName(version) => snapshot(version)
  }

  /** A name for a new table file, relative to the store's folder, that no other file has. */
  def newTableFile(): String = inTableFolder(s"${UUID.randomUUID()}.sst")

  /** The name, relative to the store's folder, of a file listed in [[TableFolder]]. */
  def inTableFolder(listedName: String): String = s"$TableFolder/$listedName"

  /** The name that a table file is listed under in [[TableFolder]]. */
  def listedName(tableFile: String): String = tableFile.stripPrefix(s"$TableFolder/")

  /** What `name` stands for; None if it is not one of ours, and then the file is left alone. */
  def parse(name: String): Option[StoreFile] = name match {
    case Named(digits, id, kind) =>
      digits.toLongOption.map { number =>
        val version = StateVersion(number, Option(id))
        if (kind == "delta") DeltaName(version) else SnapshotName(version)
      }
    case _ => None
  }

  /** Whether `name` is a table file's, relative to the store's folder. Anything that could point elsewhere is not. */
  def isTableFileName(name: String): Boolean = Table.matches(name)

  /** Refuses a name that is absolute, hidden, or leads out of the store's folder. */
  def requireInside(name: String): Unit =
    if (!Inside.matches(name))
      throw new Misuse(
        s"'$name' is not a name inside a store's folder",
        "Use a relative path of letters, digits, '.', '_' and '-' whose parts do not start with a dot."
      )

  private def checked(version: StateVersion): StateVersion = {
    if (version.version < 1 || version.checkpointId.exists(!CheckpointId.matches(_)))
      throw new Misuse(
        s"Version '$version' has no file name",
        s"Files exist for versions from 1 on, with a checkpoint id that matches $CheckpointId or none.",
        Some(version.version)
      )
    version
  }
}
