package io.rockstate.testkit

import io.rockstate.errors.NotFound
import io.rockstate.versions.StateVersion

import Rows._

/** Versions stay as they were committed, whoever reads them and whatever comes after. */
trait VersionContract extends StoreSuite {
  test("a new store is empty") {
    withStore { store =>
      val transaction = store.begin(StateVersion.Empty)
      assert(transaction.row("a").isEmpty && !transaction.contains(key("a")) && transaction.rows.isEmpty)
      transaction.abort()
    }
  }

  test("a commit makes the next version and leaves the one before as it was") {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, "a" -> "1", "b" -> "1")
      val two = commit(store, one, "b" -> "2", "c" -> "2")
      assert(one.version == 1 && two.version == 2)
      assert(rowsAt(store, two) == Vector("a" -> "1", "b" -> "2", "c" -> "2"))
      assert(rowsAt(store, one) == Vector("a" -> "1", "b" -> "1"))
      assert(rowsAt(store, two) == Vector("a" -> "1", "b" -> "2", "c" -> "2"))
    }
  }

  test("an empty commit makes a version too") {
    withStore { store =>
      val two = commit(store, commit(store, StateVersion.Empty, "a" -> "1"))
      assert(two.version == 2 && rowsAt(store, two) == Vector("a" -> "1"))
    }
  }

  test("versions survive a restart") {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, "a" -> "1")
      val two = commit(store, one, "a" -> "2")
      store.restart()
      assert(rowsAt(store, two) == Vector("a" -> "2") && rowsAt(store, one) == Vector("a" -> "1"))
    }
  }

  test("a version that was never committed is not found") {
    withStore { store =>
      commit(store, StateVersion.Empty, "a" -> "1")
      intercept[NotFound](store.begin(StateVersion(2)))
    }
  }

  test("two transactions on one version do not see each other") {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, "a" -> "1")
      val first = store.begin(one)
      val second = store.begin(one)
      first.putRow("a", "first")
      second.putRow("b", "second")
      assert(second.row("a").contains("1") && first.row("b").isEmpty)
      first.commit()
      assert(second.row("a").contains("1"))
      assert(second.rows == Vector("a" -> "1", "b" -> "second"))
      second.abort()
    }
  }

  test("transactions that stay open see their versions however many come after") {
    withStore { store =>
      val versions = (1 to 40).scanLeft(StateVersion.Empty) { (base, i) =>
        commit(store, base, s"row${i % 7}" -> s"$i", s"new$i" -> s"$i")
      }
      var base = versions.last
      val readers = (41 to 80).map { i =>
        val reader = store.begin(base)
        val before = reader.rows
        base = commit(store, base, s"row${i % 7}" -> s"$i", s"new$i" -> s"$i")
        (reader, before, i - 1)
      }
      readers.foreach { case (reader, before, version) =>
        assert(reader.rows == before && before.size == version + 7)
        assert(reader.row(s"row${version % 7}").contains(s"$version") && reader.row(s"new${version + 1}").isEmpty)
        reader.abort()
      }
    }
  }

  test("maintenance at any moment changes nothing that a reader sees") {
    withStore { store =>
      val versions = (1 to 12).scanLeft(StateVersion.Empty) { (base, i) =>
        val next = commit(store, base, s"row$i" -> s"$i")
        store.maintain()
        next
      }
      store.restart()
      versions.zipWithIndex.foreach { case (version, i) =>
        assert(rowsAt(store, version).toSet == (1 to i).map(n => s"row$n" -> s"$n").toSet)
      }
    }
  }

  test("a transaction on an empty store sees nothing of the version it follows, and its own is loadable by itself") {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, "a" -> "1", "b" -> "1")
      val transaction = store.beginEmpty(one)
      assert(transaction.rows.isEmpty && transaction.row("a").isEmpty && transaction.rowCount == 0)
      transaction.putRow("b", "2")
      transaction.mergeRow("c", "2")
      val two = transaction.commit()
      assert(two.version == 2 && transaction.rowCount == 2)
      assert(rowsAt(store, two) == Vector("b" -> "2", "c" -> "2"))
      store.restart()
      val three = commit(store, two, "d" -> "3")
      store.maintain()
      store.restart()
      assert(rowsAt(store, three) == Vector("b" -> "2", "c" -> "2", "d" -> "3"))
      assert(rowsAt(store, two) == Vector("b" -> "2", "c" -> "2"))
      assert(rowsAt(store, one) == Vector("a" -> "1", "b" -> "1"))
    }
  }

  test("an empty store can be gone on from at a version that storage knows nothing of") {
    withStore { store =>
      val transaction = store.beginEmpty(StateVersion(7))
      transaction.createColumnFamily("other", isInternal = false)
      transaction.putRow("a", "8")
      val eight = transaction.commit()
      store.restart()
      val nine = commit(store, eight, "b" -> "9")
      store.restart()
      assert(rowsAt(store, nine) == Vector("a" -> "8", "b" -> "9"))
    }
  }
}
