package org.apache.spark.sql.execution.streaming.state.rockstate.session

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.streaming.state.StateStoreId
import org.apache.spark.sql.execution.streaming.state.rockstate.errors.InStore

import io.rockstate.engine.api.{KeyValueIterator, Transaction, TransactionMetrics}
import io.rockstate.errors.{StateStoreException, Unavailable}
import io.rockstate.versions.{ColumnFamily, StateVersion}

/** Whatever fails under a store says which store it is. */
class TransactionInStoreSuite extends AnyFunSuite {
  import TransactionInStoreSuite._

  private val inStore = new InStore(StateStoreId("/state", operatorId = 2, partitionId = 3, storeName = "right"))
  private val key = Array[Byte](1)

  private val operations: Seq[(String, Transaction => Any)] = Seq(
    "get" -> (_.get(key)),
    "contains" -> (_.contains(key)),
    "put" -> (_.put(key, key)),
    "merge" -> (_.merge(key, key)),
    "remove" -> (_.remove(key)),
    "scan" -> (_.scan(key, null)),
    "scanUnordered" -> (_.scanUnordered(key, null)),
    "createColumnFamily" -> (_.createColumnFamily("family", isInternal = false)),
    "removeColumnFamily" -> (_.removeColumnFamily("family")),
    "commit" -> (_.commit()),
    "abort" -> (_.abort())
  )

  operations.foreach { case (name, operation) =>
    test(s"$name that fails names the store") {
      namesStore(operation(new TransactionInStore(new Broken, inStore)))
    }
  }

  test("a scan that fails on its way names the store") {
    val ordered = new TransactionInStore(new BrokenLater, inStore).scan(key, null)
    val unordered = new TransactionInStore(new BrokenLater, inStore).scanUnordered(key, null)
    Seq(ordered, unordered).foreach { scan =>
      namesStore(scan.next())
      namesStore(scan.key)
      namesStore(scan.value)
    }
  }

  private def namesStore(body: => Any): Unit =
    assert(intercept[StateStoreException](body).getMessage.contains("operator 2, partition 3, store right"))
}

private object TransactionInStoreSuite {
  private def fail() = throw new Unavailable("The disk is gone", "Get another", None)

  private class Broken extends Transaction {
    override def base: StateVersion = fail()
    override def get(key: Array[Byte]): Array[Byte] = fail()
    override def contains(key: Array[Byte]): Boolean = fail()
    override def put(key: Array[Byte], value: Array[Byte]): Unit = fail()
    override def merge(key: Array[Byte], operand: Array[Byte]): Unit = fail()
    override def remove(key: Array[Byte]): Unit = fail()
    override def scan(lower: Array[Byte], upper: Array[Byte]): KeyValueIterator = fail()
    override def createColumnFamily(name: String, isInternal: Boolean): Int = fail()
    override def removeColumnFamily(name: String): Boolean = fail()
    override def commit(): StateVersion = fail()
    override def abort(): Unit = fail()
    override def hasCommitted: Boolean = fail()
    override def columnFamilies: Vector[ColumnFamily] = fail()
    override def metrics: TransactionMetrics = fail()
  }

  private final class BrokenLater extends Broken {
    override def scan(lower: Array[Byte], upper: Array[Byte]): KeyValueIterator = new KeyValueIterator {
      override def next(): Boolean = fail()
      override def key: Array[Byte] = fail()
      override def value: Array[Byte] = fail()
      override def close(): Unit = ()
    }
  }
}
