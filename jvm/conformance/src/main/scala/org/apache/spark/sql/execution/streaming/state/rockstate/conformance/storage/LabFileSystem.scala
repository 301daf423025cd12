package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.storage

import java.io.{ByteArrayOutputStream, EOFException, FileNotFoundException, IOException}
import java.net.URI
import java.nio.charset.StandardCharsets.UTF_8

import scala.util.Random

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs._
import org.apache.hadoop.fs.permission.FsPermission
import org.apache.hadoop.util.Progressable

/** `conformance://LAB/…`: the storage of a lab as a Hadoop file system that behaves as HDFS does. `LAB.m1`, `LAB.m2` are the same storage, seen
  * from other machines.
  */
class LabFileSystem extends FileSystem {
  private var uri: URI = _
  @volatile private var isClosed = false

  override def initialize(name: URI, conf: Configuration): Unit = {
    super.initialize(name, conf)
    setConf(conf)
    uri = URI.create(s"${LabFileSystem.Scheme}://${name.getAuthority}")
  }

  override def getUri: URI = uri
  override def getScheme: String = LabFileSystem.Scheme
  override def getWorkingDirectory: Path = new Path(uri.toString + "/")
  override def setWorkingDirectory(path: Path): Unit = ()

  override def open(path: Path, bufferSize: Int): FSDataInputStream =
    new FSDataInputStream(new LabInput(lab.read(inLab(path)), lab))

  override def create(
      path: Path,
      permission: FsPermission,
      overwrite: Boolean,
      bufferSize: Int,
      replication: Short,
      blockSize: Long,
      progress: Progressable
  ): FSDataOutputStream =
    new FSDataOutputStream(new LabOutput(lab.create(named(path), overwrite)), null)

  override def append(path: Path, bufferSize: Int, progress: Progressable): FSDataOutputStream =
    throw new UnsupportedOperationException("append")

  /** As FileSystem's contract has it: into `to` if that is a folder, and false, not an error, if it cannot be done. */
  override def rename(from: Path, to: Path): Boolean =
    try {
      val target = named(to)
      lab.rename(
        inLab(from),
        if (lab.isFolder(target)) s"${target.stripSuffix("/")}/${from.getName}" else target,
        overwrite = false
      )
      true
    } catch { case _: FileNotFoundException | _: FileAlreadyExistsException => false }

  override protected def rename(from: Path, to: Path, options: Options.Rename*): Unit =
    renameAtomically(from, to, options.contains(Options.Rename.OVERWRITE))

  private[conformance] def renameAtomically(from: Path, to: Path, overwrite: Boolean): Unit =
    lab.rename(inLab(from), named(to), overwrite)

  override def delete(path: Path, recursive: Boolean): Boolean = lab.delete(inLab(path), recursive)

  override def mkdirs(path: Path, permission: FsPermission): Boolean = {
    lab.makeFolders(named(path))
    true
  }

  override def getFileStatus(path: Path): FileStatus = hadoopStatus(lab.status(inLab(path)))

  override def listStatus(path: Path): Array[FileStatus] = lab.list(inLab(path)).map(hadoopStatus).toArray

  /** For all in this process that have it, as with HDFS: Hadoop gives everybody the same. */
  override def close(): Unit = {
    isClosed = true
    super.close()
  }

  // By name each time: a lab that was dropped and made anew is another one.
  private def lab: LabStorage = {
    if (isClosed) throw new IOException("Filesystem closed")
    LabStorage.seenAs(uri.getAuthority)
  }

  private def inLab(path: Path): String = {
    val inside = makeQualified(path).toUri.getPath
    if (inside.length > 1) inside.stripSuffix("/") else "/"
  }

  /** What is given a name: no part of it may be longer than HDFS and local file systems allow. */
  private def named(path: Path): String = {
    val inside = inLab(path)
    if (inside.split('/').exists(_.getBytes(UTF_8).length > LabFileSystem.LongestName))
      throw new PathIOException(inside, s"A name of more than ${LabFileSystem.LongestName} bytes")
    inside
  }

  private def hadoopStatus(status: LabStorage.Status): FileStatus = new FileStatus(
    status.length,
    status.isFolder,
    1,
    LabFileSystem.BlockBytes,
    status.modified,
    new Path(uri.toString + status.path)
  )
}

object LabFileSystem {
  val Scheme = "conformance"
  private val BlockBytes = 128L << 20
  private val LongestName = 255

  /** Holds what Hadoop gives all of a process who ask for this address; the answer throws if it has been closed since. */
  private[conformance] def held(location: String): () => Unit = {
    val system = new Path(location).getFileSystem(configuration())
    () => system.exists(new Path("/")): Unit
  }

  /** A Hadoop configuration in which `conformance:` paths are served. */
  private[conformance] def configuration(): Configuration = {
    val conf = new Configuration
    conf.setClassLoader(getClass.getClassLoader)
    conf.setClass(s"fs.$Scheme.impl", classOf[LabFileSystem], classOf[FileSystem])
    conf.setClass(s"fs.AbstractFileSystem.$Scheme.impl", classOf[LabAbstractFileSystem], classOf[AbstractFileSystem])
    conf
  }
}

/** The same for Hadoop's FileContext, through which Spark renames atomically. */
class LabAbstractFileSystem private[conformance] (uri: URI, conf: Configuration, fs: LabFileSystem)
    extends DelegateToFileSystem(uri, fs, conf, LabFileSystem.Scheme, false) {

  def this(uri: URI, conf: Configuration) = this(uri, conf, new LabFileSystem)

  override def renameInternal(from: Path, to: Path, overwrite: Boolean): Unit = fs.renameAtomically(from, to, overwrite)
  override def renameInternal(from: Path, to: Path): Unit = fs.renameAtomically(from, to, overwrite = false)
}

private final class LabOutput(writer: LabStorage#Writer) extends ByteArrayOutputStream with Syncable {
  private var isOpen = true

  override def hflush(): Unit = writer.flushed(toByteArray)
  override def hsync(): Unit = hflush()

  override def close(): Unit = if (isOpen) {
    isOpen = false
    writer.closed(toByteArray)
  }
}

/** A file that is read: now and then a read gives fewer bytes than it was asked for, as those of HDFS and S3A do. */
private final class LabInput(file: LabStorage.Opened, lab: LabStorage) extends FSInputStream {
  import file.bytes

  // Of the file's length, not its name, which may be random: runs repeat.
  private val chance = new Random((file.seed, bytes.length).hashCode)
  private val end = file.breaksAt.getOrElse(bytes.length)
  private var position = 0
  private var isOpen = true

  override def read(): Int =
    if (isAtEnd) -1
    else {
      position += 1
      bytes(position - 1) & 0xff
    }

  override def read(into: Array[Byte], offset: Int, length: Int): Int =
    if (length == 0) 0
    else if (isAtEnd) -1
    else {
      val most = math.min(length, end - position)
      val count = if (chance.nextBoolean()) most else 1 + chance.nextInt(most)
      System.arraycopy(bytes, position, into, offset, count)
      position += count
      count
    }

  override def available(): Int = math.max(end - position, 0)
  override def getPos: Long = position.toLong
  override def seekToNewSource(target: Long): Boolean = false

  override def seek(target: Long): Unit = {
    if (target < 0 || target > bytes.length) throw new EOFException(s"seek to $target of ${bytes.length}")
    position = target.toInt
  }

  override def close(): Unit = if (isOpen) {
    isOpen = false
    lab.closedInput()
  }

  private def isAtEnd: Boolean = {
    if (file.breaksAt.exists(position >= _)) throw new IOException(s"Fault injected at: read ${file.path}")
    position >= bytes.length
  }
}
