package io.rockstate.versions

/** A version of a store and, with Spark's checkpoint format 2, the checkpoint id that tells attempts of one version apart. */
final case class StateVersion(version: Long, checkpointId: Option[String] = None) {
  override def toString: String = checkpointId.fold(version.toString)(id => s"${version}_$id")
}

object StateVersion {

  /** The empty store before the first commit. */
  val Empty: StateVersion = StateVersion(0)
}
