package io.rockstate.engine.loaded

import io.rockstate.engine.layers.ChangeLayer
import io.rockstate.versions.{CommittedVersion, StateVersion}

/** What a loaded database holds at one moment. Immutable.
  *
  * @param holders     how many use it
  * @param below       the database as it stood at `applied`
  * @param applied     the version that the database itself has
  * @param layers      the changes since, oldest first
  * @param replay      what a recovery of the head would start from and replay
  * @param isReplaying whether a delta goes into the database in portions: nobody else may change it, or start from it
  * @param isOpened    whether a transaction has begun on the head
  * @param aside       versions that others have made in the place of the head
  * @param isScanned   whether rows were wanted in order
  */
private[engine] final case class LoadedState(
    holders: Int,
    below: SharedView,
    applied: CommittedVersion,
    layers: Vector[LoadedState.LayerOf],
    replay: ReplayedDeltas,
    isReplaying: Boolean,
    isOpened: Boolean,
    aside: LoadedState.Siblings,
    isScanned: Boolean
) {
  import LoadedState._

  /** The newest version that it holds. */
  def head: CommittedVersion = if (layers.isEmpty) applied else layers.last.version

  def layerBytes: Long = bytesOf(layers) + bytesOf(aside.layers)

  /** Whether looking into the layers costs more than to apply them. */
  def isWorthApplying(byteShare: Long): Boolean =
    layers.nonEmpty && (isScanned || layers.sizeIs >= MostLayers || bytesOf(layers) > byteShare)

  /** A view of the head, for the caller to close. */
  def view: View = new View(below.retain(), layers.reverseIterator.map(_.changes).toArray)

  /** With one version more. */
  def plus(next: LayerOf): LoadedState = copy(
    layers = layers :+ next,
    replay = replay.plus(next.version.version, next.size),
    isOpened = false,
    aside = asideOf(head)
  )

  /** With a transaction on the head: if that is one of several versions, it is the one that counts. */
  def opened: LoadedState = copy(isOpened = true, aside = asideOf(head))

  /** With `target` for its head, and the version that this one and that go on from: if one is the other's, or both are siblings. None if
    * that is not so, or the database has gone on.
    */
  def turnedTo(target: StateVersion): Option[(CommittedVersion, LoadedState)] = {
    val back = goneBack
    val on = (Some(this) ++ back).flatMap(from => from.goneOn(target).map((from.head, _)))
    back.filter(_.head.is(target)).map(turned => (turned.head, turned)).orElse(on.headOption)
  }

  /** With its head set aside: a transaction on the version before has made it. */
  def goneBack: Option[LoadedState] = layers.lastOption.map { newest =>
    val before = layers.init.lastOption.fold(applied)(_.version)
    copy(
      layers = layers.init,
      replay = replay.before(head.version),
      isOpened = true,
      aside = Siblings(before, asideOf(before).layers :+ newest)
    )
  }

  /** With a version on top of the head that was set aside. */
  private def goneOn(target: StateVersion): Option[LoadedState] =
    asideOf(head).layers.findLast(_.version.is(target)).map { layer =>
      plus(layer).copy(aside = aside.copy(layers = aside.layers.filter(_ ne layer)))
    }

  /** Without what is of no use to go on from the head. */
  private def asideOf(version: CommittedVersion): Siblings = if (aside.base eq version) aside else Siblings.none

  /** With the oldest layers in the database, which now stands as `above` has it. */
  def applied(above: SharedView, done: Int, version: CommittedVersion): LoadedState =
    copy(
      below = above,
      applied = version,
      layers = layers.drop(done),
      aside = if (done < layers.size) aside else asideOf(version)
    )
}

private[engine] object LoadedState {

  /** A version, and what leads to it from the one before.
    *
    * @param size of the delta that holds these changes
    */
  final case class LayerOf(version: CommittedVersion, size: DeltaSize, changes: ChangeLayer)

  /** Versions that go on from the same one, the newest last. */
  final case class Siblings(base: CommittedVersion, layers: Vector[LayerOf])

  object Siblings {
    val none: Siblings = Siblings(null, Vector.empty)
  }

  /** Each layer is one more place to look. */
  private val MostLayers = 16

  def bytesOf(layers: Vector[LayerOf]): Long = layers.iterator.map(_.changes.heapBytes).sum

  /** Of a database that was just opened. */
  def of(below: SharedView, version: CommittedVersion, replay: ReplayedDeltas): LoadedState = LoadedState(
    holders = 1,
    below,
    version,
    layers = Vector.empty,
    replay,
    isReplaying = false,
    isOpened = false,
    aside = Siblings.none,
    isScanned = false
  )
}
