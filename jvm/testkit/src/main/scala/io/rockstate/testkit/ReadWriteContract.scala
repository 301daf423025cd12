package io.rockstate.testkit

import scala.util.Random

import io.rockstate.versions.StateVersion

import Rows._

/** Reads and writes within a transaction: it sees its own, and what it commits is what it saw. */
trait ReadWriteContract extends StoreSuite {
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
}
