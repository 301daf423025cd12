package io.rockstate.engine.transaction

import scala.collection.immutable.TreeMap
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.loaded.{Layers, LoadedUnderTest, View}
import io.rockstate.engine.records.KeyHash
import io.rockstate.format.wire.WriteBatchRecords
import io.rockstate.format.wire.WriteBatchRecordsSuite.{decode, Record}
import io.rockstate.testkit.ClosesHandles
import io.rockstate.testkit.Rows.{bytes, key, text}

/** The writes of one transaction beside a model of them: the same operations on sorted maps that never change. */
class PendingWritesSuite extends AnyFunSuite with ClosesHandles {
  import PendingWritesSuite._

  /** Both side by side, and the frames that were handed out. */
  private final class Writes {
    var frames = Vector.empty[Vector[Record]]
    var model = TreeMap.empty[String, Written]
    val pending = new PendingWrites(
      null,
      (records, length, count) => {
        val frame = decode(records, 0, length).toVector
        assert(frame.size == count)
        frames :+= frame
      }
    )
    var all = Vector.empty[Record]

    def put(row: String, value: String): Unit = {
      pending.put(key(row), hash(row), bytes(value))
      all :+= Record(WriteBatchRecords.Put, key(row).toVector, bytes(value).toVector)
      model += row -> PutTo(value)
    }

    def merge(row: String, operand: String): Unit = {
      pending.merge(key(row), hash(row), bytes(operand))
      all :+= Record(WriteBatchRecords.Merge, key(row).toVector, bytes(operand).toVector)
      model += row -> (model.get(row) match {
        case Some(PutTo(text)) => PutTo(text + operand)
        case Some(Extended(by)) => Extended(by + operand)
        case Some(Removed) => PutTo(operand)
        case None => Extended(operand)
      })
    }

    def remove(row: String): Unit = {
      pending.remove(key(row), hash(row))
      all :+= Record(WriteBatchRecords.Delete, key(row).toVector, Vector.empty)
      model += row -> Removed
    }

    /** One of them, at random. */
    def step(random: Random): Unit = {
      val (row, value) = (s"row${random.nextInt(60)}", s"+${random.nextInt(1000)}")
      random.nextInt(3) match {
        case 0 => put(row, value)
        case 1 => merge(row, value)
        case 2 => remove(row)
      }
    }

    /** The written rows in order, with their values as of `mark`; those not written then have none. */
    def at(mark: Int, base: String => Option[String]): Vector[(String, Option[Option[String]])] = {
      val cursor = pending.keysFrom(key(""))
      Iterator
        .continually(cursor.next())
        .takeWhile(_ >= 0)
        .map { id =>
          val row = text(pending.key(id).drop(2)).get
          val record = pending.recordAt(mark, id)
          row -> Option.when(record >= 0)(text(pending.value(record, base(row).map(bytes).orNull)))
        }
        .toVector
    }
  }

  private def hash(row: String): Int = KeyHash.of(key(row))

  /** On a base with these rows in a layer each; every change of the row count by column family. */
  private def frozen(writes: Writes, base: String*): FrozenWrites = onBase(base: _*)(writes.pending.freeze(_))

  private def onBase[T](base: String*)(body: View => T): T = {
    val loaded = new LoadedUnderTest
    base.foreach(row => loaded.advance(Layers.put(row, "old")))
    val view = loaded.db.view()
    try body(view)
    finally {
      view.close()
      loaded.close()
    }
  }

  private val oldRows: String => Option[String] = row => Option.when(row.last % 2 == 0)("old")

  test("the newest record of a key says what a read would: its value, its base's with more, or none") {
    (1 to 10).foreach { seed =>
      val (writes, random) = (new Writes, new Random(seed))
      (1 to 500).foreach { step =>
        writes.step(random)
        if (step % 50 == 0) (0 until 60).map(n => s"row$n").foreach { row =>
          val record = writes.pending.newest(key(row), hash(row))
          val expected = writes.model.get(row)
          assert((record >= 0) == expected.isDefined, s"$row, seed $seed")
          expected.foreach { written =>
            assert(writes.pending.isRemoval(record) == (written == Removed))
            val found = text(writes.pending.value(record, oldRows(row).map(bytes).orNull))
            assert(found == written.value(oldRows(row)), s"$row, seed $seed")
          }
        }
      }
    }
  }

  test("at a mark the keys are found in order, as they stood then, whatever was written since") {
    (1 to 10).foreach { seed =>
      val (writes, random) = (new Writes, new Random(seed))
      val marks = (0 to 8).map { _ =>
        val marked = (writes.pending.mark, writes.model)
        (1 to 40).foreach(_ => writes.step(random))
        if (random.nextBoolean()) writes.at(writes.pending.mark, oldRows) // orders the keys, before more of them come
        marked
      }
      marks.foreach { case (mark, model) =>
        val expected = writes.model.keys.toVector.map(row => row -> model.get(row).map(_.value(oldRows(row))))
        assert(writes.at(mark, oldRows) == expected, s"seed $seed, mark $mark")
        writes.model.keys.zipWithIndex.foreach { case (row, _) =>
          val byBytes = writes.pending.recordAt(mark, key(s"xx$row"), 2, key(s"xx$row").length - 2)
          assert(byBytes == -1, "a key that starts elsewhere is another one")
          val found = writes.pending.recordAt(mark, Array[Byte](9) ++ key(row), 1, key(row).length)
          assert((found >= 0) == model.contains(row))
        }
      }
    }
  }

  test("keys that are written while a cursor is in use are met where they belong") {
    val writes = new Writes
    Seq("b", "d").foreach(writes.put(_, "1"))
    val cursor = writes.pending.keysFrom(key(""))
    def next(): Option[String] = Some(cursor.next()).filter(_ >= 0).map(id => text(writes.pending.key(id).drop(2)).get)
    assert(next().contains("b"))
    Seq("c", "a").foreach(writes.put(_, "1"))
    writes.pending.keysFrom(key("")) // files the new keys
    assert(next().contains("c") && next().contains("d") && next().isEmpty)
  }

  test("frames are handed out while rows are written, the last one at the end: every record once, in order") {
    val writes = new Writes
    val random = new Random(3)
    (1 to 3000).foreach { _ =>
      writes.step(random)
      writes.put(s"large${random.nextInt(50)}", "x" * random.nextInt(2000))
    }
    val before = writes.frames
    assert(before.size > 3 && before.map(_.size).sum < writes.all.size)
    frozen(writes)
    assert(writes.frames.flatten == writes.all)
    assert(writes.frames.size == before.size + 1)
    assert(
      Seq(writes.pending.puts, writes.pending.merges, writes.pending.removes) ==
        Seq(WriteBatchRecords.Put, WriteBatchRecords.Merge, WriteBatchRecords.Delete).map(tag =>
          writes.all.count(_.tag == tag).toLong
        )
    )
  }

  test("nothing is handed out where nothing was written") {
    val writes = new Writes
    writes.pending.learn(key("a"), hash("a"), present = true)
    assert(frozen(writes).rowChanges.sum == 0 && writes.frames.isEmpty && writes.pending.mark == 0)
  }

  test("what becomes of each key is one record, and changes the row count by what the base had") {
    (1 to 5).foreach { seed =>
      val (writes, random) = (new Writes, new Random(seed))
      (1 to 200).foreach(_ => writes.step(random))
      val base = (0 until 60).map(n => s"row$n").filter(oldRows(_).isDefined)
      val result = frozen(writes, base: _*)
      val after = writes.model.count { case (row, written) => written.value(oldRows(row)).isDefined }
      val had = writes.model.keys.count(oldRows(_).isDefined)
      assert(result.rowChanges.toSeq == Seq(after - had), s"seed $seed")
      assert(result.layer.keys == writes.model.size)
      writes.model.foreach { case (row, written) =>
        val record = result.layer.find(key(row), hash(row))
        val found: Written =
          if (result.layer.isRemoval(record)) Removed
          else if (result.layer.isMerge(record)) Extended(text(result.layer.bytes(record)).get)
          else PutTo(text(result.layer.bytes(record)).get)
        assert(found == written, s"$row, seed $seed")
      }
    }
  }

  test("row counts change by column family") {
    val writes = new Writes
    writes.put("new", "1")
    writes.remove("old")
    writes.remove("never there")
    Seq(300 -> "a", 300 -> "b", 2 -> "a").foreach { case (family, row) =>
      writes.pending.put(key(row, family), KeyHash.of(key(row, family)), bytes("1"))
    }
    writes.put("other", "2")
    val changes = frozen(writes, "old", "kept").rowChanges
    assert(changes.length == 301 && changes(300) == 2 && changes(2) == 1 && changes(0) == 1 && changes.sum == 4)
  }

  test("what was learnt of a key, before or after it was written, spares the look-up at the end") {
    // What is learnt here is wrong: the counts show that nobody looked.
    val writes = new Writes
    writes.pending.learn(key("absent"), hash("absent"), present = true)
    writes.put("absent", "1")
    writes.remove("there")
    writes.pending.learn(key("there"), hash("there"), present = false)
    writes.put("looked up", "1")
    assert(frozen(writes, "there", "looked up").rowChanges.toSeq == Seq(0))
    assert(writes.pending.newest(key("only learnt"), hash("only learnt")) == -1)
  }
}

private object PendingWritesSuite {

  /** What is known of a key that was written: removed, put to a value, or extended by one. */
  sealed trait Written {
    def value(base: Option[String]): Option[String]
  }
  case object Removed extends Written {
    override def value(base: Option[String]): Option[String] = None
  }
  final case class PutTo(text: String) extends Written {
    override def value(base: Option[String]): Option[String] = Some(text)
  }
  final case class Extended(by: String) extends Written {
    override def value(base: Option[String]): Option[String] = Some(base.getOrElse("") + by)
  }
}
