package org.apache.spark.sql.execution.streaming.state.rockstate.provider

import org.apache.spark.sql.execution.streaming.state.RangeKeyScanStateEncoderSpec

import io.rockstate.errors.{Misuse, StateStoreException}
import io.rockstate.testkit.ClosesHandles

/** A provider before, between and after `init` and `close`. */
class ProviderLifeSuite extends ProviderTest with ClosesHandles {

  test("an unknown option fails init, before anything is opened") {
    val refused = intercept[StateStoreException] {
      initialized(new StoreProvider, settings = Map("spark.sql.streaming.stateStore.rockstate.speed" -> "max"))
    }
    assert(
      refused.getMessage.contains("rockstate.speed") && refused.getMessage.contains(
        "operator 0, partition 3, store default"
      )
    )
  }

  test("a provider that is not initialized or already closed says so") {
    assert(intercept[Misuse]((new StoreProvider).getStore(0)).getMessage.contains("init"))
    val closed = initialized(new StoreProvider)
    closed.close()
    val refused = intercept[Misuse](closed.getStore(0)).getMessage
    assert(refused.contains("close") && refused.contains("operator 0, partition 3, store default"))
  }

  test("closing twice and maintenance after close do nothing") {
    val provider = initialized(new StoreProvider)
    provider.close()
    provider.close()
    provider.doMaintenance()
  }

  test("a store whose rows cannot be read leaves nothing open") {
    val orderedByText = RangeKeyScanStateEncoderSpec(TestRows.keySchema, Seq(0)) // which no encoder can
    val provider = initialized(new StoreProvider, encoderSpec = orderedByText)
    intercept[Exception](provider.getStore(0))
    intercept[Exception](provider.getReadStore(0))
    provider.close()
  }
}
