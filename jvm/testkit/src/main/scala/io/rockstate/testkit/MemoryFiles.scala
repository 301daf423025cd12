package io.rockstate.testkit

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}
import java.util.concurrent.atomic.AtomicReference

import io.rockstate.errors.{Misuse, NotFound}
import io.rockstate.files.{FileNames, RemoteFile, RemoteFiles, RemoteInput, RemoteOutput}

/** A store's folder in memory. What is not published exists nowhere but in its output, as after a crash.
  *
  * @param clock stamps published files, in epoch milliseconds
  */
final class MemoryFiles private (
    clock: () => Long,
    published: AtomicReference[Map[String, MemoryFiles.Stored]]
) extends RemoteFiles {
  import MemoryFiles._

  def this(clock: () => Long = () => System.currentTimeMillis()) =
    this(clock, new AtomicReference(Map.empty[String, MemoryFiles.Stored]))

  override def location: String = "memory:/store"

  /** What another process finds after this one's crash, from now on independent of this folder: all that was published. */
  def crashClone(): MemoryFiles = new MemoryFiles(clock, new AtomicReference(published.get))

  /** The names of all published files, in order. */
  def names: Vector[String] = published.get.keys.toVector.sorted

  /** A copy of a published file's bytes. */
  def bytes(name: String): Array[Byte] = stored(name).bytes.clone()

  /** Puts a file in place as it is, say a damaged one. */
  def put(name: String, bytes: Array[Byte]): Unit = {
    FileNames.requireInside(name)
    published.updateAndGet(_ + (name -> Stored(bytes.clone(), clock())))
    ()
  }

  override def create(name: String): RemoteOutput = {
    FileNames.requireInside(name)
    new MemoryOutput(name)
  }

  override def open(name: String): RemoteInput = {
    FileNames.requireInside(name)
    val bytes = stored(name).bytes
    new RemoteInput(new ByteArrayInputStream(bytes), bytes.length.toLong)
  }

  override def list(folder: String): Seq[RemoteFile] = {
    if (folder.nonEmpty) FileNames.requireInside(folder)
    val prefix = if (folder.isEmpty) "" else s"$folder/"
    published.get.toVector.sortBy(_._1).collect {
      case (name, file) if name.startsWith(prefix) && !name.drop(prefix.length).contains('/') =>
        RemoteFile(name.drop(prefix.length), file.bytes.length.toLong, file.modifiedMillis)
    }
  }

  override def delete(name: String): Unit = {
    FileNames.requireInside(name)
    published.updateAndGet(_ - name)
    ()
  }

  private def stored(name: String): Stored =
    published.get.getOrElse(
      name,
      throw new NotFound(
        s"There is no such file in $location",
        "Publish it first, or look for its name in a listing.",
        name
      )
    )

  private final class MemoryOutput(name: String) extends RemoteOutput {
    private val buffer = new ByteArrayOutputStream
    private var isOpen = true

    override def write(byte: Int): Unit = {
      requireOpen()
      buffer.write(byte)
    }

    override def write(bytes: Array[Byte], offset: Int, length: Int): Unit = {
      requireOpen()
      buffer.write(bytes, offset, length)
    }

    override def publish(): Unit = {
      requireOpen()
      isOpen = false
      put(name, buffer.toByteArray)
    }

    override def publishIfAbsent(): Boolean = {
      requireOpen()
      val stored = Stored(buffer.toByteArray, clock())
      isOpen =
        published.getAndUpdate(files => if (files.contains(name)) files else files + (name -> stored)).contains(name)
      !isOpen
    }

    override def cancel(): Unit = isOpen = false

    private def requireOpen(): Unit =
      if (!isOpen) throw new Misuse(s"'$name' is published or cancelled", "Start a new file with create.")
  }
}

object MemoryFiles {
  private final case class Stored(bytes: Array[Byte], modifiedMillis: Long)
}
