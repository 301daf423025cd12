package io.rockstate.engine.loaded

import io.rockstate.engine.layers.ChangeLayer
import io.rockstate.errors.Unavailable
import io.rockstate.versions.CommittedVersion

/** What a loaded database holds at one moment. Immutable.
  *
  * @param holders     how many use it
  * @param below       the database as it stood at `applied`
  * @param applied     the version that the database itself has
  * @param layers      the changes since, oldest first
  * @param replay      what a recovery of the head would start from and replay
  * @param isReplaying whether a delta goes into the database in portions: nobody else may change it, or start from it
  * @param isScanned   whether rows were wanted in order
  * @param failure     why a change could not be applied: the database is of no use any more, only the views taken of it are
  */
private[engine] final case class LoadedState(
    holders: Int,
    below: SharedView,
    applied: CommittedVersion,
    layers: Vector[LoadedState.LayerOf],
    replay: ReplayedDeltas,
    isReplaying: Boolean,
    isScanned: Boolean,
    failure: Option[Unavailable]
) {
  import LoadedState._

  /** The newest version that it holds. */
  def head: CommittedVersion = if (layers.isEmpty) applied else layers.last.version

  def isBroken: Boolean = failure.isDefined

  /** Whether transactions may start from it and go on with it. */
  def isSteady: Boolean = !isReplaying && !isBroken

  def layerBytes: Long = layers.iterator.map(_.changes.heapBytes).sum

  /** A view of the head, for the caller to close. */
  def view: View = new View(below.retain(), newestFirst)

  def newestFirst: Array[ChangeLayer] = layers.reverseIterator.map(_.changes).toArray

  /** With one version more. */
  def plus(next: CommittedVersion, size: DeltaSize, changes: ChangeLayer): LoadedState =
    copy(layers = layers :+ LayerOf(next, changes), replay = replay.plus(next.version, size))

  /** With the oldest layers in the database, which now stands as `above` has it. */
  def applied(above: SharedView, done: Int, version: CommittedVersion): LoadedState =
    copy(below = above, applied = version, layers = layers.drop(done))
}

private[engine] object LoadedState {
  final case class LayerOf(version: CommittedVersion, changes: ChangeLayer)

  /** Of a database that was just opened. */
  def of(below: SharedView, version: CommittedVersion, replay: ReplayedDeltas): LoadedState = LoadedState(
    holders = 1,
    below,
    version,
    layers = Vector.empty,
    replay,
    isReplaying = false,
    isScanned = false,
    failure = None
  )
}
