package io.rockstate.engine.recovery

import io.rockstate.errors.Unsupported
import io.rockstate.files.RemoteFiles
import io.rockstate.versions.RowLayout

/** Refuses files whose rows are laid out in another way than this store reads and writes them. */
private[engine] final class LayoutCheck(files: RemoteFiles, expected: RowLayout) {

  def require(written: RowLayout, file: String, version: Long): Unit =
    if (written != expected) {
      throw new Unsupported(
        s"The file was written with ${text(written)}, and this store was opened with ${text(expected)}: it would misread the rows",
        "Restart the query with the confs that it was begun with, on a Spark that knows them.",
        Some(s"${files.location}/$file"),
        Some(version)
      )
    }

  private def text(layout: RowLayout): String =
    if (layout.confs.isEmpty) "plain rows" else layout.confs.mkString(", ")
}
