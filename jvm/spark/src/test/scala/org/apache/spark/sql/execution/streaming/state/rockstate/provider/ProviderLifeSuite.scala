package org.apache.spark.sql.execution.streaming.state.rockstate.provider

import io.rockstate.errors.{Misuse, StateStoreException}

/** A provider before, between and after `init` and `close`. */
class ProviderLifeSuite extends ProviderTest {

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
}
