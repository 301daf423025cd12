package io.rockstate.testkit

import scala.util.{Random, Using}

import io.rockstate.errors.{Conflict, Misuse, NotFound}
import io.rockstate.versions.StateVersion

import org.scalatest.funsuite.AnyFunSuite

import Rows._

/** What every store keeps to, whatever it is made of: versions, isolation, reads of own writes, exact counts. */
abstract class StoreContract extends AnyFunSuite {

  /** A new, empty store. */
  def newStore(): StoreUnderTest

  private def withStore(body: StoreUnderTest => Unit): Unit = Using.resource(newStore())(body)

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

  test("gets and every scan see the transaction's own writes") {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, "a1" -> "1", "a2" -> "1", "b1" -> "1")
      val transaction = store.begin(one)
      transaction.putRow("a2", "2")
      transaction.putRow("a3", "2")
      transaction.removeRow("a1")
      transaction.removeRow("nothing there")
      assert(transaction.row("a1").isEmpty && transaction.row("a2").contains("2") && transaction.contains(key("a3")))
      assert(!transaction.contains(key("a1")))
      assert(transaction.rows == Vector("a2" -> "2", "a3" -> "2", "b1" -> "1"))
      assert(transaction.rowsWith("a") == Vector("a2" -> "2", "a3" -> "2"))
      transaction.putRow("a1", "3")
      assert(transaction.rowsWith("a") == Vector("a1" -> "3", "a2" -> "2", "a3" -> "2"))
      transaction.abort()
    }
  }

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

  test("arrays passed in and handed out may be changed by the caller") {
    withStore { store =>
      val transaction = store.begin(StateVersion.Empty)
      val name = key("a")
      val value = bytes("1")
      transaction.put(name, value)
      name(2) = 'z'
      value(0) = '9'
      assert(transaction.row("a").contains("1"))
      transaction.get(key("a"))(0) = '9'
      assert(transaction.row("a").contains("1"))
      transaction.abort()
    }
  }

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

  test("a merge appends to the key's value, whoever wrote it, and every read shows it") {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, "a" -> "1", "b" -> "1", "c" -> "1", "d" -> "1")
      val transaction = store.begin(one)
      transaction.mergeRow("a", "2")
      transaction.mergeRow("a", "3") // to the base's value, twice
      transaction.putRow("b", "2")
      transaction.mergeRow("b", "3") // to an own put
      transaction.removeRow("c")
      transaction.mergeRow("c", "2")
      transaction.mergeRow("c", "3") // after an own removal
      transaction.mergeRow("d", "2")
      transaction.removeRow("d") // and removed again
      transaction.mergeRow("e", "2") // to nothing
      transaction.mergeRow("f", "")
      val merged = Vector("a" -> "123", "b" -> "23", "c" -> "23", "e" -> "2", "f" -> "")
      assert(transaction.rows == merged)
      assert(merged.forall { case (name, value) => transaction.row(name).contains(value) })
      assert(transaction.contains(key("e")) && !transaction.contains(key("d")))
      val two = transaction.commit()
      assert(transaction.rowCount == 5 && rowsAt(store, two) == merged)
      store.restart()
      assert(rowsAt(store, two) == merged)
      val after = store.begin(two)
      after.mergeRow("a", "4")
      after.mergeRow("e", "5")
      val three = after.commit()
      store.maintain()
      store.restart()
      assert(rowsAt(store, three).take(4) == Vector("a" -> "1234", "b" -> "23", "c" -> "23", "e" -> "25"))
    }
  }

  test("a row that was merged into and read much later is right in the next transaction") {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, (1 to 500).map(i => s"row$i" -> "1"): _*)
      val transaction = store.begin(one)
      transaction.mergeRow("row5", "2")
      (1 to 5).foreach(i => transaction.putRow(s"large$i", "x" * 100000))
      assert(transaction.row("row5").contains("12"))
      val two = transaction.commit()
      val after = store.begin(two)
      assert(after.row("row5").contains("12"))
      after.abort()
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

  test("empty values, keys that are prefixes of others, and high bytes are kept and ordered as unsigned") {
    withStore { store =>
      val names = Vector(
        Array[Byte](),
        Array[Byte](0),
        Array[Byte](0, 0),
        Array[Byte](127),
        Array[Byte](-128),
        Array[Byte](-1, -1)
      )
      val transaction = store.begin(StateVersion.Empty)
      names.reverse.foreach(name => transaction.put(key("") ++ name, Array.emptyByteArray))
      val one = transaction.commit()
      store.restart()
      val after = store.begin(one)
      after.put(key("") ++ Array[Byte](1), Array.emptyByteArray)
      val scan = after.scan(key(""), key("", 1))
      val found =
        Iterator.continually(scan).takeWhile(_.next()).map(s => (s.key.drop(2).toSeq, s.value.length)).toVector
      assert(found == (names.take(3) ++ Vector(Array[Byte](1)) ++ names.drop(3)).map(name => (name.toSeq, 0)))
      after.abort()
    }
  }

  test("rows of many sizes survive, larger than any buffer among them") {
    withStore { store =>
      val sizes = Vector(0, 1, 127, 128, 16383, 16384, 300000, 3000000)
      val transaction = store.begin(StateVersion.Empty)
      sizes.foreach(size => transaction.put(key(s"row$size"), Array.tabulate(size)(i => (i * 31 + size).toByte)))
      val one = transaction.commit()
      store.restart()
      val after = store.begin(one)
      sizes.foreach { size =>
        assert(after.get(key(s"row$size")).sameElements(Array.tabulate(size)(i => (i * 31 + size).toByte)))
      }
      after.abort()
    }
  }

  test("large transactions that read, write, merge and remove rows in any order are right") {
    val random = new Random(7)
    withStore { store =>
      var base = StateVersion.Empty
      var expected = Map.empty[String, String]
      (1 to 4).foreach { batch =>
        if (batch == 3) store.restart()
        val transaction = store.begin(base)
        (1 to 15000).foreach { step =>
          val name = s"row${random.nextInt(4000)}"
          val value = s"$step" * (1 + random.nextInt(40))
          random.nextInt(8) match {
            case 0 | 1 | 2 =>
              transaction.putRow(name, value)
              expected += name -> value
            case 3 =>
              transaction.mergeRow(name, value)
              expected += name -> (expected.getOrElse(name, "") + value)
            case 4 =>
              transaction.removeRow(name)
              expected -= name
            case _ => assert(transaction.row(name) == expected.get(name))
          }
          if (step % 5000 == 0) assert(transaction.rows == expected.toVector.sorted)
        }
        base = transaction.commit()
        assert(transaction.rowCount == expected.size)
        assert(batch == 3 || transaction.metrics.recovery.deltasReplayed == 0, "the commit before was not applied")
      }
      assert(rowsAt(store, base) == expected.toVector.sorted)
      store.restart()
      assert(rowsAt(store, base) == expected.toVector.sorted)
    }
  }

  test("one thread may read while another writes") {
    withStore { store =>
      val one = commit(store, StateVersion.Empty, (1 to 2000).map(i => f"row$i%05d" -> "1"): _*)
      val transaction = store.begin(one)
      @volatile var failure: Option[Throwable] = None
      val reader = new Thread(() =>
        try (1 to 2000).foreach(i => assert(transaction.row(f"row$i%05d").isDefined))
        catch { case e: Throwable => failure = Some(e) }
      )
      reader.start()
      (1 to 2000).foreach(i => transaction.putRow(f"row$i%05d", "2"))
      (1 to 500).foreach(i => transaction.putRow(f"new$i%05d", "2"))
      reader.join()
      assert(failure.isEmpty, failure)
      transaction.commit()
      assert(transaction.rowCount == 2500)
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
}
