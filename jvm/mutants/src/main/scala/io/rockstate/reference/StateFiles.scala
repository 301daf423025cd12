package io.rockstate.reference

import java.io.{
  ByteArrayInputStream,
  ByteArrayOutputStream,
  DataInput,
  DataInputStream,
  DataOutput,
  DataOutputStream,
  IOException,
  InputStream
}
import java.nio.ByteBuffer
import java.util.zip.CRC32

import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileStatus, Path}

import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager

/** A version of a store; in checkpoint format 2 with the id of the attempt that wrote it. Version 0 is the empty store. */
final case class Version(number: Long, id: Option[String])

/** What a commit wrote on top of `base`, or on top of nothing. */
final case class Delta(base: Version, startsEmpty: Boolean, changes: Seq[Change])

class CorruptFile(problem: String) extends IOException(problem)

class TornFile extends CorruptFile("it is not as long as it says")

/** The files of one store: `<version>[_<id>].delta` and `.snapshot`, each its name and its body, with length and checksum. A file is there
  * in whole or not at all.
  */
class StateFiles(protected val folder: Path, hadoopConf: Configuration) {
  import StateFiles._

  private val manager = CheckpointFileManager.create(folder, hadoopConf)

  def writeDelta(version: Version, delta: Delta): Int = write(version, DeltaFile)(RowFormat.write(_, delta))

  def writeSnapshot(version: Version, contents: Contents): Int =
    write(version, SnapshotFile)(RowFormat.write(_, contents))

  def delta(version: Version): Delta = read(version, DeltaFile)(RowFormat.readDelta)

  def snapshot(version: Version): Contents = read(version, SnapshotFile)(RowFormat.readContents)

  def exists(version: Version, kind: Kind): Boolean = manager.exists(pathOf(version, kind))

  def delete(version: Version, kind: Kind): Unit = manager.delete(pathOf(version, kind))

  /** Every delta and snapshot there is; other files are none of ours. */
  def list(): Seq[(Version, Kind)] = manager.list(folder).toSeq.map(_.getPath.getName).collect {
    case Name(number, id, extension) => Version(number.toLong, Option(id)) -> Kind(extension)
  }

  /** All that is in the folder, whosever it is. */
  def statuses: Seq[FileStatus] = folder.getFileSystem(hadoopConf).listStatus(folder).toSeq

  /** Opens one of the folder's files, whichever. */
  def openOne(): InputStream = manager.open(statuses.find(_.isFile).get.getPath)

  /** An attempt at the version that has such a file, if there is one. */
  def another(version: Version, kind: Kind): Option[Version] =
    list().collectFirst { case (other, `kind`) if other.number == version.number => other }

  /** Leaves an empty file of that name. */
  def leave(name: String): Unit = folder.getFileSystem(hadoopConf).create(new Path(folder, name), true).close()

  def makeFolder(): Unit = manager.mkdirs(folder)

  protected def pathOf(version: Version, kind: Kind): Path =
    new Path(folder, s"${version.number}${version.id.fold("")("_" + _)}.${kind.extension}")

  /** Makes a file visible in whole, in place of one that may be there. */
  protected def publish(path: Path, bytes: Array[Byte]): Unit = {
    val out = manager.createAtomic(path, overwriteIfPossible = true)
    try {
      out.write(bytes)
      out.close()
    } catch {
      case NonFatal(e) =>
        out.cancel()
        throw e
    }
  }

  protected def read[A](version: Version, kind: Kind)(parse: DataInput => A): A = {
    val path = pathOf(version, kind)
    val bytes = bytesOf(path)
    try {
      val body = new DataInputStream(new ByteArrayInputStream(bodyOf(bytes)))
      if (body.readUTF() != path.getName) throw new CorruptFile("it was written under another name")
      parse(body)
    } catch {
      case NonFatal(e) => throw new IOException(s"$path is damaged: ${e.getMessage}", e)
    }
  }

  protected def bytesOf(path: Path): Array[Byte] = {
    val in = manager.open(path)
    try bytesIn(in)
    finally in.close()
  }

  /** All that there is to read. */
  protected def bytesIn(in: InputStream): Array[Byte] = in.readAllBytes()

  /** A file's bytes without the length before and the checksum behind, which must be right. */
  protected def bodyOf(file: Array[Byte]): Array[Byte] = {
    if (file.length < 12 || ByteBuffer.wrap(file).getInt != file.length - 12) throw new TornFile
    val checksum = ByteBuffer.wrap(file, file.length - 8, 8).getLong
    if (!isRight(checksum, file)) throw new CorruptFile("wrong checksum")
    file.slice(4, file.length - 8)
  }

  protected def isRight(checksum: Long, file: Array[Byte]): Boolean = checksum == checksumOf(file.dropRight(8))

  private def write(version: Version, kind: Kind)(body: DataOutput => Unit): Int = {
    val path = pathOf(version, kind)
    val bytes = new ByteArrayOutputStream
    val out = new DataOutputStream(bytes)
    out.writeUTF(path.getName)
    body(out)
    val content = ByteBuffer.allocate(4 + bytes.size).putInt(bytes.size).put(bytes.toByteArray).array
    publish(path, ByteBuffer.allocate(content.length + 8).put(content).putLong(checksumOf(content)).array)
    content.length + 8
  }

  protected def checksumOf(bytes: Array[Byte]): Long = {
    val crc = new CRC32
    crc.update(bytes)
    crc.getValue
  }
}

object StateFiles {
  sealed abstract class Kind(val extension: String)
  case object DeltaFile extends Kind("delta")
  case object SnapshotFile extends Kind("snapshot")

  object Kind {
    def apply(extension: String): Kind = if (extension == DeltaFile.extension) DeltaFile else SnapshotFile
  }

  private val Name = """(\d+)(?:_([^.]+))?\.(delta|snapshot)""".r
}
