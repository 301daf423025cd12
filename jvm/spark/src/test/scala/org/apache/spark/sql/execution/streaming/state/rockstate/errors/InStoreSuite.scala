package org.apache.spark.sql.execution.streaming.state.rockstate.errors

import java.io.IOException

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.streaming.state.StateStoreId

import io.rockstate.errors._

class InStoreSuite extends AnyFunSuite {
  private val inStore = new InStore(StateStoreId("/state", operatorId = 2, partitionId = 3, storeName = "right"))
  private val cause = new IOException("disk")

  private val kinds: Seq[StateStoreException] = Seq(
    new CorruptFile("problem", "remedy", "1.delta", Some(1), cause),
    new NotFound("problem", "remedy", "1.delta", Some(1), cause),
    new Conflict("problem", "remedy", Some("1.delta"), Some(1)),
    new Unavailable("problem", "remedy", Some("1.delta"), Some(1), cause),
    new Unsupported("problem", "remedy", Some("1.delta"), Some(1)),
    new Misuse("problem", "remedy", Some(1))
  )

  kinds.foreach { error =>
    test(s"${error.getClass.getSimpleName} names the store, and is otherwise what it was") {
      error.addSuppressed(new IOException("beside"))
      val told = intercept[StateStoreException](
        try throw error
        catch inStore.tell
      )
      assert(told.getMessage.startsWith("problem (operator 2, partition 3, store right)"))
      assert(told.getClass == error.getClass && told.getCause == error.getCause)
      assert((told.remedy, told.file, told.version) == ((error.remedy, error.file, error.version)))
      assert(told.getStackTrace.sameElements(error.getStackTrace))
      assert(told.getSuppressed.sameElements(error.getSuppressed))
    }
  }

  test("what is no error of ours stays as it is") {
    assert(inStore.told(cause) eq cause)
    assert(intercept[IOException] {
      try throw cause
      catch inStore.tell
    } eq cause)
  }
}
