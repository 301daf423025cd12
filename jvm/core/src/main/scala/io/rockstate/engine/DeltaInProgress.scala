package io.rockstate.engine

import scala.util.control.NonFatal

import io.rockstate.errors.{NotFound, StateStoreException, Unavailable}
import io.rockstate.files.{FileNames, RemoteFiles, RemoteOutput}
import io.rockstate.format.{Codec, DeltaFooter, DeltaHeader, DeltaReader, DeltaWriter}
import io.rockstate.history.StateVersion

/** The delta that a transaction writes while it runs; nothing shows before `publish`. */
private[engine] trait DeltaInProgress {
  def frame(records: Array[Byte], length: Int, count: Int): Unit
  def finish(footer: DeltaFooter): Unit
  def bytesWritten: Long

  /** Makes the finished delta durable and visible. Returns only if it is. */
  def publish(): Unit
  def cancel(): Unit
}

/** Of a transaction whose changes go into a snapshot instead. */
private[engine] object NoDelta extends DeltaInProgress {
  override def frame(records: Array[Byte], length: Int, count: Int): Unit = ()
  override def finish(footer: DeltaFooter): Unit = ()
  override def bytesWritten: Long = 0
  override def publish(): Unit = ()
  override def cancel(): Unit = ()
}

/** A file in storage, which is not touched before the first frame. */
private[engine] final class DeltaFileInProgress(
    files: RemoteFiles,
    target: StateVersion,
    header: DeltaHeader,
    codec: Codec
) extends DeltaInProgress {
  private val name = FileNames.delta(target)
  private var output: RemoteOutput = _
  private var writer: DeltaWriter = _

  override def frame(records: Array[Byte], length: Int, count: Int): Unit = {
    start()
    writer.writeFrame(records, 0, length, count)
  }

  override def finish(footer: DeltaFooter): Unit = {
    start()
    writer.finish(footer)
  }

  override def bytesWritten: Long = if (writer == null) 0 else writer.bytesWritten

  override def publish(): Unit =
    try output.publish()
    catch {
      case NonFatal(e) => if (!isInStorage(e)) throw e
    }

  override def cancel(): Unit = if (output != null) output.cancel()

  private def start(): Unit = if (writer == null) {
    output = files.create(name)
    writer = new DeltaWriter(output, header, codec)
  }

  /** A failed publish may have taken effect all the same: what lies under the name now decides. */
  private def isInStorage(failure: Throwable): Boolean =
    try {
      val reader = new DeltaReader(name, files.open(name))
      try {
        while (reader.nextFrame().isDefined) ()
        reader.footer
        reader.header.commitId == header.commitId
      } finally reader.close()
    } catch {
      case _: NotFound => false
      case e: StateStoreException =>
        e.addSuppressed(failure)
        throw new Unavailable(
          s"Whether version ${target.version} was committed is unknown: publishing its delta failed and reading it back failed too",
          "Once storage answers again, retry the batch: it goes on from whatever storage holds.",
          Some(s"${files.location}/$name"),
          Some(target.version),
          e
        )
    }
}
