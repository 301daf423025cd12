package io.rockstate.testkit

import io.rockstate.versions.StateVersion

import Rows._

/** Column families share a store and nothing else; the counts of their rows are exact. */
trait ColumnFamilyContract extends StoreSuite {
  test("the row count is exact for new, known, repeated, removed and absent keys") {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, "a" -> "1", "b" -> "1", "c" -> "1")
      val transaction = store.begin(one)
      transaction.putRow("a", "2") // blind overwrite
      transaction.row("b")
      transaction.putRow("b", "2") // overwrite after a read
      transaction.putRow("d", "2") // blind insert
      transaction.row("e")
      transaction.putRow("e", "2") // insert after a read
      transaction.putRow("f", "2")
      transaction.removeRow("f") // inserted and removed
      transaction.removeRow("c") // blind removal
      transaction.removeRow("g") // of nothing
      transaction.removeRow("d")
      transaction.putRow("d", "3") // removed and put again
      val two = transaction.commit()
      assert(transaction.rowCount == 4)
      store.restart()
      val after = store.begin(two)
      assert(after.rowCount == 4 && after.rows == Vector("a" -> "2", "b" -> "2", "d" -> "3", "e" -> "2"))
      after.abort()
    }
  }

  test("the row count is exact for merges of new, known, repeated and removed keys") {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, "a" -> "1", "b" -> "1", "c" -> "1")
      val transaction = store.begin(one)
      transaction.mergeRow("a", "2") // blind, known
      transaction.row("b")
      transaction.mergeRow("b", "2") // known after a read
      transaction.removeRow("c")
      transaction.mergeRow("c", "2") // back again
      transaction.mergeRow("d", "2") // blind, new
      transaction.mergeRow("d", "3")
      transaction.mergeRow("e", "2")
      transaction.removeRow("e")
      val two = transaction.commit()
      assert(transaction.rowCount == 4)
      store.restart()
      assert(rowsAt(store, two) == Vector("a" -> "12", "b" -> "12", "c" -> "2", "d" -> "23"))
    }
  }

  test("column families keep their rows and counts apart") {
    withStore { store =>
      val transaction = store.begin(StateVersion.Empty)
      val other = transaction.createColumnFamily("other", isInternal = false)
      assert(transaction.createColumnFamily("other", isInternal = false) == other)
      transaction.putRow("a", "default")
      transaction.put(key("a", other), bytes("other"))
      transaction.put(key("b", other), bytes("other"))
      val one = transaction.commit()
      store.restart()
      val after = store.begin(one)
      assert(after.columnFamilies.map(f => f.name -> f.rows) == Vector("default" -> 1L, "other" -> 2L))
      assert(after.rows == Vector("a" -> "default"))
      assert(text(after.get(key("a", other))).contains("other"))
      assert(after.removeColumnFamily("other") && !after.removeColumnFamily("other"))
      val two = after.commit()
      store.restart()
      val last = store.begin(two)
      assert(last.columnFamilies.map(f => f.name -> f.rows) == Vector("default" -> 1L))
      assert(last.get(key("a", other)) == null)
      assert(last.createColumnFamily("other", isInternal = false) != other) // the change feed has rows under the old id
      last.abort()
    }
  }
}
