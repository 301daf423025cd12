package io.rockstate.engine.recovery

import java.io.{ByteArrayInputStream, InputStream, SequenceInputStream}

import scala.collection.concurrent.TrieMap
import scala.collection.mutable.ArrayBuffer
import scala.jdk.CollectionConverters._

import io.rockstate.errors.NotFound
import io.rockstate.files.{RemoteFile, RemoteFiles, RemoteInput, RemoteOutput}

/** A store's folder in memory that keeps the arrays it is given instead of their bytes: a file that is written from the same few arrays over and
  * over may be of any size. Who writes must not change them afterwards.
  */
final class SharedBytesFiles extends RemoteFiles {
  private type Pieces = Vector[(Array[Byte], Int, Int)]
  private val published = TrieMap.empty[String, Pieces]

  override def location: String = "shared:/store"

  override def open(name: String): RemoteInput = {
    val pieces = published.getOrElse(name, throw new NotFound(s"There is no $name", "Publish it first.", name))
    val streams = pieces.iterator.map { case (bytes, at, n) => new ByteArrayInputStream(bytes, at, n): InputStream }
    new RemoteInput(new SequenceInputStream(streams.asJavaEnumeration), lengthOf(pieces))
  }

  override def list(folder: String): Seq[RemoteFile] = {
    val prefix = if (folder.isEmpty) "" else s"$folder/"
    published.toVector.collect {
      case (name, pieces) if name.startsWith(prefix) && !name.drop(prefix.length).contains('/') =>
        RemoteFile(name.drop(prefix.length), lengthOf(pieces), 0)
    }
  }

  override def delete(name: String): Unit = { published.remove(name); () }

  override def create(name: String): RemoteOutput = new RemoteOutput {
    private val pieces = ArrayBuffer.empty[(Array[Byte], Int, Int)]
    override def write(byte: Int): Unit = pieces += ((Array(byte.toByte), 0, 1))
    override def write(bytes: Array[Byte], offset: Int, length: Int): Unit = pieces += ((bytes, offset, length))
    override def publish(): Unit = published(name) = pieces.toVector
    override def cancel(): Unit = ()
  }

  private def lengthOf(pieces: Pieces): Long = pieces.iterator.map(_._3.toLong).sum
}
