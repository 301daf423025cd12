package io.rockstate.files

import java.io.{InputStream, OutputStream}

/** The files of one store's folder on shared storage.
  *
  * What an implementation guarantees:
  *   1. A created file is invisible until `publish`, and whole from then on; a crash before leaves nothing under its name.
  *   2. After `publish` returns, the file survives the loss of this process.
  *   3. Publishing over an existing name replaces it: a reader sees the old bytes or the new, never a mixture and never nothing, wherever
  *      the writer stops.
  *   4. A published file is seen by `open` and `list` at once, on every machine.
  *
  * Names are relative to the store's folder (`17.delta`, `sst/ab12.sst`) and never leave it. Failures are `NotFound` for a missing
  * file and `Unavailable` for everything else; both carry the file's name. All methods are safe to call from several threads.
  */
trait RemoteFiles {

  /** The folder's URI, for messages. */
  def location: String

  /** Starts a new file; nothing needs to exist beforehand, missing folders are made. */
  def create(name: String): RemoteOutput

  /** Opens a file to read it from its start; the caller closes the stream. */
  def open(name: String): RemoteInput

  /** The same for who needs no length: it may be `UnknownLength`, which spares what it takes to find it out. */
  def openUnmeasured(name: String): RemoteInput = open(name)

  /** The files directly in `folder` ("" is the store's own); empty if there is no such folder. Temporary files are left out. */
  def list(folder: String): Seq[RemoteFile]

  /** Deletes a file; one that is not there is no error. */
  def delete(name: String): Unit

  /** Deletes files in this order, or on storage that can, at once. If it fails, some of them may be gone. */
  def deleteAll(names: Seq[String]): Unit = names.foreach(delete)

  /** What writers keep in the store's folder and its folder of table files until they publish, and what those that died left there, as the
    * last listing of each showed it: only age tells which is which. Names are relative to the store's folder, and only for `deleteLeftover`.
    */
  def leftovers(): Seq[RemoteFile] = Seq.empty

  def deleteLeftover(file: RemoteFile): Unit = ()
}

/** A published file: its name relative to the listed folder, length in bytes, and time of change in epoch milliseconds. */
final case class RemoteFile(name: String, length: Long, modifiedMillis: Long)

/** A file's bytes and how many there are of them; `UnknownLength` where that was not asked for. */
final class RemoteInput(val stream: InputStream, val length: Long) extends AutoCloseable {
  override def close(): Unit = stream.close()
}

object RemoteInput {
  val UnknownLength: Long = Long.MaxValue
}

/** Bytes on their way into a new file. Exactly one of `publish` and `cancel` takes effect; `close` cancels if neither did. */
abstract class RemoteOutput extends OutputStream {

  /** Makes the file durable and visible in one step. If it throws, the outcome is unknown until the name is read back. */
  def publish(): Unit

  /** The same, unless a file has that name: then false, and nothing has happened yet; `publish` would replace that one. Storage on which
    * replacing is a single call may do so without asking.
    */
  def publishIfAbsent(): Boolean = {
    publish()
    true
  }

  /** Throws the bytes away; never throws, and does nothing after `publish`. */
  def cancel(): Unit

  final override def close(): Unit = cancel()
}
