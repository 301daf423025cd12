package io.rockstate.format.wire

import io.rockstate.errors.{CorruptFile, Misuse}
import io.rockstate.files.{DeltaName, FileNames, SnapshotName, StoreFile}

/** A file that is being read: turns what is found wrong with it into the error that its reader throws. */
private[format] final class Damage(val file: StoreFile) {

  def apply(problem: String, cause: Throwable = null): CorruptFile =
    new CorruptFile(s"The file is damaged: $problem", remedy, file.name, Some(file.version.version), cause)

  /** Refuses a file that stands under another version's or another attempt's name. */
  def requireNamed(version: Long, commitId: String): Unit = {
    if (version != file.version.version) throw apply(s"it was written as version $version")
    if (file.version.checkpointId.exists(_ != commitId)) throw apply(s"it was written under checkpoint id '$commitId'")
  }

  private def remedy: String = file match {
    case DeltaName(version) =>
      val otherwise =
        if (version.version > 1)
          s", or go back to batch ${version.version - 2} or an earlier one: `rockstate rollback`."
        else ": it is the first, so that there is none before it to go back to."
      "Restore the file from a backup or from an older version that the storage keeps of it" + otherwise
    case SnapshotName(_) =>
      "Recovery skips it if an older snapshot and the deltas after that are there. To have it back, restore the file from a " +
        "backup or from an older version that the storage keeps of it; or delete it."
  }
}

private[format] object Damage {

  def ofDelta(name: String): Damage = FileNames.parse(name) match {
    case Some(file: DeltaName) => new Damage(file)
    case _ => throw misnamed(name, "a delta")
  }

  def ofSnapshot(name: String): Damage = FileNames.parse(name) match {
    case Some(file: SnapshotName) => new Damage(file)
    case _ => throw misnamed(name, "a snapshot")
  }

  private def misnamed(name: String, kind: String) =
    new Misuse(s"'$name' is not the name of $kind", "Build the name with FileNames.")
}
