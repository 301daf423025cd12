package io.rockstate.engine.recovery

import io.rockstate.engine.storage.{DeltaHistory, StoreListing}
import io.rockstate.errors.{Misuse, NotFound}
import io.rockstate.files.{FileNames, RemoteFiles}
import io.rockstate.format.delta.{DeltaFooter, DeltaHeader, DeltaReader}
import io.rockstate.format.wire.{RecordCursor, WriteBatchRecords}
import io.rockstate.history.{LineageReader, RecoveryPlan}
import io.rockstate.versions.{RowLayout, StateVersion}

/** What transactions wrote, record by record, in the order of writing; read from their deltas. For one thread.
  *
  * @param layout how the caller reads rows
  * @param first the first version whose records are wanted
  * @param last  the last one; its checkpoint id, if it has one, says which attempts' records
  */
final class ChangeFeed private[engine] (files: RemoteFiles, layout: RowLayout, first: Long, last: StateVersion)
    extends AutoCloseable {
  if (first < 1 || last.version < first)
    throw new Misuse(
      s"There are no changes from version $first to ${last.version}",
      "Give versions from 1 on, in order."
    )

  private val layouts = new LayoutCheck(files, layout)
  private val deltas = path.iterator
  private var reader: DeltaReader = _
  private var cursor: RecordCursor = _
  private var current: StateVersion = _
  private var before = Option.empty[(DeltaHeader, DeltaFooter)] // the delta before the current one

  /** Moves to the next record and says whether there is one. A damaged or missing delta is an error that names it. */
  def next(): Boolean = {
    while ((cursor == null || !cursor.next()) && nextFrame()) ()
    cursor != null
  }

  /** The version that the current record helped to make. */
  def version: Long = current.version

  def isRemoval: Boolean = cursor.tag == WriteBatchRecords.Delete

  /** Whether the record appended to the key's value. If it did not and was no removal, it replaced it. */
  def isMerge: Boolean = cursor.tag == WriteBatchRecords.Merge

  def key: Array[Byte] = cursor.key

  /** What was put or appended; empty for a removal. */
  def value: Array[Byte] = cursor.value

  override def close(): Unit = if (reader != null) reader.close()

  /** Opens the next frame, of the next delta if need be; false at the end. */
  private def nextFrame(): Boolean = {
    cursor = null
    while (cursor == null && (reader != null || nextDelta()))
      reader.nextFrame() match {
        case Some(frame) => cursor = new RecordCursor(frame.bytes, 0, frame.bytes.length, FileNames.delta(current))
        case None =>
          before = Some((reader.header, reader.footer))
          reader.close()
          reader = null
      }
    cursor != null
  }

  private def nextDelta(): Boolean = deltas.hasNext && {
    current = deltas.next()
    val name = FileNames.delta(current)
    reader = new DeltaReader(name, files.open(name))
    layouts.require(reader.header.rowLayout, name, current.version)
    if (!before.forall(goesOnFrom)) throw DeltaHistory.otherHistory(current.version - 1, s"${files.location}/$name")
    true
  }

  /** Where names do not tell attempts apart, another may have replaced the delta that this one was written on top of. */
  private def goesOnFrom(base: (DeltaHeader, DeltaFooter)): Boolean = {
    val (header, footer) = base
    reader.header.goesOnFrom(header.version, header.commitId, footer.contentDigest, current.checkpointId.isDefined)
  }

  private def path: Vector[StateVersion] = {
    val listing = new StoreListing(files)
    val lineage = new LineageReader(files).read(last, listing.storeFiles)
    val deltas = RecoveryPlan.deltas(last, listing.storeFiles, lineage.entries)
    if (!deltas.headOption.exists(_.version <= first)) throw lineage.problem.getOrElse(listing.explain(gone(deltas)))
    deltas.filter(_.version >= first)
  }

  private def gone(deltas: Vector[StateVersion]): NotFound = {
    val oldest = deltas.headOption.fold(last.version + 1)(_.version)
    new NotFound(
      s"The changes of version ${oldest - 1} are not in storage, which go before those of version ${last.version}",
      if (deltas.isEmpty) "Ask for the changes up to another version." else s"Ask for changes from version $oldest on.",
      FileNames.delta(StateVersion(oldest - 1)),
      Some(oldest - 1)
    )
  }
}
