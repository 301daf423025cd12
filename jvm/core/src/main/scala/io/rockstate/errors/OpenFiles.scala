package io.rockstate.errors

import java.nio.file.Path

/** The operating system's limit on the files that a process has open. */
object OpenFiles {
  val Remedy: String =
    "Raise the limit (`ulimit -n`): twelve for each store that an executor has. Nothing is lost in storage."

  /** Whether a failure comes of it: then nothing is wrong with a disk or what is on it. */
  def areTooMany(failure: Throwable): Boolean =
    Option(failure.getMessage).exists(_.contains("Too many open files"))

  /** It names no file in its place: whoever sees that takes it for one that has gone bad. */
  def tooMany(where: Path, cause: Throwable): Unavailable = new Unavailable(
    s"This process has too many files open to go on in $where: ${cause.getMessage}",
    Remedy,
    file = None,
    cause = cause
  )
}
