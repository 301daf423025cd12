package io.rockstate.testkit

import io.rockstate.files.{FileNames, RemoteFile, RemoteFiles, RemoteInput, RemoteOutput}

/** Writes down what is done to a store's folder, in the order in which it took effect:
  *
  * {{{
  * create 17.delta
  * publish 17.delta (214 bytes)
  * cancel 18.delta            only where nothing was published
  * open sst/#1.sst            a table file's unique name is replaced by its order of appearance
  * list .                     the store's own folder
  * delete 3.delta
  * }}}
  *
  * A call that fails leaves no line.
  */
final class RecordingFiles(under: RemoteFiles) extends ForwardingFiles(under) {
  private var lines = Vector.empty[String]
  private var tableFiles = Vector.empty[String]

  def transcript: Vector[String] = synchronized(lines)

  /** How many lines start with `operation`. */
  def count(operation: String): Int = transcript.count(_.startsWith(s"$operation "))

  /** The transcript so far, which starts anew. */
  def take(): Vector[String] = synchronized {
    val taken = lines
    lines = Vector.empty
    taken
  }

  override def create(name: String): RemoteOutput = {
    val output = under.create(name)
    record(s"create ${shown(name)}")
    new RecordingOutput(name, output)
  }

  override def open(name: String): RemoteInput = {
    val input = under.open(name)
    record(s"open ${shown(name)}")
    input
  }

  override def list(folder: String): Seq[RemoteFile] = {
    val files = under.list(folder)
    record(s"list ${if (folder.isEmpty) "." else folder}")
    files
  }

  override def delete(name: String): Unit = {
    under.delete(name)
    record(s"delete ${shown(name)}")
  }

  private def record(line: String): Unit = synchronized { lines = lines :+ line }

  private def shown(name: String): String = synchronized {
    if (!FileNames.isTableFileName(name)) name
    else {
      if (!tableFiles.contains(name)) tableFiles = tableFiles :+ name
      FileNames.inTableFolder(s"#${tableFiles.indexOf(name) + 1}.sst")
    }
  }

  private final class RecordingOutput(name: String, output: RemoteOutput) extends RemoteOutput {
    private var bytes = 0L
    private var isOpen = true

    override def write(byte: Int): Unit = {
      output.write(byte)
      bytes += 1
    }

    override def write(range: Array[Byte], offset: Int, length: Int): Unit = {
      output.write(range, offset, length)
      bytes += length
    }

    override def publish(): Unit = {
      output.publish()
      published()
    }

    override def publishIfAbsent(): Boolean = {
      val isPublished = output.publishIfAbsent()
      if (isPublished) published()
      isPublished
    }

    override def cancel(): Unit = {
      output.cancel()
      if (isOpen) record(s"cancel ${shown(name)}")
      isOpen = false
    }

    private def published(): Unit = {
      isOpen = false
      record(s"publish ${shown(name)} ($bytes bytes)")
    }
  }
}
