package io.rockstate.format.delta

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}

import io.rockstate.files.{RemoteInput, RemoteOutput}
import io.rockstate.format.wire.Codec

/** A whole delta as a value: what is written is what must be read. */
final case class DeltaContent(header: DeltaHeader, frames: Vector[(Vector[Byte], Int)], footer: DeltaFooter) {

  def encode(codec: Codec): Array[Byte] = {
    val output = new DeltaContent.BytesOutput
    val writer = new DeltaWriter(output, header, codec)
    frames.foreach { case (bytes, records) =>
      val padded = Array[Byte](1, 2, 3) ++ bytes ++ Array[Byte](4)
      writer.writeFrame(padded, 3, bytes.size, records)
    }
    writer.finish(footer)
    require(
      writer.bytesWritten == output.bytes.size,
      s"${writer.bytesWritten} bytes announced, ${output.bytes.size} written"
    )
    output.bytes.toByteArray
  }
}

object DeltaContent {

  def decode(name: String, bytes: Array[Byte]): DeltaContent =
    decode(name, new RemoteInput(new ByteArrayInputStream(bytes), bytes.length.toLong))

  def decode(name: String, input: RemoteInput): DeltaContent = {
    val reader = new DeltaReader(name, input)
    try {
      val frames = Iterator.continually(reader.nextFrame()).takeWhile(_.isDefined).flatten.toVector
      DeltaContent(reader.header, frames.map(frame => (frame.bytes.toVector, frame.recordCount)), reader.footer)
    } finally reader.close()
  }

  final class BytesOutput extends RemoteOutput {
    val bytes = new ByteArrayOutputStream
    var isPublished = false
    override def write(byte: Int): Unit = bytes.write(byte)
    override def write(range: Array[Byte], offset: Int, length: Int): Unit = bytes.write(range, offset, length)
    override def publish(): Unit = isPublished = true
    override def cancel(): Unit = ()
  }
}
