package io.rockstate.testkit

import io.rockstate.engine.api.Transaction
import io.rockstate.versions.StateVersion

/** A store whose first versions are made as Spark makes those of a store that it writes anew: by transactions that begin without rows. */
final class FromNothing(store: StoreUnderTest) extends StoreUnderTest {
  override def begin(version: StateVersion): Transaction =
    if (version == StateVersion.Empty) store.beginEmpty(version) else store.begin(version)

  override def beginEmpty(version: StateVersion): Transaction = store.beginEmpty(version)
  override def maintain(): Unit = store.maintain()
  override def restart(): Unit = store.restart()
  override def close(): Unit = store.close()
}
