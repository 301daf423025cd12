package io.rockstate.errors

/** What went wrong with a store, as one of a handful of kinds. The message always says problem, cause and remedy. */
sealed abstract class StateStoreException(
    val problem: String,
    val remedy: String,
    val file: Option[String],
    val version: Option[Long],
    cause: Throwable
) extends RuntimeException(StateStoreException.render(problem, remedy, file, version), cause)

/** A file's bytes are not what was written: truncated, altered, or not ours. */
final class CorruptFile(
    problem: String,
    remedy: String,
    file: String,
    version: Option[Long] = None,
    cause: Throwable = null
) extends StateStoreException(problem, remedy, Some(file), version, cause)

/** A file or version that must be there is not. */
final class NotFound(
    problem: String,
    remedy: String,
    file: String,
    version: Option[Long] = None,
    cause: Throwable = null
) extends StateStoreException(problem, remedy, Some(file), version, cause)

/** Another transaction got there first, or two histories of one version disagree. */
final class Conflict(problem: String, remedy: String, file: Option[String] = None, version: Option[Long] = None)
    extends StateStoreException(problem, remedy, file, version, null)

/** Storage or the local disk did not do what it was asked to; trying again may help. */
final class Unavailable(
    problem: String,
    remedy: String,
    file: Option[String],
    version: Option[Long] = None,
    cause: Throwable = null
) extends StateStoreException(problem, remedy, file, version, cause)

/** Work on a checkpoint needs more memory than there is. */
final class OutOfMemory(problem: String, remedy: String, cause: Throwable)
    extends StateStoreException(problem, remedy, None, None, cause)

/** A format version, codec or feature that this release does not know. */
final class Unsupported(problem: String, remedy: String, file: Option[String] = None, version: Option[Long] = None)
    extends StateStoreException(problem, remedy, file, version, null)

/** The caller used the store against its contract. */
final class Misuse(problem: String, remedy: String, version: Option[Long] = None)
    extends StateStoreException(problem, remedy, None, version, null)

object StateStoreException {
  private def render(problem: String, remedy: String, file: Option[String], version: Option[Long]): String = {
    val where = (file.map(f => s"file $f") ++ version.map(v => s"version $v")).mkString(", ")
    val place = if (where.isEmpty) "" else s" [$where]"
    s"$problem$place. $remedy"
  }
}
