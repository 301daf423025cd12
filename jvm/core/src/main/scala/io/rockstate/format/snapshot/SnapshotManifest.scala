package io.rockstate.format.snapshot

import java.io.ByteArrayInputStream

import scala.util.Using
import scala.util.matching.Regex

import io.rockstate.errors.Misuse
import io.rockstate.files.{FileNames, RemoteFiles, RemoteInput}
import io.rockstate.format.wire.{
  CheckedInput,
  ColumnFamilyTable,
  Damage,
  FieldReader,
  FieldWriter,
  FileHeader,
  FileKind,
  Section
}
import io.rockstate.versions.{ColumnFamily, RowLayout}

/** A snapshot: what RocksDB's folder held at one version of a store. Big-endian, in the terms of [[DeltaFile]]:
  *
  * {{{
  * file     = file-header section(body)      and nothing after it
  * body     = version i64, commit id text, content digest i64, column-family table,
  *            inline files: count i32 then (name text, length i32, bytes)*,
  *            table files:  count i32 then (remote name text, local name text, length i64, CRC32C i32)*,
  *            from format version 2 on row layout: count i32 then (conf text)*
  * }}}
  *
  * @param commitId    of the version; the checkpoint id if the file's name has one
  * @param inlineFiles RocksDB's own small files: CURRENT and MANIFEST-…
  * @param tableFiles  where the table files are in the store's folder, and what RocksDB calls them
  * @param rowLayout   how the rows are laid out
  */
final case class SnapshotManifest(
    version: Long,
    commitId: String,
    contentDigest: Long,
    columnFamilies: Vector[ColumnFamily],
    inlineFiles: Vector[InlineFile],
    tableFiles: Vector[TableFile],
    rowLayout: RowLayout = RowLayout.Plain
) {

  /** In all column families together. */
  def rows: Long = columnFamilies.map(_.rows).sum

  /** The file's bytes. Refuses names that `decode` would refuse. */
  def encode: Array[Byte] = {
    SnapshotManifest
      .nameProblem(this)
      .foreach(problem =>
        throw new Misuse(s"A snapshot's manifest: $problem", "Name files as RocksDB and FileNames do.", Some(version))
      )
    val fields = new FieldWriter
    fields.i64(version)
    fields.text(commitId)
    fields.i64(contentDigest)
    ColumnFamilyTable.write(fields, columnFamilies)
    fields.i32(inlineFiles.size)
    inlineFiles.foreach { file =>
      fields.text(file.name)
      fields.block(file.bytes)
    }
    fields.i32(tableFiles.size)
    tableFiles.foreach { file =>
      fields.text(file.remoteName)
      fields.text(file.localName)
      fields.i64(file.length)
      fields.i32(file.crc32c)
    }
    fields.layout(rowLayout)
    FileHeader.encode(FileKind.Snapshot, FileHeader.versionFor(rowLayout)) ++ Section.encode(fields.toArray)
  }
}

/** A small file of RocksDB's folder whose bytes stand in the manifest itself. */
final case class InlineFile(name: String, bytes: Array[Byte]) {
  override def equals(other: Any): Boolean = other match {
    case InlineFile(otherName, otherBytes) => name == otherName && java.util.Arrays.equals(bytes, otherBytes)
    case _ => false
  }
  override def hashCode: Int = name.hashCode * 31 + java.util.Arrays.hashCode(bytes)
}

/** A table file: its name in the store's folder, its name in RocksDB's (`000012.sst`), and what its bytes must be. */
final case class TableFile(remoteName: String, localName: String, length: Long, crc32c: Int)

object SnapshotManifest {
  private val InlineName: Regex = "CURRENT|MANIFEST-[0-9]{1,20}".r
  private val LocalTableName: Regex = "[0-9]{1,20}\\.sst".r

  /** Reads the manifest `name` from a store's folder, as `decode` does. */
  def read(files: RemoteFiles, name: String): SnapshotManifest =
    decode(name, Using.resource(files.openUnmeasured(name))(_.stream.readAllBytes()))

  /** The manifest in the bytes of the file `name` of a store's folder. Anything that is not as it was written, and any name that could lead out of the
    * store's folder or RocksDB's, is a `CorruptFile`.
    */
  def decode(name: String, bytes: Array[Byte]): SnapshotManifest = {
    val damage = Damage.ofSnapshot(name)
    val (formatVersion, fields) = body(bytes, damage)
    val manifest = read(new FieldReader(fields, damage), formatVersion, damage)
    damage.requireNamed(manifest.version, manifest.commitId)
    nameProblem(manifest).foreach(problem => throw damage(problem))
    manifest
  }

  private def body(bytes: Array[Byte], damage: Damage): (Int, Array[Byte]) = {
    val file = new CheckedInput(new RemoteInput(new ByteArrayInputStream(bytes), bytes.length.toLong), damage)
    val formatVersion = FileHeader.decode(FileKind.Snapshot, file.bytes(FileHeader.Bytes), damage)
    val (body, _) = file.section("body")
    file.requireEnd()
    (formatVersion, body)
  }

  private def read(fields: FieldReader, formatVersion: Int, damage: Damage): SnapshotManifest = {
    val manifest = SnapshotManifest(
      fields.i64(),
      fields.text(),
      fields.i64(),
      ColumnFamilyTable.read(fields, damage),
      fields.many(InlineFile(fields.text(), fields.block())),
      fields.many(TableFile(fields.text(), fields.text(), fields.count(), fields.i32())),
      fields.layout(formatVersion)
    )
    fields.requireEnd()
    manifest
  }

  private def nameProblem(manifest: SnapshotManifest): Option[String] = {
    val localNames = manifest.inlineFiles.map(_.name) ++ manifest.tableFiles.map(_.localName)
    val outside = manifest.tableFiles.map(_.remoteName).find(!FileNames.isTableFileName(_))
    val foreignTable = manifest.tableFiles.map(_.localName).find(!LocalTableName.matches(_))
    val foreignInline = manifest.inlineFiles.map(_.name).find(!InlineName.matches(_))
    outside
      .map(name => s"'$name' is not the name of a table file in the store's folder")
      .orElse(foreignTable.map(name => s"'$name' is not the name of a table file in RocksDB's folder"))
      .orElse(foreignInline.map(name => s"'$name' is not a file of RocksDB that stands in a manifest"))
      .orElse(Option.when(localNames.distinct.size != localNames.size)("it names a file of RocksDB's folder twice"))
  }
}
