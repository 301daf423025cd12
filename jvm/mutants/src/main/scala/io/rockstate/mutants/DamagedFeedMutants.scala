package io.rockstate.mutants

import java.io.{FileNotFoundException, IOException}

import io.rockstate.reference._

/** The change feed passes over a version whose delta is damaged. */
class ChangeFeedPassesOverDamage extends ReferenceStoreProvider {
  override protected def historyOf(files: StateFiles): History = new History(files) {
    override def deltas(first: Long, last: Version): Seq[(Version, Delta)] =
      try super.deltas(first, last)
      catch {
        case missing: FileNotFoundException => throw missing
        case damaged: IOException if damaged.getCause != null =>
          files.list().map(_._1).find(_.number == last.number - 1).fold(Seq.empty[(Version, Delta)])(deltas(first, _))
      }
  }
}

/** The change feed begins after a version whose delta could not be read. */
class ChangeFeedBeginsAfterAFailedRead extends ReferenceStoreProvider {
  override protected def historyOf(files: StateFiles): History = new History(files) {
    override def deltas(first: Long, last: Version): Seq[(Version, Delta)] =
      try super.deltas(first, last)
      catch {
        case missing: FileNotFoundException => throw missing
        case failed: IOException if failed.getCause == null => Nil
      }
  }
}

/** A replay passes over a version whose delta is damaged. */
class ReplayPassesOverDamage extends ReferenceStoreProvider {
  override protected def historyOf(files: StateFiles): History = new History(files) {
    override def replay(snapshot: Version, end: Version): Contents =
      try super.replay(snapshot, end)
      catch {
        case missing: FileNotFoundException => throw missing
        case damaged: IOException if damaged.getCause != null && end.number > snapshot.number =>
          files.list().map(_._1).find(_.number == end.number - 1).map(replay(snapshot, _)).getOrElse(throw damaged)
      }
  }
}
