package io.rockstate.testkit

class ModelStoreSuite extends StoreContract {
  override def newStore(): StoreUnderTest = new ModelUnderTest(checkpointIds = false)
}

class ModelStoreWithCheckpointIdsSuite extends StoreContract {
  override def newStore(): StoreUnderTest = new ModelUnderTest(checkpointIds = true)
}
