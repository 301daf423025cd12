package io.rockstate.engine

import io.rockstate.engine.api.EngineSettings
import io.rockstate.testkit.{EngineUnderTest, FromNothing, MemoryFiles, StoreContract, StoreUnderTest}

abstract class EngineContract(checkpointIds: Boolean, heapBytes: Long, keysAtOnce: Int = EngineSettings.KeysAtOnce)
    extends StoreContract {
  override def newStore(): StoreUnderTest =
    new EngineUnderTest(
      new MemoryFiles,
      EngineSettings(minDeltasForSnapshot = 3, checkpointIds = checkpointIds, keysAtOnce = keysAtOnce),
      heapBytes
    )
}

class StateEngineSuite extends EngineContract(checkpointIds = false, EngineUnderTest.AmpleHeap)
class StateEngineWithCheckpointIdsSuite extends EngineContract(checkpointIds = true, EngineUnderTest.AmpleHeap)
class StateEngineWithoutLayersSuite extends EngineContract(checkpointIds = true, EngineUnderTest.NoHeap)
class StateEngineShortOfMemorySuite extends EngineContract(checkpointIds = true, EngineUnderTest.TinyHeap)
class StateEngineWithSomeRowsCachedSuite extends EngineContract(checkpointIds = false, EngineUnderTest.SmallHeap)

/** Every commit leaves it to others to write its changes to the read cache. */
class StateEngineThatHandsOverSuite extends EngineContract(checkpointIds = true, EngineUnderTest.AmpleHeap, 0)
class StateEngineThatHandsOverSomeRowsSuite extends EngineContract(checkpointIds = false, EngineUnderTest.SmallHeap, 0)

/** Transactions that begin without rows put them into their databases in portions: here of one write each, and of some hundred. */
abstract class EngineInPortionsContract(checkpointIds: Boolean, portionBytes: Long) extends StoreContract {
  override def newStore(): StoreUnderTest = new FromNothing(
    new EngineUnderTest(
      new MemoryFiles,
      EngineSettings(minDeltasForSnapshot = 3, checkpointIds = checkpointIds, portionBytes = portionBytes)
    )
  )
}

class StateEngineInSinglePortionsSuite extends EngineInPortionsContract(checkpointIds = false, portionBytes = 1)
class StateEngineInPortionsSuite extends EngineInPortionsContract(checkpointIds = true, portionBytes = 32L << 10)
