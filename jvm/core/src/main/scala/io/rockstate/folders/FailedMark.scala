package io.rockstate.folders

import java.io.IOException
import java.nio.file.{Files, Path}

/** Left in a database's folder when RocksDB fails on it: neither it nor the table files that it shares with others are trusted then. */
private[rockstate] object FailedMark {

  /** Where nothing can be written, nothing will be found to go on from either. */
  def set(database: Path): Unit =
    try if (!isSet(database)) { Files.createFile(mark(database)); () }
    catch { case _: IOException => }

  def isSet(database: Path): Boolean = Files.exists(mark(database))

  private def mark(database: Path): Path = database.resolve("failed")
}
