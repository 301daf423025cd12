package io.rockstate.benchmarks.lab

import java.io.{BufferedOutputStream, FileNotFoundException, OutputStream}
import java.net.URI
import java.nio.file.{FileAlreadyExistsException => Exists, Files, NoSuchFileException, Path => LocalPath, Paths}
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.nio.file.StandardOpenOption.{CREATE, CREATE_NEW, TRUNCATE_EXISTING, WRITE}
import java.nio.file.attribute.BasicFileAttributes
import java.util.Comparator

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs._
import org.apache.hadoop.fs.permission.FsPermission
import org.apache.hadoop.util.Progressable

import io.rockstate.benchmarks.lab.StorageCounters._

/** `bench:/path`: a local folder as a Hadoop file system that starts no processes, renames atomically and counts what it is asked. */
class BenchFileSystem extends FileSystem {
  override def initialize(name: URI, conf: Configuration): Unit = {
    super.initialize(name, conf)
    setConf(conf)
  }

  override def getUri: URI = BenchFileSystem.Root
  override def getScheme: String = BenchFileSystem.Scheme
  override def getWorkingDirectory: Path = new Path(BenchFileSystem.Root.toString)
  override def setWorkingDirectory(path: Path): Unit = ()

  override def open(path: Path, bufferSize: Int): FSDataInputStream = {
    called(Open)
    new FSDataInputStream(new BufferedFSInputStream(new BenchInput(local(path)), BenchFileSystem.BufferBytes))
  }

  override def create(
      path: Path,
      permission: FsPermission,
      overwrite: Boolean,
      bufferSize: Int,
      replication: Short,
      blockSize: Long,
      progress: Progressable
  ): FSDataOutputStream = createFile(path, overwrite)

  /** Creates the file, and its folder if that is not there. The call counts, and takes its time, when the file is closed. */
  private[lab] def createFile(path: Path, overwrite: Boolean): FSDataOutputStream = {
    val file = local(path)
    def opened(): OutputStream =
      if (overwrite) Files.newOutputStream(file, CREATE, TRUNCATE_EXISTING, WRITE)
      else Files.newOutputStream(file, CREATE_NEW, WRITE)
    val stream =
      try opened()
      catch {
        case _: NoSuchFileException =>
          Files.createDirectories(file.getParent)
          opened()
        case _: Exists => throw new FileAlreadyExistsException(path.toString)
      }
    new FSDataOutputStream(new BenchOutput(stream, isDelta(path.getName)), null)
  }

  override def append(path: Path, bufferSize: Int, progress: Progressable): FSDataOutputStream =
    throw new UnsupportedOperationException("append")

  /** As FileSystem's contract has it: into `to` if that is a folder, and false, not an error, if it cannot be done. */
  override def rename(from: Path, to: Path): Boolean =
    try {
      val target = if (Files.isDirectory(local(to))) new Path(to, from.getName) else to
      renameAtomically(from, target, overwrite = false)
      true
    } catch { case _: FileNotFoundException | _: FileAlreadyExistsException => false }

  override protected def rename(from: Path, to: Path, options: Options.Rename*): Unit =
    renameAtomically(from, to, options.contains(Options.Rename.OVERWRITE))

  private[lab] def renameAtomically(from: Path, to: Path, overwrite: Boolean): Unit = {
    called(Rename)
    if (!overwrite && Files.exists(local(to))) throw new FileAlreadyExistsException(to.toString)
    found(from)(Files.move(local(from), local(to), ATOMIC_MOVE))
  }

  override def delete(path: Path, recursive: Boolean): Boolean = {
    called(Delete)
    val file = local(path)
    if (Files.isDirectory(file) && recursive) {
      Using.resource(Files.walk(file))(_.sorted(Comparator.reverseOrder[LocalPath]).forEach(Files.delete(_)))
      true
    } else Files.deleteIfExists(file)
  }

  override def mkdirs(path: Path, permission: FsPermission): Boolean = {
    called(MakeFolder)
    Files.createDirectories(local(path))
    true
  }

  override def getFileStatus(path: Path): FileStatus = {
    called(Status)
    found(path)(status(local(path)))
  }

  override def listStatus(path: Path): Array[FileStatus] = {
    called(List)
    found(path) {
      if (Files.isDirectory(local(path)))
        Using.resource(Files.list(local(path)))(_.iterator.asScala.flatMap(present).toArray)
      else Array(status(local(path)))
    }
  }

  /** A file that was deleted while the folder was listed is not in it. */
  private def present(file: LocalPath): Option[FileStatus] =
    try Some(status(file))
    catch { case _: NoSuchFileException => None }

  private def status(file: LocalPath): FileStatus = {
    val facts = Files.readAttributes(file, classOf[BasicFileAttributes])
    new FileStatus(
      facts.size,
      facts.isDirectory,
      1,
      BenchFileSystem.BlockBytes,
      facts.lastModifiedTime.toMillis,
      new Path(BenchFileSystem.Scheme, null, file.toString)
    )
  }

  private def found[T](path: Path)(body: => T): T =
    try body
    catch { case _: NoSuchFileException => throw new FileNotFoundException(path.toString) }

  private def local(path: Path): LocalPath = Paths.get(path.toUri.getPath)

  /** Of a delta, or of the temporary file that becomes one: `.7.delta.<unique>.tmp`. */
  private def isDelta(name: String): Boolean = name.contains(".delta") || name.contains(".changelog")
}

object BenchFileSystem {
  val Scheme = "bench"
  private val Root = URI.create(s"$Scheme:///")
  private val BlockBytes = 128L << 20
  private[lab] val BufferBytes = 64 << 10

  /** The URI of a local folder in this file system. */
  def uri(folder: LocalPath): String = s"$Scheme://${folder.toAbsolutePath}"

  /** A Hadoop configuration in which `bench:` paths are served. */
  def configuration(): Configuration = {
    val conf = new Configuration
    conf.setClass(s"fs.$Scheme.impl", classOf[BenchFileSystem], classOf[FileSystem])
    conf.setClass(s"fs.AbstractFileSystem.$Scheme.impl", classOf[BenchAbstractFileSystem], classOf[AbstractFileSystem])
    conf
  }
}

private final class BenchOutput(stream: OutputStream, isDelta: Boolean)
    extends BufferedOutputStream(stream, BenchFileSystem.BufferBytes)
    with Syncable {
  private var bytes = 0L
  private var isOpen = true

  override def write(byte: Int): Unit = {
    super.write(byte)
    bytes += 1
  }

  override def write(from: Array[Byte], offset: Int, length: Int): Unit = {
    super.write(from, offset, length)
    bytes += length
  }

  override def hflush(): Unit = flush()
  override def hsync(): Unit = flush()

  override def close(): Unit = if (isOpen) {
    isOpen = false
    super.close()
    called(Create)
    wrote(bytes, isDelta)
  }
}
