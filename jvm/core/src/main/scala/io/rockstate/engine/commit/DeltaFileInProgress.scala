package io.rockstate.engine.commit

import scala.util.Using
import scala.util.control.NonFatal

import io.rockstate.engine.loaded.DeltaSize
import io.rockstate.errors.{CorruptFile, NotFound, OnFailure, StateStoreException, Unavailable, Unsupported}
import io.rockstate.files.{FileNames, RemoteFiles, RemoteOutput}
import io.rockstate.format.delta.{DeltaFooter, DeltaHeader, DeltaReader, DeltaWriter}
import io.rockstate.format.wire.Codec
import io.rockstate.versions.StateVersion

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
  private var footer: DeltaFooter = _

  override def frame(records: Array[Byte], length: Int, count: Int): Unit = {
    start()
    writer.writeFrame(records, 0, length, count)
  }

  override def finish(footer: DeltaFooter): Unit = {
    start()
    writer.finish(footer)
    this.footer = footer
  }

  override def bytesWritten: Long = if (writer == null) 0 else writer.bytesWritten

  override def size: DeltaSize = DeltaSize(bytesWritten, footer.counts.total)

  override def publish(): String =
    try
      if (output.publishIfAbsent()) header.commitId
      else
        twin().getOrElse {
          output.publish()
          header.commitId
        }
    catch {
      case NonFatal(e) => if (isInStorage(e)) header.commitId else throw e
    }

  override def cancel(): Unit = if (output != null) output.cancel()

  /** A header that could not be written leaves no output behind. */
  private def start(): Unit = if (writer == null) {
    val created = files.create(name)
    writer = OnFailure(created.cancel())(new DeltaWriter(created, header, codec))
    output = created
  }

  /** The commit id of the delta that has the name, if that one can be read, is sound and leads from the same base to the same rows. To
    * replace it would change nothing, and on some storage it takes two steps.
    */
  private def twin(): Option[String] =
    try {
      val (there, ending) = readBack()
      Option.when(
        there.commitId == header.commitId ||
          (there.baseContentDigest == header.baseContentDigest && there.rowLayout == header.rowLayout &&
            ending.contentDigest == footer.contentDigest && ending.table == footer.table)
      )(there.commitId)
    } catch { case _: CorruptFile | _: NotFound | _: Unsupported | _: Unavailable => None }

  /** A failed publish may have taken effect all the same: what lies under the name now decides. */
  private def isInStorage(failure: Throwable): Boolean =
    try readBack()._1.commitId == header.commitId
    catch {
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

  /** What the delta under the name says of itself, verified to its end. */
  private def readBack(): (DeltaHeader, DeltaFooter) =
    Using.resource(new DeltaReader(name, files.open(name)))(reader => (reader.header, reader.readToEnd()))
}
