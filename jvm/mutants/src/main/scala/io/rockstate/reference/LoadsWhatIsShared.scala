package io.rockstate.reference

import scala.collection.concurrent.TrieMap

import org.apache.hadoop.fs.Path

import io.rockstate.reference.ReferenceStore.Committed

/** A mutant that loads, from a map of its process, what was committed by any executor that knows the store by the same place. */
abstract class LoadsWhatIsShared(shared: TrieMap[(Path, Version), Contents]) extends ReferenceStoreProvider {

  /** By what a version is found again. */
  protected def known(version: Version): Version = version

  override def commit(store: ReferenceStore): Committed = {
    val committed = super.commit(store)
    remember(place(committed.version), store.contents)
    committed
  }

  protected def remember(place: (Path, Version), contents: Contents): Unit = shared(place) = contents

  override protected def load(version: Version): Contents = shared.getOrElse(place(version), super.load(version))

  private def place(version: Version) = (folder, known(version))

  /** By what a store is. */
  protected def folder: Path = stateStoreId.storeCheckpointLocation()
}
