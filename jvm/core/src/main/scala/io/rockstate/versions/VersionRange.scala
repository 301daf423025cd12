package io.rockstate.versions

/** Versions from `first` to `last`, both included. */
final case class VersionRange(first: Long, last: Long) {
  def contains(version: Long): Boolean = first <= version && version <= last
  override def toString: String = if (first == last) first.toString else s"$first-$last"
}

object VersionRange {

  /** Ascending versions, gathered into as few ranges as they fit. */
  def gather(ascending: Seq[Long]): Vector[VersionRange] =
    ascending.foldLeft(Vector.empty[VersionRange]) {
      case (done :+ open, version) if open.last >= version - 1 => done :+ open.copy(last = version)
      case (done, version) => done :+ VersionRange(version, version)
    }
}
