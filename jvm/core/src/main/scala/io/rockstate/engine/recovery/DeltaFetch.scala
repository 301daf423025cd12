package io.rockstate.engine.recovery

import scala.util.control.NonFatal

import org.slf4j.LoggerFactory

import io.rockstate.engine.layers.{ChangeLayer, DeltaLayer}
import io.rockstate.engine.loaded.DeltaSize
import io.rockstate.engine.memory.HeapMemory
import io.rockstate.files.{FileNames, RemoteFiles}
import io.rockstate.format.delta.{DeltaFooter, DeltaFrame, DeltaHeader, DeltaReader}
import io.rockstate.versions.StateVersion

/** One delta on its way from storage: read frame by frame, ahead of its turn as long as there is memory, and never more than a portion of it
  * held at a time. What is held is charged to `heap` until `close`, which may come from another thread while `readAhead` runs.
  */
private[engine] final class DeltaFetch(files: RemoteFiles, val delta: StateVersion, heap: HeapMemory)
    extends AutoCloseable {
  import DeltaFetch._

  private val file = FileNames.delta(delta)
  private var input = 0L
  private var reader: DeltaReader = _
  private var frames = Vector.empty[DeltaFrame]
  private var held, charged = 0L // bytes of the frames; those, and what an index of them takes
  private var isWhole = false
  private var known: Option[ChangeLayer] = None
  private var isBusy, isClosed = false

  def header: DeltaHeader = reader.header

  /** Verified; there once the last frame is read. */
  def footer: DeltaFooter = reader.footer

  def size: DeltaSize = DeltaSize(input, footer.counts.total)

  /** Reads as far as there is memory to spare for it. */
  def readAhead(): Unit = if (enter()) {
    try {
      open()
      gather(reserved(_))
    } finally leave()
  }

  /** Reads on, its turn having come: up to a portion if there is more than that. */
  def readOn(): Unit = {
    open()
    if (!isWhole) gather(bytes => held + bytes <= PortionBytes && charge(bytes))
  }

  /** The whole delta as a layer; none if it is too large for one, or deletes ranges. After `readOn`. */
  def layer: Option[ChangeLayer] = known

  /** Hands `use` what is read, and then the rest, portion by portion: the frames, and the same as a layer if they do not delete ranges. */
  def foreachPortion(use: (Vector[DeltaFrame], Option[ChangeLayer]) => Unit): Unit = {
    def handOut(): Unit = use(frames, if (isWhole) known else indexed())
    handOut()
    while (!isWhole) {
      release()
      gather(bytes => (frames.isEmpty || held + bytes <= PortionBytes) && charge(bytes))
      handOut()
    }
  }

  /** Gives its memory back: what was handed out must be charged by whoever keeps it. */
  override def close(): Unit = synchronized {
    isClosed = true
    if (!isBusy) letGo()
  }

  private def open(): Unit = if (reader == null) {
    val opened = files.open(file)
    input = opened.length
    reader = new DeltaReader(file, opened)
  }

  /** Reads frames as long as `admit` says, by their bytes, that there is room; the footer comes with the last. */
  private def gather(admit: Int => Boolean): Unit = {
    while (!isWhole && (reader.nextFrameBytes == 0 || admit(reader.nextFrameBytes))) {
      val next = reader.nextFrame()
      frames ++= next
      held += next.fold(0L)(_.bytes.length.toLong)
      isWhole = next.isEmpty
    }
    if (isWhole) known = indexed()
  }

  /** Keeping keys and places of the records apart takes about as much again as the records. */
  private def indexed(): Option[ChangeLayer] = {
    val layer = DeltaLayer.of(frames, file)
    layer.foreach(l => charge(l.heapBytes - held))
    layer
  }

  private def reserved(bytes: Long): Boolean = synchronized(!isClosed) && heap.reserveAhead(bytes) && {
    charged += bytes
    true
  }

  private def charge(bytes: Long): Boolean = {
    heap.chargeLayers(bytes)
    charged += bytes
    true
  }

  private def release(): Unit = {
    frames = Vector.empty
    held = 0
    known = None
    heap.releaseLayers(charged)
    charged = 0
  }

  private def enter(): Boolean = synchronized {
    isBusy = !isClosed
    isBusy
  }

  private def leave(): Unit = synchronized {
    isBusy = false
    if (isClosed) letGo()
  }

  /** What was read is verified, and what failed has been thrown: that the file cannot be closed either says nothing more. */
  private def letGo(): Unit = {
    release()
    try if (reader != null) reader.close()
    catch { case NonFatal(e) => log.warn(s"Could not close $file", e) }
  }
}

private object DeltaFetch {
  private val log = LoggerFactory.getLogger(classOf[DeltaFetch])

  /** What a task that recovers may hold of a delta whatever the budget says: more than most batches' deltas have, and far less than a task's
    * own batch takes.
    */
  val PortionBytes: Long = 8L << 20
}
