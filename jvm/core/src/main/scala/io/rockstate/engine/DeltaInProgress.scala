package io.rockstate.engine

import scala.util.control.NonFatal

import io.rockstate.errors.{NotFound, StateStoreException, Unavailable}
import io.rockstate.files.{FileNames, RemoteFiles, RemoteOutput}
import io.rockstate.format.{Codec, DeltaFooter, DeltaHeader, DeltaReader, DeltaWriter}
import io.rockstate.history.StateVersion

/** The delta that a transaction writes while it runs. Storage is not touched before the first frame; nothing shows before `publish`. */
private[engine] final class DeltaInProgress(
    files: RemoteFiles,
    target: StateVersion,
    header: DeltaHeader,
    codec: Codec
) {
  private val name = FileNames.delta(target)
  private var output: RemoteOutput = _
  private var writer: DeltaWriter = _

  def frame(records: Array[Byte], length: Int, count: Int): Unit = {
    start()
    writer.writeFrame(records, 0, length, count)
  }

  def finish(footer: DeltaFooter): Unit = {
    start()
    writer.finish(footer)
  }

  def bytesWritten: Long = if (writer == null) 0 else writer.bytesWritten

  /** Makes the finished delta durable and visible. Returns only if it is. */
  def publish(): Unit =
    try output.publish()
    catch {
      case NonFatal(e) => if (!isInStorage(e)) throw e
    }

  def cancel(): Unit = if (output != null) output.cancel()

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
