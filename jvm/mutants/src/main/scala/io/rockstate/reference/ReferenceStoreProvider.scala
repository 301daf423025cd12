package io.rockstate.reference

import java.io.IOException
import java.util.UUID

import scala.annotation.unused
import scala.collection.concurrent.TrieMap

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.reference.Records
import org.apache.spark.sql.types.StructType

import io.rockstate.reference.ReferenceStore.{Committed, Declared, Opening}
import io.rockstate.reference.StateFiles.{DeltaFile, SnapshotFile}

/** A state store provider too simple to be wrong: immutable maps, one file per commit, nothing remembered between transactions. The
  * conformance suite must pass it; each mutant overrides one thing in it, and the suite must find out.
  */
class ReferenceStoreProvider extends StateStoreProvider with SupportsFineGrainedReplay {
  @volatile private var id: StateStoreId = _
  @volatile private var families = false
  @volatile protected var valueSchema: StructType = _
  @volatile protected var conf: StateStoreConf = _
  @volatile private var hadoopConf: Configuration = _
  @volatile protected var files: StateFiles = _
  @volatile protected var history: History = _
  @volatile private var asked = Version(0, None)
  @volatile private var newest = Version(0, None)
  private val declarations = TrieMap.empty[String, Declared]

  override def init(
      stateStoreId: StateStoreId,
      keySchema: StructType,
      valueSchema: StructType,
      spec: KeyStateEncoderSpec,
      useColumnFamilies: Boolean,
      storeConfs: StateStoreConf,
      hadoopConf: Configuration,
      useMultipleValuesPerKey: Boolean,
      stateSchemaProvider: Option[StateSchemaProvider]
  ): Unit = {
    id = stateStoreId
    families = useColumnFamilies
    this.valueSchema = valueSchema
    conf = storeConfs
    this.hadoopConf = hadoopConf
    files = filesIn(stateStoreId.storeCheckpointLocation(), hadoopConf)
    files.makeFolder()
    history = historyOf(files)
    take(stateSchemaProvider)
    declare(StateStore.DEFAULT_COL_FAMILY_NAME, new Declared(keyOrder(spec), useMultipleValuesPerKey))
  }

  override def stateStoreId: StateStoreId = id

  def useColumnFamilies: Boolean = families

  override def getStore(version: Long, id: Option[String], takesSnapshot: Boolean, startsEmpty: Boolean): StateStore =
    getStore(versionOf(version, id), Opening(startsEmpty, takesSnapshot))

  override def getReadStore(version: Long, id: Option[String]): ReadStateStore = {
    val base = versionOf(version, id)
    readStore(base, load(base))
  }

  override def upgradeReadStoreToWriteStore(
      readStore: ReadStateStore,
      version: Long,
      id: Option[String],
      takesSnapshot: Boolean
  ): StateStore = upgraded(readStore, versionOf(version, id), Opening(takesSnapshot = takesSnapshot))

  override def replayStateFromSnapshot(
      snapshot: Long,
      end: Long,
      readOnly: Boolean,
      snapshotId: Option[String],
      endId: Option[String]
  ): StateStore = {
    val last = versionOf(end, endId)
    val contents = replay(versionOf(snapshot, snapshotId), last)
    if (readOnly) readStore(last, contents) else store(last, contents, Opening())
  }

  override def getStateStoreChangeDataReader(
      first: Long,
      last: Long,
      family: Option[String],
      lastId: Option[String]
  ): Records = {
    val wanted = family.getOrElse(StateStore.DEFAULT_COL_FAMILY_NAME)
    val records = for {
      (version, delta) <- history.deltas(first, versionOf(last, lastId)).iterator
      change <- delta.changes.iterator.collect { case change: KeyChange if isOf(change, wanted) => change }
      (kind, value) <- recordsOf(change)
    } yield (kind, keyIn(change), value, version.number - 1)
    new Records(records)
  }

  override def doMaintenance(): Unit = {
    takeSnapshotIfDue(newest)
    retire(asked)
  }

  override def close(): Unit = ()

  override def supportedCustomMetrics: Seq[StateStoreCustomMetric] = Seq(ReferenceStoreProvider.deltaBytes)

  def declare(family: String, as: Declared): Unit = declarations(family) = as

  def isDeclared(family: String): Boolean = declarations.contains(family)

  def declared(family: String): Declared = declarations.getOrElse(
    family,
    throw new IllegalStateException(s"createColFamilyIfAbsent has not told the key encoder of $family yet")
  )

  /** Makes what a store wrote the next version. */
  def commit(store: ReferenceStore): Committed = {
    val next = Version(store.base.number + 1, Option.when(conf.enableStateStoreCheckpointIds)(newId()))
    if (!store.opening.startsEmpty && !isThere(store.base)) {
      throw new IOException(s"Version ${next.number} is too late: others went on, and ${store.base} is gone")
    }
    forgetReplaced(next)
    val bytes = files.writeDelta(next, Delta(store.base, store.opening.startsEmpty, recorded(store)))
    if (store.opening.takesSnapshot) files.writeSnapshot(next, history.load(next))
    newest = next
    report(next)
    Committed(next, bytes)
  }

  def keyOrder(spec: KeyStateEncoderSpec): KeyOrder = new KeyOrder(spec)

  /** A family's rows that a store's scans of any kind see. */
  def visible(store: ReferenceStore, family: String): Map[UnsafeRow, Vector[UnsafeRow]] =
    store.contents.families(family).rows

  /** The store to write to that a read store becomes, if it is of this store: a task may have another operator's. */
  protected def upgraded(readStore: ReadStateStore, base: Version, opening: Opening): ReferenceStore = {
    val opened = getStore(base, opening)
    Option(readStore).collect {
      case reader: ReadStore if reader.base == base && reader.id == id => reader.upgradedTo = Some(opened)
    }
    opened
  }

  /** Tells Spark's coordinator of a commit. */
  protected def report(version: Version): Unit =
    if (conf.commitValidationEnabled) StateStore.reportCommitToCoordinator(version.number, id, hadoopConf)

  /** Rows are kept as they come: nothing is asked of their schemas. */
  protected def take(@unused schemas: Option[StateSchemaProvider]): Unit = ()

  protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles = new StateFiles(folder, hadoopConf)

  protected def historyOf(files: StateFiles): History = new History(files)

  protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening)

  protected def readStore(base: Version, contents: Contents): ReadStore = new ReadStore(this, base, contents)

  protected def load(version: Version): Contents = history.load(version)

  protected def replay(snapshot: Version, end: Version): Contents = history.replay(snapshot, end)

  protected def newId(): String = UUID.randomUUID().toString

  /** Deletes the snapshot of an attempt at a version that another one is about to replace. */
  protected def forgetReplaced(version: Version): Unit =
    if (files.exists(version, SnapshotFile)) files.delete(version, SnapshotFile)

  /** What the delta says that a store wrote. */
  protected def recorded(store: ReferenceStore): Seq[Change] = store.changes

  /** Whether the change feed of a family has the change. */
  protected def isOf(change: KeyChange, family: String): Boolean = change.family == family

  /** A change's key as the change feed tells it. */
  protected def keyIn(change: KeyChange): UnsafeRow = change.key

  protected def recordsOf(change: KeyChange): Iterator[(RecordType.Value, UnsafeRow)] = change match {
    case Put(_, _, values) =>
      values.iterator
        .zip(Iterator.single(RecordType.PUT_RECORD) ++ Iterator.continually(RecordType.MERGE_RECORD))
        .map(_.swap)
    case Merge(_, _, values) => values.iterator.map(RecordType.MERGE_RECORD -> _)
    case _: Remove => Iterator.single(RecordType.DELETE_RECORD -> null)
  }

  /** An executor that fell behind may find its version gone: others went on. */
  protected def takeSnapshotIfDue(version: Version): Unit =
    history.start(version, version.number).foreach { start =>
      if (version.number - start.number >= conf.minDeltasForSnapshot) files.writeSnapshot(version, snapshotOf(version))
    }

  /** What maintenance writes as a version's snapshot. */
  protected def snapshotOf(version: Version): Contents = load(version)

  /** Deletes what no version from `version - minVersionsToRetain + 1` on needs. That one was asked for by its name: it is no version of an
    * attempt that lost.
    */
  protected def retire(version: Version): Unit =
    history.start(version, version.number - retained + 1).foreach(deleteBefore)

  protected def retained: Int = conf.minVersionsToRetain

  /** Deletes what is not needed to go on from `start`. */
  protected def deleteBefore(start: Version): Unit =
    files.list().foreach { case (old, kind) => if (isObsolete(old, start)) files.delete(old, kind) }

  protected def isObsolete(old: Version, start: Version): Boolean = old.number < start.number

  protected def isThere(version: Version): Boolean =
    version.number == 0 || files.exists(version, DeltaFile) || files.exists(version, SnapshotFile)

  protected final def getStore(base: Version, opening: Opening): ReferenceStore = {
    val before = if (opening.startsEmpty) Contents.empty else load(base)
    asked = base
    newest = base
    store(base, before, opening)
  }

  private def versionOf(number: Long, id: Option[String]): Version = {
    require(number >= 0, s"There is no version $number")
    Version(number, id)
  }
}

object ReferenceStoreProvider {
  val deltaBytes: StateStoreCustomMetric = StateStoreCustomSizeMetric("referenceDeltaBytes", "bytes of the last delta")
}
