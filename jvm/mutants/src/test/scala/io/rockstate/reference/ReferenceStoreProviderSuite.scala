package io.rockstate.reference

import java.io.{File, IOException}
import java.net.URI
import java.nio.file.Files

import org.apache.spark.sql.execution.streaming.state.{RecordType, SupportsFineGrainedReplay}
import org.apache.spark.sql.types.StructType

/** What the conformance suite cannot tell apart from a fault of its own: that the control itself works. */
class ReferenceStoreProviderSuite extends ProviderTest {
  private val start = Version(0, None)
  private val formats = Seq(1, 2).map(format => s"stateStore.checkpointFormatVersion" -> format.toString)

  formats.foreach { format =>
    test(s"versions last, $format") {
      val folder = newFolder()
      val one = write(open(folder, settings = Map(format)), start) { store =>
        store.put(key(1L), value("one")); store.put(key(2L), value("two"))
      }
      val provider = open(folder, settings = Map(format))
      val two = write(provider, one) { store => store.remove(key(1L)); store.put(key(2L), value("again")) }
      assert(one.id.isDefined == (format._2 == "2"))
      assert(rowsAt(provider, one) == Map((1L, "k") -> "one", (2L, "k") -> "two"))
      assert(rowsAt(open(folder, settings = Map(format)), two) == Map((2L, "k") -> "again"))
    }

    test(s"maintenance takes snapshots and keeps what the retained versions need, $format") {
      val settings = Map(format, "stateStore.minDeltasForSnapshot" -> "3", "minBatchesToRetain" -> "2")
      val folder = newFolder()
      val provider = open(folder, settings = settings)
      val versions = (1 to 20).scanLeft(start) { (base, i) =>
        val next = write(provider, base)(_.put(key(i.toLong), value(s"$i")))
        provider.doMaintenance()
        next
      }
      assert(stateFiles(folder).size < 12)
      versions.takeRight(2).foreach { version =>
        assert(rowsAt(open(folder, settings = settings), version).size == version.number)
      }
      intercept[IOException](open(folder, settings = settings).getStore(1, versions(1).id))
    }

    test(s"a changed byte anywhere in a file is noticed, $format") {
      val folder = newFolder()
      val one = write(open(folder, settings = Map(format)), start)(_.put(key(1L), value("one")))
      val path = stateFiles(folder).head.toPath
      val right = Files.readAllBytes(path)
      right.indices.foreach { i =>
        Files.write(path, right.updated(i, (right(i) ^ 4).toByte))
        withClue(s"byte $i")(intercept[IOException](open(folder, settings = Map(format)).getStore(1, one.id)))
        Files.write(path, right.take(i))
        withClue(s"$i bytes")(intercept[IOException](open(folder, settings = Map(format)).getStore(1, one.id)))
      }
    }

    test(s"replay and the change feed, $format") {
      val settings = Map(format, "stateStore.minDeltasForSnapshot" -> "1")
      val provider = open(newFolder(), settings = settings)
      val one = write(provider, start)(_.put(key(1L), value("one")))
      provider.doMaintenance()
      val two = write(provider, one) { store => store.remove(key(1L)); store.put(key(2L), value("two")) }
      val replayed = provider.asInstanceOf[SupportsFineGrainedReplay]
      val store = replayed.replayStateFromSnapshot(1, 2, readOnly = true, one.id, two.id)
      assert(pairs(store.iterator()) == Seq((2L, "k") -> "two"))
      intercept[IOException](replayed.replayStateFromSnapshot(2, 2, readOnly = true, two.id, two.id))
      val changes = replayed.getStateStoreChangeDataReader(2, 2, None, two.id).toSeq
      assert(
        changes.map(change => (change._1, change._2, change._4)) ==
          Seq((RecordType.DELETE_RECORD, key(1L), 1), (RecordType.PUT_RECORD, key(2L), 1))
      )
    }
  }

  test("range scans go by the ordering column: negatives first, nulls last") {
    val folder = newFolder()
    val one = write(open(folder, spec = ranged), start) { store =>
      Seq[Any](5L, null, -5L, Long.MinValue).foreach(t => store.put(key(t), value(s"$t")))
    }
    val store = open(folder, spec = ranged).getStore(one.number)
    assert(pairs(store.rangeScan(None, None)).map(_._2) == Seq(s"${Long.MinValue}", "-5", "5", "null"))
    assert(pairs(store.rangeScan(Some(key(-5L)), Some(key(5L)))).map(_._2) == Seq("-5"))
    assert(pairs(store.prefixScan(row(StructType(keySchema.take(1)), -5L))).map(_._2) == Seq("-5"))
    store.deleteRange(key(-5L), key(6L))
    assert(store.metrics.numKeys == 2)
  }

  test("a key has several values, in their order") {
    val folder = newFolder()
    val one = write(open(folder, multiple = true), start) { store =>
      store.merge(key(1L), value("a")); store.mergeList(key(1L), Array("b", "a").map(value));
      store.put(key(2L), value("c"))
    }
    val store = open(folder, multiple = true).getStore(one.number)
    assert(store.valuesIterator(key(1L)).map(_.getString(0)).toSeq == Seq("a", "b", "a"))
    assert(pairs(store.iteratorWithMultiValues()).size == 4 && pairs(store.iterator()).size == 2)
    store.putList(key(1L), Array(value("d")))
    assert(store.valuesIterator(key(1L)).map(_.getString(0)).toSeq == Seq("d"))
  }

  test("column families are apart, last, and are empty after they were removed") {
    val folder = newFolder()
    val one = write(open(folder), start) { store =>
      store.createColFamilyIfAbsent("other", keySchema, valueSchema, plain)
      store.put(key(1L), value("here")); store.put(key(1L), value("there"), "other")
    }
    val provider = open(folder)
    val store = provider.getStore(one.number)
    assert(store.allColumnFamilyNames == Set("default", "other"))
    store.createColFamilyIfAbsent("other", keySchema, valueSchema, plain)
    assert(store.get(key(1L)).getString(0) == "here" && store.get(key(1L), "other").getString(0) == "there")
    assert(store.removeColFamilyIfExists("other") && !store.removeColFamilyIfExists("other"))
    intercept[IllegalArgumentException](store.put(key(1L), value("late"), "other"))
    store.createColFamilyIfAbsent("other", keySchema, valueSchema, plain)
    assert(store.iterator("other").isEmpty && store.metrics.numKeys == 1)
  }

  test("a store that has ended is refused, and can be aborted again") {
    val provider = open(newFolder())
    val aborted = provider.getStore(0)
    aborted.abort()
    aborted.abort()
    intercept[IllegalStateException](aborted.put(key(1L), value("late")))
    val committed = provider.getStore(0)
    committed.commit()
    intercept[IllegalStateException](committed.put(key(1L), value("late")))
    intercept[IllegalStateException](committed.commit())
    assert(committed.hasCommitted && !aborted.hasCommitted && rowsAt(provider, Version(1, None)).isEmpty)
  }

  private def stateFiles(folder: String): Seq[File] =
    new File(new URI(folder + "0/0")).listFiles().toSeq.filterNot(_.getName.startsWith("."))
}
