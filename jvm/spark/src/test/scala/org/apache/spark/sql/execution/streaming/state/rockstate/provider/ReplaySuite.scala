package org.apache.spark.sql.execution.streaming.state.rockstate.provider

import java.io.File

import org.apache.spark.SparkException
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.RecordType._

/** What Spark's state data source and repartitioning ask of a provider: a given snapshot, the change feed, a store from nothing. */
class ReplaySuite extends ProviderTest {
  import TestRows._

  private val formats = Seq(1, 2)
  private def settings(format: Int): Settings = Map(
    "spark.sql.streaming.stateStore.checkpointFormatVersion" -> format.toString,
    "spark.sql.streaming.stateStore.minDeltasForSnapshot" -> "1"
  )

  /** Commits on the version and id, and returns the new ones. */
  private def next(provider: StateStoreProvider, base: (Long, Option[String]))(
      write: StateStore => Unit
  ): (Long, Option[String]) = {
    val store = provider.getStore(base._1, base._2)
    write(store)
    val version = store.commit()
    (version, store.getStateStoreCheckpointInfo().stateStoreCkptId)
  }

  private def changesOf(
      reader: Iterator[
        (
            RecordType,
            org.apache.spark.sql.catalyst.expressions.UnsafeRow,
            org.apache.spark.sql.catalyst.expressions.UnsafeRow,
            Long
        )
      ]
  ) =
    reader.map { case (kind, key, value, batch) =>
      (getRecordTypeAsString(kind), keyRowToData(key), Option(value).map(valueRowToData), batch)
    }.toSeq

  formats.foreach { format =>
    test(s"a version is replayed from the snapshot that is named, checkpoint format $format") {
      val id = newId()
      withProvider(id, settings(format)) { provider =>
        val one = next(provider, (0L, None))(put(_, "a", 1, 1))
        provider.doMaintenance()
        val two = next(provider, one)(put(_, "b", 1, 2))
        val three = next(provider, two)(remove(_, _._1 == "a"))
        provider.doMaintenance()
        def replayed(from: (Long, Option[String]), to: (Long, Option[String])) = {
          val store = provider.replayReadStateFromSnapshot(from._1, to._1, from._2, to._2)
          try rowsOf(store)
          finally store.release()
        }
        assert(replayed(one, one) == Set(("a", 1) -> 1))
        assert(replayed(one, two) == Set(("a", 1) -> 1, ("b", 1) -> 2))
        assert(replayed(one, three) == Set(("b", 1) -> 2))
        assert(replayed(three, three) == Set(("b", 1) -> 2))
        val missing = intercept[SparkException](replayed(two, three))
        assert(missing.getCondition == "CANNOT_LOAD_STATE_STORE.UNCATEGORIZED")
        assert(missing.getMessage.contains("snapshot of version 2"))
        assert(missing.getMessage.contains("operator 0, partition 3, store default"))
        intercept[SparkException](replayed(three, one))
        intercept[SparkException](replayed((0L, None), one))
        assert(rowsOf(provider.getReadStore(three._1, three._2)) == Set(("b", 1) -> 2), "the store goes on as before")
      }
    }

    test(s"a damaged snapshot that is named is an error, not skipped, checkpoint format $format") {
      val id = newId()
      withProvider(id, settings(format)) { provider =>
        val one = next(provider, (0L, None))(put(_, "a", 1, 1))
        provider.doMaintenance()
        val folder = new File(id.storeCheckpointLocation().toUri.getPath)
        val snapshot = folder.listFiles().find(_.getName.endsWith(".snapshot")).get
        java.nio.file.Files.write(snapshot.toPath, Array[Byte](1, 2, 3))
        val error = intercept[SparkException](provider.replayReadStateFromSnapshot(one._1, one._1, one._2, one._2))
        assert(
          error.getCondition == "CANNOT_LOAD_STATE_STORE.UNCATEGORIZED" && error.getMessage.contains(snapshot.getName)
        )
      }
    }

    test(s"a write store goes on from a replayed version, checkpoint format $format") {
      withProvider(settings = settings(format)) { provider =>
        val one = next(provider, (0L, None))(put(_, "a", 1, 1))
        provider.doMaintenance()
        val two = next(provider, one)(put(_, "b", 1, 2))
        val store = provider.replayStateFromSnapshot(one._1, two._1, readOnly = false, one._2, two._2)
        put(store, "c", 1, 3)
        assert(store.commit() == 3)
        val id = store.getStateStoreCheckpointInfo().stateStoreCkptId
        assert(rowsOf(provider.getReadStore(3, id)) == Set(("a", 1) -> 1, ("b", 1) -> 2, ("c", 1) -> 3))
      }
    }

    test(s"the change feed tells every change of the versions asked for, in order, checkpoint format $format") {
      withProvider(settings = settings(format)) { provider =>
        val one = next(provider, (0L, None)) { store => put(store, "a", 1, 1); put(store, "b", 1, 1) }
        val two = next(provider, one) { store => put(store, "a", 1, 2); put(store, "a", 1, 3) }
        val three = next(provider, two)(remove(_, _._1 == "b"))
        def changes(from: Long) = changesOf(provider.getStateStoreChangeDataReader(from, 3, None, three._2))
        val last = Seq(
          ("update", ("a", 1), Some(2), 1L),
          ("update", ("a", 1), Some(3), 1L),
          ("delete", ("b", 1), None, 2L)
        )
        assert(changes(2) == last)
        assert(changes(1) == Seq(("update", ("a", 1), Some(1), 0L), ("update", ("b", 1), Some(1), 0L)) ++ last)
      }
    }

    test(s"a store made from nothing is a version of its own, checkpoint format $format") {
      val id = newId()
      withProvider(id, settings(format)) { provider =>
        val one = next(provider, (0L, None))(put(_, "a", 1, 1))
        val store = provider.getStore(one._1, None, forceSnapshotOnCommit = false, loadEmpty = true)
        assert(store.iterator().isEmpty)
        put(store, "b", 1, 2)
        assert(store.commit() == 2 && store.metrics.numKeys == 1)
        val two = (2L, store.getStateStoreCheckpointInfo().stateStoreCkptId)
        assert(two._2.isDefined == (format == 2))
        val three = next(provider, two)(put(_, "c", 1, 3))
        withProvider(id, settings(format)) { restarted =>
          assert(rowsOf(restarted.getReadStore(2, two._2)) == Set(("b", 1) -> 2))
          assert(rowsOf(restarted.getReadStore(3, three._2)) == Set(("b", 1) -> 2, ("c", 1) -> 3))
          assert(rowsOf(restarted.getReadStore(1, one._2)) == Set(("a", 1) -> 1))
        }
      }
    }
  }

  test("the change feed of a column family with lists tells each value") {
    withProvider(useColumnFamilies = true) { provider =>
      val spec = NoPrefixKeyStateEncoderSpec(keySchema)
      val store = provider.getStore(0)
      store.createColFamilyIfAbsent("lists", keySchema, valueSchema, spec, useMultipleValuesPerKey = true)
      store.createColFamilyIfAbsent("other", keySchema, valueSchema, spec)
      val key = dataToKeyRow("a", 1)
      store.putList(key, Array(1, 2).map(dataToValueRow), "lists")
      store.put(key, dataToValueRow(9), "other")
      store.merge(key, dataToValueRow(3), "lists")
      store.remove(key, "lists")
      store.commit()
      val expected = Seq(
        ("update", ("a", 1), Some(1), 0L),
        ("append", ("a", 1), Some(2), 0L),
        ("append", ("a", 1), Some(3), 0L),
        ("delete", ("a", 1), None, 0L)
      )
      assert(changesOf(provider.getStateStoreChangeDataReader(1, 1, Some("lists"))) == expected)
      assert(changesOf(provider.getStateStoreChangeDataReader(1, 1, Some("other"))).map(_._3) == Seq(Some(9)))
    }
  }

  test("changes that are not in storage any more are an error that says which are") {
    val id = newId()
    withProvider(id) { provider =>
      (0L until 3L).foreach(version => commit(provider, version, ("a", 1) -> version.toInt))
      new File(id.storeCheckpointLocation().toUri.getPath, "1.delta").delete()
      val error = intercept[SparkException](provider.getStateStoreChangeDataReader(1, 3))
      assert(error.getMessage.contains("1.delta") && error.getMessage.contains("from version 2 on"))
      assert(error.getMessage.contains("operator 0, partition 3, store default"))
    }
    // On a machine that has none of the versions either, and could not load them.
    withProvider(id)(provider =>
      assert(changesOf(provider.getStateStoreChangeDataReader(2, 3)).map(_._3) == Seq(Some(1), Some(2)))
    )
  }
}
