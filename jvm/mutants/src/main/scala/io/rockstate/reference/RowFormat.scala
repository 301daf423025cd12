package io.rockstate.reference

import java.io.{DataInput, DataOutput}

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/** The bytes of deltas and snapshots. */
object RowFormat {
  def write(out: DataOutput, delta: Delta): Unit = {
    writeVersion(out, delta.base)
    out.writeBoolean(delta.startsEmpty)
    writeAll(out, delta.changes)(write)
  }

  def readDelta(in: DataInput): Delta = Delta(readVersion(in), in.readBoolean(), readAll(in)(readChange))

  def write(out: DataOutput, contents: Contents): Unit =
    writeAll(out, contents.families.toSeq) { case (_, (name, family)) =>
      out.writeUTF(name)
      out.writeBoolean(family.isInternal)
      writeAll(out, family.rows.toSeq) { case (_, (key, values)) =>
        writeRow(out, key); writeAll(out, values)(writeRow)
      }
    }

  def readContents(in: DataInput): Contents = Contents(readAll(in) { _ =>
    in.readUTF() -> Family(in.readBoolean(), readAll(in)(_ => readRow(in) -> readAll(in)(readRow)).toMap)
  }.toMap)

  private def write(out: DataOutput, change: Change): Unit = {
    def head(kind: Char, family: String): Unit = { out.writeByte(kind.toInt); out.writeUTF(family) }
    change match {
      case CreateFamily(family, isInternal) => head('c', family); out.writeBoolean(isInternal)
      case RemoveFamily(family) => head('x', family)
      case Put(family, key, values) => head('p', family); writeRow(out, key); writeAll(out, values)(writeRow)
      case Merge(family, key, values) => head('m', family); writeRow(out, key); writeAll(out, values)(writeRow)
      case Remove(family, key) => head('r', family); writeRow(out, key)
    }
  }

  private def readChange(in: DataInput): Change = (in.readByte().toChar, in.readUTF()) match {
    case ('c', family) => CreateFamily(family, in.readBoolean())
    case ('x', family) => RemoveFamily(family)
    case ('p', family) => Put(family, readRow(in), readAll(in)(readRow))
    case ('m', family) => Merge(family, readRow(in), readAll(in)(readRow))
    case ('r', family) => Remove(family, readRow(in))
    case (kind, _) => throw new CorruptFile(s"unknown change '$kind'")
  }

  private def writeVersion(out: DataOutput, version: Version): Unit = {
    out.writeLong(version.number)
    out.writeUTF(version.id.getOrElse(""))
  }

  private def readVersion(in: DataInput): Version = Version(in.readLong(), Option(in.readUTF()).filter(_.nonEmpty))

  private def writeRow(out: DataOutput, row: UnsafeRow): Unit = {
    val bytes = row.getBytes
    out.writeInt(row.numFields)
    out.writeInt(bytes.length)
    out.write(bytes)
  }

  private def readRow(in: DataInput): UnsafeRow = {
    val row = new UnsafeRow(in.readInt())
    val bytes = new Array[Byte](in.readInt())
    in.readFully(bytes)
    row.pointTo(bytes, bytes.length)
    row
  }

  private def writeAll[A](out: DataOutput, items: Seq[A])(write: (DataOutput, A) => Unit): Unit = {
    out.writeInt(items.size)
    items.foreach(write(out, _))
  }

  private def readAll[A](in: DataInput)(read: DataInput => A): Vector[A] = Vector.fill(in.readInt())(read(in))
}
