package io.rockstate.testkit

import io.rockstate.engine.EngineSettings

class ModelStoreSuite extends StoreContract {
  override def newStore(): StoreUnderTest = new ModelUnderTest(checkpointIds = false)
}

class ModelStoreWithCheckpointIdsSuite extends StoreContract {
  override def newStore(): StoreUnderTest = new ModelUnderTest(checkpointIds = true)
}

class StateEngineSuite extends StoreContract {
  override def newStore(): StoreUnderTest =
    new EngineUnderTest(new MemoryFiles, EngineSettings(minDeltasForSnapshot = 3))
}

class StateEngineWithCheckpointIdsSuite extends StoreContract {
  override def newStore(): StoreUnderTest =
    new EngineUnderTest(new MemoryFiles, EngineSettings(minDeltasForSnapshot = 3, checkpointIds = true))
}
