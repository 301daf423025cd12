package org.apache.spark.sql.execution.streaming.state.rockstate.inspect

import java.io.{File, FileNotFoundException}
import java.net.URI
import java.nio.charset.StandardCharsets.UTF_8

import scala.util.{Try, Using}
import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{ChecksumException, ChecksumFileSystem, FSDataInputStream, FSInputStream, FileStatus, Path}

import org.apache.spark.{SPARK_VERSION, SparkThrowable}

import io.rockstate.errors.{MissingFile, Unsupported}

/** The files of a query's checkpoint folder, on any Hadoop file system; names are relative to it. Only reads. What the file system
  * throws is passed on, unless it means that a file is damaged or gone.
  */
private[rockstate] final class CheckpointFiles(location: String, hadoopConf: Configuration) {
  import CheckpointFiles._

  private val root = new Path(location)
  private val fs = root.getFileSystem(hadoopConf)
  val folder: Path = fs.makeQualified(root)

  def path(name: String): Path = if (name.isEmpty) folder else new Path(folder, name)

  def exists(name: String): Boolean = fs.exists(path(name))
  def isFile(name: String): Boolean = fs.getFileStatus(path(name)).isFile

  /** Whether a whole path is that of the file with this name: local ones may lead through links, and another file system may be a view of
    * this one.
    */
  def isNamed(name: String, whole: String): Boolean = {
    val other = new Path(whole)
    def on(path: Path): String = {
      val plain = Path.getPathWithoutSchemeAndAuthority(path).toString
      if (folder.toUri.getScheme == "file") new File(plain).getCanonicalPath else plain
    }
    def written(path: Path) = Try(path.getFileSystem(hadoopConf).getFileStatus(path)).toOption
      .map(file => (file.getLen, file.getModificationTime))
    on(path(name)) == on(other) || (!isBeside(other.toUri) && written(path(name)) == written(other))
  }

  /** Whether there is a file of this whole path, on whichever file system. On another one that cannot be reached there is none. */
  def isThere(whole: String): Boolean = {
    val named = new Path(whole)
    try named.getFileSystem(hadoopConf).exists(named)
    catch { case NonFatal(_) if !isBeside(named.toUri) => false }
  }

  private def isBeside(other: URI): Boolean =
    other.getScheme == folder.toUri.getScheme && other.getAuthority == folder.toUri.getAuthority

  /** Of a checkpoint that is being made of another, or whose maker was cut off: what it is made of. One that is being rolled back was whole,
    * whatever mark was left in it.
    */
  def madeOf: Option[String] =
    if (exists(Metadata) || isBeingRolledBack) None
    else
      text(UnfinishedMark) match {
        case Readable(source) => Some(source)
        case Damaged(_) => Some("another")
        case Gone => None
      }

  /** Whether a rollback is at work in it, or was cut off. */
  def isBeingRolledBack: Boolean = exists(RollbackJournal) || (!exists(Metadata) && exists(MetadataAway))

  /** The command that finishes it, as far as its journal tells. */
  def rollbackToFinish: String =
    text(RollbackJournal).toOption.flatMap(Journal.of).fold("rockstate rollback")(_.command(folder.toString))

  /** What is in a folder; nothing if it is not there. */
  def list(name: String): Vector[FileStatus] =
    try fs.listStatus(path(name)).toVector
    catch { case _: FileNotFoundException => Vector.empty }

  /** The names in a folder that are numbers, ascending. */
  def numbersIn(name: String): Vector[Long] = list(name).flatMap(f => f.getPath.getName.toLongOption).sorted

  /** The numbers in a folder of which a local file system has a checksum file, hidden in its listings; nothing elsewhere. */
  def checksumsIn(name: String): Vector[Long] = fs match {
    case checked: ChecksumFileSystem if checked.exists(path(name)) =>
      checked.getRawFileSystem.listStatus(path(name)).toVector.map(_.getPath.getName).collect {
        case ChecksumOf(number) => number.toLong
      }
    case _ => Vector.empty
  }

  /** What a file says, or what is wrong with it. `Unsupported` if a later Spark wrote it. */
  def read[T](name: String)(parse: FSDataInputStream => T): Content[T] =
    try {
      val bytes = Using.resource(fs.open(path(name)))(_.readAllBytes())
      parsed(name, bytes, parse)
    } catch {
      case MissingFile() => Gone
      case e: ChecksumException => Damaged(textOf(e))
    }

  /** The same as it stands there. */
  def text(name: String): Content[String] = read(name)(in => new String(in.readAllBytes(), UTF_8))

  private def parsed[T](name: String, bytes: Array[Byte], parse: FSDataInputStream => T): Content[T] =
    try Readable(parse(new FSDataInputStream(new InMemory(bytes))))
    catch {
      case e: SparkThrowable if String.valueOf(e.getCondition).startsWith("INVALID_LOG_VERSION") =>
        throw new Unsupported(
          s"Another Spark release wrote the checkpoint: ${e.asInstanceOf[Throwable].getMessage}",
          s"Look at it with the Spark release that its query runs on; this is $SPARK_VERSION.",
          Some(path(name).toString)
        )
      case NonFatal(e) => Damaged(textOf(e))
    }
}

private[rockstate] object CheckpointFiles {

  /** The file with the query's id: Spark 4.2 and later start no query without it where there are logs. */
  val Metadata = "metadata"

  /** A file in a checkpoint that is being made of another, which it names. */
  val UnfinishedMark = "rockstate-unfinished"

  /** While a rollback moves files: what it does, and what `metadata` is called meanwhile. */
  val RollbackJournal = "rockstate-rollback"
  val MetadataAway = "rockstate-metadata-away"

  sealed trait Content[+T] {
    final def toOption: Option[T] = this match {
      case Readable(value) => Some(value)
      case Damaged(_) | Gone => None
    }
  }
  final case class Readable[T](value: T) extends Content[T]

  /** @param why in a line, without a full stop */
  final case class Damaged(why: String) extends Content[Nothing]
  case object Gone extends Content[Nothing]

  private val MaxTextLength = 200
  private val ChecksumOf = """\.(\d{1,18})\.crc""".r

  private def textOf(e: Throwable): String =
    Option(e.getMessage)
      .flatMap(_.linesIterator.nextOption())
      .fold(e.getClass.getSimpleName)(_.take(MaxTextLength))
      .stripSuffix(".")

  /** What Spark's readers want a file to be. */
  private final class InMemory(bytes: Array[Byte]) extends FSInputStream {
    private var position = 0
    override def seek(to: Long): Unit = position = to.toInt
    override def getPos: Long = position.toLong
    override def seekToNewSource(target: Long): Boolean = false
    override def read(): Int =
      if (position == bytes.length) -1
      else {
        position += 1
        bytes(position - 1) & 0xff
      }
  }
}
