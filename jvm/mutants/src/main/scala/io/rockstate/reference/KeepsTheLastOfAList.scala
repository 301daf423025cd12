package io.rockstate.reference

/** A mutant that keeps the files of the last versions of a list, and deletes the others. */
abstract class KeepsTheLastOfAList extends ReferenceStoreProvider {

  /** The versions that have files, oldest first if all is well. */
  protected def listed: Seq[Version]

  override protected def retire(version: Version): Unit = {
    val kept = listed.distinct.takeRight(conf.minVersionsToRetain + 2 * conf.minDeltasForSnapshot + 2).toSet
    files.list().foreach { case (each, kind) => if (!kept(each)) files.delete(each, kind) }
  }
}
