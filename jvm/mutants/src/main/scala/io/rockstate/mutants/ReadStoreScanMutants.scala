package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.StateStoreId

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs

/** Prefix scans of a read store are empty. */
class PrefixScanOfAReadStoreIsEmpty
    extends WithReadStore(new ReadStore(_, _, _) {
      override def prefixScan(prefix: UnsafeRow, family: String): Pairs =
        Pairs.changed(super.prefixScan(prefix, family))(_ => Iterator.empty)
    })

/** Range scans of a read store begin with its first key, wherever they were to start. */
class RangeScanOfAReadStoreIgnoresItsStart
    extends WithReadStore(new ReadStore(_, _, _) {
      override def rangeScan(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs =
        super.rangeScan(None, end, family)
    })

/** A read store says of any key that it is there. */
class ReadStoreSaysThatAnyKeyIsThere
    extends WithReadStore(new ReadStore(_, _, _) {
      override def keyExists(key: UnsafeRow, family: String): Boolean = true
    })

/** A multiGet of a read store finds no key. */
class MultiGetOfAReadStoreFindsNothing
    extends WithReadStore(new ReadStore(_, _, _) {
      override def multiGet(keys: Array[UnsafeRow], family: String): Iterator[UnsafeRow] = keys.iterator.map(_ => null)
    })

/** A read store gives the first of a key's values only. */
class ReadStoreGivesFirstValuesOnly
    extends WithReadStore(new ReadStore(_, _, _) {
      override def valuesIterator(key: UnsafeRow, family: String): Iterator[UnsafeRow] =
        super.valuesIterator(key, family).take(1)
    })

/** A read store says that it is of partition 0. */
class ReadStoreSaysAnotherPartition
    extends WithReadStore(new ReadStore(_, _, _) {
      override def id: StateStoreId = super.id.copy(partitionId = 0)
    })
