package io.rockstate.testkit

import io.rockstate.versions.StateVersion

import Rows._

/** Scans show the rows as they stood when they began. */
trait ScanContract extends StoreSuite {
  test("a scan shows the rows as they stood when it began, whatever is written meanwhile") {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, "a" -> "1", "c" -> "1", "e" -> "1")
      val transaction = store.begin(one)
      transaction.putRow("b", "2")
      val scan = transaction.scan(key(""), key("z"))
      assert(scan.next())
      transaction.removeRow("c")
      transaction.putRow("d", "3")
      transaction.putRow("b", "3")
      transaction.putRow("e", "3")
      assert(drained(scan) == Vector("b" -> "2", "c" -> "1", "e" -> "1"))
      assert(transaction.rows == Vector("a" -> "1", "b" -> "3", "d" -> "3", "e" -> "3"))
      transaction.abort()
    }
  }

  test("every row that a scan returns can be removed as it comes") {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, (1 to 50).map(i => f"row$i%02d" -> "1"): _*)
      val transaction = store.begin(one)
      val scan = transaction.scan(key(""), key("z"))
      while (scan.next()) if (!Rows.text(scan.key).get.endsWith("7")) transaction.remove(scan.key)
      val two = transaction.commit()
      assert(rowsAt(store, two).map(_._1) == Vector("row07", "row17", "row27", "row37", "row47"))
      assert(transaction.rowCount == 5)
    }
  }

  test("a scan shows merges as they stood when it began") {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, "a" -> "1", "b" -> "1")
      val transaction = store.begin(one)
      transaction.mergeRow("b", "2")
      val scan = transaction.scan(key(""), key("z"))
      transaction.mergeRow("a", "3")
      transaction.mergeRow("b", "3")
      transaction.mergeRow("c", "3")
      assert(drained(scan) == Vector("a" -> "1", "b" -> "12"))
      assert(transaction.rows == Vector("a" -> "13", "b" -> "123", "c" -> "3"))
      transaction.abort()
    }
  }
}
