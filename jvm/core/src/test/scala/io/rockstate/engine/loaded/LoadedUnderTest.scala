package io.rockstate.engine.loaded

import java.nio.file.{Files, Path}

import io.rockstate.db.{LocalDb, NativeMemory}
import io.rockstate.engine.layers.ChangeLayer
import io.rockstate.engine.memory.HeapMemory
import io.rockstate.engine.records.{KeyHash, KeyedRecords}
import io.rockstate.folders.Trees
import io.rockstate.format.wire.WriteBatchRecords
import io.rockstate.testkit.Rows.{bytes, key, text}
import io.rockstate.versions.CommittedVersion

/** A loaded database without an engine around it, empty at `version`. Who makes it closes it. */
private[engine] final class LoadedUnderTest(
    version: Long = 0,
    val heap: HeapMemory = new HeapMemory(1L << 20),
    val applier: Applier = new Applier
) {
  private val folder: Path = Files.createTempDirectory("rockstate-loaded")
  var isClosed = false
  val db = new LoadedDb(
    LocalDb.open(folder, NativeMemory.shared(64L << 20)),
    CommittedVersion.emptyAt(version),
    heap,
    applier,
    _ => isClosed = true
  )

  /** Puts `row` = `value` on top of the head. */
  def advance(row: String, value: String, id: String = ""): Unit = advance(Layers.put(row, value), id)

  def advance(changes: ChangeLayer): Unit = advance(changes, id = "")

  private def advance(changes: ChangeLayer, id: String): Unit = {
    val base = db.head
    assert(db.advance(base, base.copy(version = base.version + 1, commitId = id), DeltaSize(10, 1), changes))
  }

  /** Fails as a full disk would: no transaction goes on with it any more. */
  def break(): Unit = {
    advance(Layers.unknown)
    scala.util.Try(db.applyLayers())
    assert(db.isBroken)
  }

  /** Lets go of what this held; nobody else holds it any more. */
  def close(): Unit = {
    applier.close()
    db.release()
    assert(isClosed && heap.usedBytes == 0)
    Trees.delete(folder)
  }
}

private[engine] object LoadedUnderTest {
  def value(view: View, row: String): Option[String] = text(view.get(key(row), KeyHash.of(key(row))))
}

/** Changes of one row. */
private[engine] object Layers {
  def put(row: String, value: String): ChangeLayer = of(row, value, WriteBatchRecords.Put)

  def merge(row: String, value: String): ChangeLayer = of(row, value, WriteBatchRecords.Merge)

  /** RocksDB knows no record of this kind. */
  def unknown: ChangeLayer = of("b", "2", tag = 99)

  private def of(row: String, value: String, tag: Byte): ChangeLayer = {
    val record = new Array[Byte](WriteBatchRecords.pairSize(key(row).length, value.length))
    WriteBatchRecords.writePut(record, 0, key(row), bytes(value))
    record(0) = tag
    val changes = new KeyedRecords
    val id = changes.addKey(key(row), 0, key(row).length, KeyHash.of(key(row)))
    changes.add(id, record, 0, record.length, record.length - value.length)
    new ChangeLayer(changes, 100)
  }
}
