package io.rockstate.testkit

import io.rockstate.files.{RemoteFile, RemoteFiles, RemoteInput, RemoteOutput}

/** Passes every call on, for what does something else on some of them. */
abstract class ForwardingFiles(under: RemoteFiles) extends RemoteFiles {
  override def location: String = under.location
  override def create(name: String): RemoteOutput = under.create(name)
  override def open(name: String): RemoteInput = under.open(name)
  override def list(folder: String): Seq[RemoteFile] = under.list(folder)
  override def delete(name: String): Unit = under.delete(name)
  override def leftovers(): Seq[RemoteFile] = under.leftovers()
  override def deleteLeftover(file: RemoteFile): Unit = under.deleteLeftover(file)
}
