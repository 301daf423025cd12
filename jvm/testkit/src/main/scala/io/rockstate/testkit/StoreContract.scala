package io.rockstate.testkit

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

/** What every store keeps to, whatever it is made of: versions, isolation, reads of own writes, exact counts. */
abstract class StoreContract
    extends StoreSuite
    with ReadWriteContract
    with ScanContract
    with ColumnFamilyContract
    with VersionContract
    with AttemptContract

/** Tests that each have a store of their own. */
abstract class StoreSuite extends AnyFunSuite with ClosesHandles {

  /** A new, empty store. */
  def newStore(): StoreUnderTest

  protected def withStore(body: StoreUnderTest => Unit): Unit = Using.resource(newStore())(body)
}
