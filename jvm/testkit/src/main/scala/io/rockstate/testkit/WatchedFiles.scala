package io.rockstate.testkit

import io.rockstate.files.{RemoteFile, RemoteFiles, RemoteInput, RemoteOutput}

/** Runs `before` ahead of each call that opens, creates, publishes, lists or deletes: it may wait, throw, or change what is there. */
final class WatchedFiles(under: RemoteFiles, before: (RemoteOperation, String) => Unit) extends RemoteFiles {
  import RemoteOperation._

  override def location: String = under.location

  override def open(name: String): RemoteInput = {
    before(Open, name)
    under.open(name)
  }

  override def list(folder: String): Seq[RemoteFile] = {
    before(List, folder)
    under.list(folder)
  }

  override def delete(name: String): Unit = {
    before(Delete, name)
    under.delete(name)
  }

  override def create(name: String): RemoteOutput = {
    before(Create, name)
    val output = under.create(name)
    new RemoteOutput {
      override def write(byte: Int): Unit = output.write(byte)
      override def write(bytes: Array[Byte], offset: Int, length: Int): Unit = output.write(bytes, offset, length)
      override def cancel(): Unit = output.cancel()
      override def publish(): Unit = {
        before(Publish, name)
        output.publish()
      }
      override def publishIfAbsent(): Boolean = {
        before(Publish, name)
        output.publishIfAbsent()
      }
    }
  }
}
