package io.rockstate.engine.recovery

import scala.annotation.tailrec

import io.rockstate.db.WriteBatches
import io.rockstate.engine.api.EngineSettings
import io.rockstate.engine.layers.{ChangeLayer, LayerMerge}
import io.rockstate.engine.loaded.LoadedDb
import io.rockstate.engine.memory.HeapMemory
import io.rockstate.engine.storage.DeltaHistory
import io.rockstate.files.{FileNames, Parallel, RemoteFiles}
import io.rockstate.format.delta.{DeltaFooter, DeltaFrame, DeltaHeader}
import io.rockstate.versions.{CommittedVersion, StateVersion}

/** Puts deltas on top of a loaded database, in order; they are read ahead in parallel as far as memory allows. A small delta becomes a layer,
  * after it was verified whole. One that is too large for that goes into the database portion by portion: if its end is damaged, the database
  * is given up.
  */
private[engine] final class DeltaReplay(files: RemoteFiles, settings: EngineSettings, heap: HeapMemory) {
  private val histories = new DeltaHistory(files)
  private val layouts = new LayoutCheck(files, settings.rowLayout)

  /** Brings `loaded` from `base` to where the deltas lead. False if it was not at `base` or did not stay where they brought it: others
    * went on with it.
    */
  def apply(loaded: LoadedDb, base: CommittedVersion, deltas: Vector[StateVersion], work: RecoveryFigures): Boolean = {
    val fetches = deltas.map(new DeltaFetch(files, _, heap))
    try
      Parallel.ahead(settings.fetchThreads, fetches)(read) { read =>
        @tailrec def goOn(version: CommittedVersion): Boolean = !read.hasNext || {
          val fetch = read.next()
          val next = applyOne(loaded, version, fetch)
          fetch.close()
          next match {
            case Some(reached) =>
              loaded.catchUpSoon()
              work.deltasReplayed += 1
              work.bytesRead += fetch.size.bytes
              goOn(reached)
            case None => false
          }
        }
        val isReached = goOn(base)
        if (isReached) loaded.catchUp()
        isReached
      }
    finally fetches.foreach(_.close())
  }

  private def read(fetch: DeltaFetch): DeltaFetch = {
    fetch.readAhead()
    fetch
  }

  private def applyOne(loaded: LoadedDb, base: CommittedVersion, fetch: DeltaFetch): Option[CommittedVersion] = {
    fetch.readOn()
    layouts.require(fetch.header.rowLayout, FileNames.delta(fetch.delta), fetch.delta.version)
    if (!histories.isBase(base, fetch.delta, fetch.header))
      throw histories.otherHistory(base, FileNames.delta(fetch.delta))
    val isApplied = fetch.layer match {
      case Some(layer) =>
        val next = nextOf(base, fetch.header, fetch.footer)
        fetch.close() // what it is charged with is the layer's from now on
        Option.when(loaded.advance(base, next, fetch.size, layer))(next)
      case None =>
        loaded.applyPortions(base) { batches =>
          fetch.foreachPortion(addTo(batches, _, _))
          (nextOf(base, fetch.header, fetch.footer), fetch.size)
        }
    }
    if (isApplied.isEmpty) loaded.requireSound()
    isApplied
  }

  private def addTo(batches: WriteBatches, frames: Vector[DeltaFrame], layer: Option[ChangeLayer]): Unit = layer match {
    case Some(changes) => LayerMerge.addTo(batches, Array(changes))
    case None => frames.foreach(frame => batches.add(frame.bytes, 0, frame.bytes.length, frame.recordCount))
  }

  private def nextOf(base: CommittedVersion, header: DeltaHeader, footer: DeltaFooter): CommittedVersion =
    CommittedVersion(
      header.version,
      header.commitId,
      footer.contentDigest,
      footer.columnFamilies(base.columnFamilies),
      header.lineage
    )
}
