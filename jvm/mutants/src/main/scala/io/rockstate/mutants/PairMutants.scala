package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.UnsafeRowPair

import io.rockstate.reference._
import io.rockstate.reference.Pairs.Pairs

/** A prefix scan that is asked whether it has more clears the pair that it has given last. */
class HasNextClearsThePairOfAPrefixScan
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def prefixScan(prefix: UnsafeRow, family: String): Pairs =
        Pairs.changed(super.prefixScan(prefix, family)) { rows =>
          new Iterator[UnsafeRowPair] {
            private var last: Option[UnsafeRowPair] = None

            override def hasNext: Boolean = {
              last.foreach(pair => Rows.clear(pair.value))
              rows.hasNext
            }

            override def next(): UnsafeRowPair = {
              last = Some(rows.next())
              last.get
            }
          }
        }
    })

/** A remove clears the pair that an open range scan has given last. */
class RemoveClearsThePairOfARangeScan
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private var last: Option[UnsafeRowPair] = None

      override def rangeScan(start: Option[UnsafeRow], end: Option[UnsafeRow], family: String): Pairs =
        Pairs.changed(super.rangeScan(start, end, family))(_.map { pair => last = Some(pair); pair })

      override def remove(key: UnsafeRow, family: String): Unit = {
        super.remove(key, family)
        last.foreach(pair => Rows.clear(pair.value))
      }
    })

/** A get clears the key of the pair that an open prefix scan has given last. */
class GetClearsTheKeyOfAPrefixScan
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private var last: Option[UnsafeRowPair] = None

      override def prefixScan(prefix: UnsafeRow, family: String): Pairs =
        Pairs.changed(super.prefixScan(prefix, family))(_.map { pair => last = Some(pair); pair })

      override def get(key: UnsafeRow, family: String): UnsafeRow = {
        val found = super.get(key, family)
        last.foreach(pair => Rows.clear(pair.key))
        found
      }
    })

/** A remove of the key that an iterator has given last does nothing if it is handed the iterator's own row. */
class RemoveMissesTheRowOfAnIterator
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private var last: UnsafeRow = _

      override def iterator(family: String): Pairs =
        Pairs.changed(super.iterator(family))(_.map { pair => last = pair.key; pair })

      override def remove(key: UnsafeRow, family: String): Unit = if (key ne last) super.remove(key, family)
    })

/** A put takes the memory of the key that was removed before, though a prefix scan has given it last. */
class PutTakesTheMemoryOfARemovedPair
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private var last, free: Option[UnsafeRow] = None

      override def prefixScan(prefix: UnsafeRow, family: String): Pairs =
        Pairs.changed(super.prefixScan(prefix, family))(_.map { pair =>
          last = Some(pair.key)
          free = None
          pair
        })

      override def remove(key: UnsafeRow, family: String): Unit = {
        free = last.filter(_ == key)
        super.remove(key, family)
      }

      override def put(key: UnsafeRow, value: UnsafeRow, family: String): Unit = {
        super.put(key, value, family)
        free.foreach(Rows.point(_, key.copy()))
      }
    })

/** A get clears the key of the pair that an open scan has given last, if that is of its family. */
class GetClearsTheKeyOfAScan extends WithStore(new ClearsKeysOfScans(_ == _)(_, _, _, _))

/** A get clears the key of the pair that an open scan of another family has given last. */
class GetClearsTheKeyOfAnotherFamilysScan extends WithStore(new ClearsKeysOfScans(_ != _)(_, _, _, _))

/** A put keeps the row of an open scan as its key, which shows the next key then. */
class PutKeepsTheRowOfAScan
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private var shown: UnsafeRow = _

      override def iterator(family: String): Pairs = {
        val all = super.iterator(family)
        val row = new UnsafeRow(provider.declared(family).order.schema.size)
        Pairs.changed(all)(_.map { pair =>
          shown = row
          new UnsafeRowPair(Rows.point(row, pair.key), pair.value)
        })
      }

      override def put(key: UnsafeRow, value: UnsafeRow, family: String): Unit =
        if (key ne shown) super.put(key, value, family) else write(Put(place(family), key, Vector(keep(value))))
    })
