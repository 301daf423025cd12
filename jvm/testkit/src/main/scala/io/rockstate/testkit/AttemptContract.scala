package io.rockstate.testkit

import io.rockstate.errors.{Conflict, Misuse, NotFound}
import io.rockstate.versions.StateVersion

import Rows._

/** Attempts of a version, rightful and late: which of them commit, and what the next batch sees. */
trait AttemptContract extends StoreSuite {
  test("an aborted transaction leaves nothing behind") {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, "a" -> "1")
      val transaction = store.begin(one)
      transaction.putRow("b", "2")
      transaction.removeRow("a")
      transaction.abort()
      transaction.abort()
      assert(rowsAt(store, one) == Vector("a" -> "1"))
      intercept[NotFound](store.begin(StateVersion(2)))
    }
  }

  test("nothing works after commit but asking for the outcome") {
    withStore { store =>
      val transaction = store.begin(StateVersion.Empty)
      transaction.putRow("a", "1")
      val open = transaction.scan(key(""), key("z"))
      transaction.commit()
      assert(transaction.hasCommitted && transaction.rowCount == 1)
      intercept[Misuse](transaction.putRow("b", "1"))
      intercept[Misuse](transaction.removeRow("a"))
      intercept[Misuse](transaction.row("a"))
      intercept[Misuse](transaction.commit())
      intercept[Misuse](transaction.abort())
      intercept[Misuse](transaction.rows)
      intercept[Misuse](open.next())
    }
  }

  test("nothing works after abort but abort") {
    withStore { store =>
      val transaction = store.begin(StateVersion.Empty)
      transaction.abort()
      intercept[Misuse](transaction.putRow("b", "1"))
      intercept[Misuse](transaction.row("a"))
      intercept[Misuse](transaction.commit())
      assert(!transaction.hasCommitted)
    }
  }

  test("when two attempts of a version commit, the named one is what the next batch sees") {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, "a" -> "1")
      val first = store.begin(one)
      val second = store.begin(one)
      first.putRow("a", "first")
      second.putRow("b", "second")
      val named = first.commit()
      val last = second.commit()
      if (named.checkpointId.isDefined) {
        assert(rowsAt(store, named) == Vector("a" -> "first"))
      }
      assert(rowsAt(store, last) == Vector("a" -> "1", "b" -> "second"))
      store.restart()
      assert(rowsAt(store, last) == Vector("a" -> "1", "b" -> "second"))
    }
  }

  test("a zombie's commit is refused once the next version was asked for") {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, "a" -> "1")
      val zombie = store.begin(one)
      zombie.putRow("z", "zombie")
      val two = commit(store, one, "a" -> "2")
      store.begin(two).abort()
      intercept[Conflict](zombie.commit())
      zombie.abort()
      store.restart()
      assert(rowsAt(store, two) == Vector("a" -> "2"))
    }
  }

  test("a zombie that begins late reads its version, but its commit is refused") {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, "a" -> "1")
      val two = commit(store, one, "a" -> "2")
      val three = commit(store, two, "b" -> "3")
      val four = commit(store, three, "c" -> "4")
      val zombie = store.begin(one)
      assert(zombie.rows == Vector("a" -> "1"))
      zombie.putRow("z", "zombie")
      intercept[Conflict](zombie.commit())
      zombie.abort()
      val five = commit(store, four, "d" -> "5")
      val expected = Vector("a" -> "2", "b" -> "3", "c" -> "4", "d" -> "5")
      assert(rowsAt(store, five) == expected)
      store.restart()
      assert(rowsAt(store, five) == expected && rowsAt(store, two) == Vector("a" -> "2"))
    }
  }

  test("a version that is not there makes nobody a zombie") {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, "a" -> "1")
      val transaction = store.begin(one)
      transaction.putRow("a", "2")
      intercept[NotFound](store.begin(StateVersion(9, one.checkpointId)))
      assert(rowsAt(store, transaction.commit()) == Vector("a" -> "2"))
    }
  }

  test(
    "a store that is opened anew goes back to an earlier version, and what is committed on it replaces what came after"
  ) {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, "a" -> "1")
      val two = commit(store, one, "b" -> "2")
      commit(store, two, "c" -> "3")
      store.restart()
      val again = commit(store, one, "d" -> "again")
      assert(rowsAt(store, again) == Vector("a" -> "1", "d" -> "again"))
      val three = commit(store, again, "e" -> "again")
      store.restart()
      assert(rowsAt(store, three) == Vector("a" -> "1", "d" -> "again", "e" -> "again"))
    }
  }

  test("a version made from nothing replaces an abandoned attempt at it") {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, "a" -> "1")
      commit(store, one, "a" -> "abandoned")
      val transaction = store.beginEmpty(one)
      transaction.putRow("b", "2")
      val two = transaction.commit()
      assert(rowsAt(store, two) == Vector("b" -> "2"))
      store.restart()
      val three = commit(store, two, "c" -> "3")
      store.restart()
      assert(rowsAt(store, three) == Vector("b" -> "2", "c" -> "3"))
    }
  }

  test("an aborted transaction on an empty store leaves everything as it was") {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, "a" -> "1")
      val transaction = store.beginEmpty(one)
      transaction.putRow("b", "2")
      transaction.abort()
      assert(rowsAt(store, one) == Vector("a" -> "1"))
      intercept[NotFound](store.begin(StateVersion(2)))
    }
  }
}
