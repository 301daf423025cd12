package org.apache.spark.sql.execution.streaming.state.rockstate.files

import scala.util.control.NonFatal

import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager.CancellableFSDataOutputStream

import io.rockstate.errors.Misuse
import io.rockstate.files.RemoteOutput

/** Bytes on their way through a `CheckpointFileManager`'s atomic stream.
  *
  * @param beforePublish what has to happen for the stream's close to replace an existing file
  */
private[files] final class SparkRemoteOutput(
    stream: CancellableFSDataOutputStream,
    beforePublish: () => Unit,
    folder: String,
    name: String
) extends RemoteOutput
    with Logging {
  import SparkRemoteOutput._

  @volatile private var state: State = Writing

  override def write(b: Int): Unit = writing(stream.write(b))

  override def write(bytes: Array[Byte], offset: Int, length: Int): Unit = writing(stream.write(bytes, offset, length))

  override def flush(): Unit = writing(stream.flush())

  override def publish(): Unit = synchronized {
    requireWriting()
    // From here on the manager has been told to publish: whether the name is there has to be read back, not cancelled.
    state = Published
    StorageFailure.guard(folder, name, s"publish $name") {
      beforePublish()
      stream.close()
    }
  }

  override def cancel(): Unit = synchronized {
    if (state == Writing) {
      state = Cancelled
      try stream.cancel()
      catch {
        case NonFatal(e) => logWarning(s"Could not cancel the write of $name in $folder; a temporary file may stay", e)
      }
    }
  }

  private def writing(body: => Unit): Unit = {
    requireWriting()
    StorageFailure.guard(folder, name, s"write $name")(body)
  }

  private def requireWriting(): Unit =
    if (state != Writing) throw new Misuse(s"$name in $folder is already $state", "Create the file anew")
}

private[files] object SparkRemoteOutput {
  sealed abstract class State(override val toString: String)
  case object Writing extends State("being written")
  case object Published extends State("published")
  case object Cancelled extends State("cancelled")
}
