package org.apache.spark.sql.execution.streaming.state.rockstate.files

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging

import io.rockstate.errors.Misuse
import io.rockstate.files.RemoteOutput

/** Bytes on their way through a `CheckpointFileManager`. After a write that failed only `cancel` works: nobody knows how much of it is in the
  * file.
  *
  * @param requireOurs throws if the bytes are not to get their name any more
  */
private[files] final class SparkRemoteOutput(
    target: AtomicWrite,
    folder: String,
    name: String,
    requireOurs: () => Unit = () => ()
) extends RemoteOutput
    with Logging {
  import SparkRemoteOutput._

  private var state: State = Writing

  override def write(b: Int): Unit = writing(target.stream.write(b))

  override def write(bytes: Array[Byte], offset: Int, length: Int): Unit =
    writing(target.stream.write(bytes, offset, length))

  override def flush(): Unit = writing(target.stream.flush())

  override def publish(): Unit = synchronized {
    publishing(target.publish())
  }

  override def publishIfAbsent(): Boolean = synchronized {
    val isPublished = publishing(target.publishIfAbsent())
    if (!isPublished) state = Written
    isPublished
  }

  override def cancel(): Unit = synchronized {
    if (state.mayCancel) {
      state = Cancelled
      try target.cancel()
      catch {
        case NonFatal(e) => logWarning(s"Could not cancel the write of $name in $folder; a temporary file may stay", e)
      }
    }
  }

  private def writing(body: => Unit): Unit = {
    synchronized {
      require(state == Writing)
      state = Broken
    }
    StorageFailure.guardWrite(folder, name, s"write $name")(body)
    synchronized(if (state == Broken) state = Writing)
  }

  /** From here on the manager has been told to publish: whether the name is there has to be read back, not cancelled. */
  private def publishing[A](body: => A): A = {
    require(state == Writing || state == Written)
    StorageFailure.guardWrite(folder, name, s"publish $name") {
      requireOurs()
      state = Published
      body
    }
  }

  private def require(isAllowed: Boolean): Unit =
    if (!isAllowed) throw new Misuse(s"$name in $folder is already $state", "Create the file anew")
}

private[files] object SparkRemoteOutput {
  sealed abstract class State(override val toString: String, val mayCancel: Boolean)
  case object Writing extends State("being written", mayCancel = true)
  case object Broken extends State("of no use: a write failed", mayCancel = true)

  /** Whole, and its name is another file's. */
  case object Written extends State("written", mayCancel = true)
  case object Published extends State("published", mayCancel = false)
  case object Cancelled extends State("cancelled", mayCancel = false)
}
