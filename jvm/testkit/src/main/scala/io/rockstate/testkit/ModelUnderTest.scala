package io.rockstate.testkit

import io.rockstate.engine.api.Transaction
import io.rockstate.versions.StateVersion

/** The model as a store: it has no disk to lose and nothing to maintain. */
final class ModelUnderTest(checkpointIds: Boolean) extends StoreUnderTest {
  private val model = new ModelStore(checkpointIds)

  override def begin(version: StateVersion): Transaction = model.begin(version)
  override def beginEmpty(version: StateVersion): Transaction = model.beginEmpty(version)
  override def maintain(): Unit = ()
  override def restart(): Unit = model.restart()
  override def close(): Unit = ()
}
