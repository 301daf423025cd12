package io.rockstate.engine.storage

import java.io.{IOException, InputStream, OutputStream}
import java.nio.file.{FileSystemException, Files, NoSuchFileException, Path, StandardCopyOption}
import java.util.zip.{CRC32C, CheckedInputStream}

import scala.util.Using

import org.slf4j.LoggerFactory

import io.rockstate.errors.CorruptFile
import io.rockstate.files.{FileNames, RemoteFiles}
import io.rockstate.format.snapshot.TableFile

/** Moves table files between storage and local disk; each is transferred once and checked by length and CRC32C. */
private[engine] class TableFiles(files: RemoteFiles, local: LocalFolder) {

  private val log = LoggerFactory.getLogger(getClass)

  /** Has the table file at its local place. False if it was there already, which its length says. */
  def fetch(table: TableFile): Boolean = {
    val place = local.table(table.remoteName)
    val isMissing = LocalFolder.onDisk(place)(!Files.exists(place) || Files.size(place) != table.length)
    if (isMissing) download(table, place)
    isMissing
  }

  /** Has it there as it is in storage, in the place of one that may have gone bad; links to that one stay what they are. */
  def fetchAnew(table: TableFile): Unit = download(table, local.table(table.remoteName))

  /** Puts the fetched table file into a database's folder; on a disk without links a copy. */
  def link(table: TableFile, database: Path): Unit = LocalFolder.onDisk(database) {
    val (file, place) = (local.table(table.remoteName), database.resolve(table.localName))
    try link(file, place)
    catch {
      case e: NoSuchFileException => throw e
      case _: FileSystemException | _: UnsupportedOperationException => Files.copy(file, place)
    }
    ()
  }

  protected def link(file: Path, place: Path): Unit = Files.createLink(place, file): Unit

  /** Stores a database's table file under a new name of its own.
    *
    * @param verify throws if the file is not what was written: no check of storage would find out
    */
  def upload(file: Path)(verify: Path => Unit): TableFile = {
    val name = FileNames.newTableFile()
    val crc = new CRC32C
    Using.resource(files.create(name)) { output =>
      Using.resource(new CheckedInputStream(Files.newInputStream(file), crc))(copy(_, output))
      verify(file)
      output.publish()
    }
    keep(file, name)
    TableFile(name, file.getFileName.toString, Files.size(file), crc.getValue.toInt)
  }

  /** For the next recovery here. If it cannot be kept, that one fetches it. */
  private def keep(file: Path, remoteName: String): Unit =
    try link(file, local.table(remoteName))
    catch {
      case e @ (_: IOException | _: UnsupportedOperationException) =>
        log.debug(s"$remoteName is not kept in ${local.path}", e)
    }

  private def download(table: TableFile, place: Path): Unit = {
    val partial = local.newPartial()
    try {
      val crc = new CRC32C
      val length = Using.resource(files.openUnmeasured(table.remoteName)) { input =>
        LocalFolder.onDisk(partial)(
          Using.resource(Files.newOutputStream(partial))(copy(new CheckedInputStream(input.stream, crc), _))
        )
      }
      if (length != table.length || crc.getValue.toInt != table.crc32c) {
        throw new CorruptFile(
          s"The table file has $length bytes with CRC32C ${crc.getValue.toInt.toHexString}, its manifest says ${table.length} with ${table.crc32c.toHexString}",
          "An earlier snapshot is used if there is one; restore the file from a backup to have this one back.",
          s"${files.location}/${table.remoteName}"
        )
      }
      Files.move(partial, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING)
    } finally Files.deleteIfExists(partial)
    ()
  }

  private def copy(from: InputStream, to: OutputStream): Long = {
    val buffer = new Array[Byte](TableFiles.BufferBytes)
    Iterator.continually(from.read(buffer)).takeWhile(_ >= 0).map { n => to.write(buffer, 0, n); n.toLong }.sum
  }
}

private object TableFiles {
  val BufferBytes: Int = 128 << 10
}
