package io.rockstate.versions

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, DataInputStream, DataOutputStream}

/** All that identifies one committed version of a store, whichever file or database it was read from.
  *
  * @param commitId      tells two commits of one version apart; empty for an empty store that nobody committed
  * @param contentDigest of the changes that made it: equal for two attempts that wrote the same rows
  * @param lineage       the versions before it, oldest first, as far back as deltas carry them
  */
private[rockstate] final case class CommittedVersion(
    version: Long,
    commitId: String,
    contentDigest: Long,
    columnFamilies: Vector[ColumnFamily],
    lineage: Vector[LineageEntry]
) {

  /** In all column families together. */
  def rows: Long = columnFamilies.map(_.rows).sum

  def is(wanted: StateVersion): Boolean =
    version == wanted.version && wanted.checkpointId.forall(id => id == commitId)

  /** The lineage that a delta on top of this version carries. */
  def lineageOfNext: Vector[LineageEntry] =
    if (commitId.isEmpty) Vector.empty
    else (lineage :+ LineageEntry(version, commitId)).takeRight(CommittedVersion.LineageLength)

  def toBytes: Array[Byte] = {
    val bytes = new ByteArrayOutputStream
    val out = new DataOutputStream(bytes)
    out.writeLong(version)
    out.writeUTF(commitId)
    out.writeLong(contentDigest)
    out.writeInt(columnFamilies.size)
    columnFamilies.foreach { family =>
      out.writeInt(family.id)
      out.writeUTF(family.name)
      out.writeBoolean(family.isInternal)
      out.writeLong(family.rows)
    }
    out.writeInt(lineage.size)
    lineage.foreach { entry =>
      out.writeLong(entry.version)
      out.writeUTF(entry.commitId)
    }
    bytes.toByteArray
  }
}

private[rockstate] object CommittedVersion {

  /** How many versions a delta names: recovery steps from the oldest of them to the next delta's lineage. */
  val LineageLength = 64

  /** A store without rows or history, to be gone on from with the version after `version`. */
  def emptyAt(version: Long): CommittedVersion =
    CommittedVersion(version, "", 0, ColumnFamily.initial, Vector.empty)

  /** Where a database keeps the version it holds: in a column family id that no store uses. */
  val RecordKey: Array[Byte] = Array[Byte](-1, -1, 'v')

  /** What a database has while changes are written to it in several steps: with it, it holds no version. */
  val UnfinishedKey: Array[Byte] = Array[Byte](-1, -1, 'u')

  def fromBytes(bytes: Array[Byte]): CommittedVersion = {
    val in = new DataInputStream(new ByteArrayInputStream(bytes))
    CommittedVersion(
      version = in.readLong(),
      commitId = in.readUTF(),
      contentDigest = in.readLong(),
      columnFamilies =
        Vector.fill(in.readInt())(ColumnFamily(in.readInt(), in.readUTF(), in.readBoolean(), in.readLong())),
      lineage = Vector.fill(in.readInt())(LineageEntry(in.readLong(), in.readUTF()))
    )
  }
}
