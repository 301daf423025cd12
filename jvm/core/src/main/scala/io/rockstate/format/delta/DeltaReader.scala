package io.rockstate.format.delta

import scala.util.Using

import io.rockstate.errors.{Misuse, OnFailure}
import io.rockstate.files.{FileNames, RemoteFiles, RemoteInput}
import io.rockstate.format.wire.{CheckedInput, Checksum, Codec, Damage, FieldReader, FileHeader, FileKind, Undecodable}
import io.rockstate.versions.StateVersion

/** Reads a delta once, from start to end, and owns `input`. Anything that is not as it was written is a `CorruptFile`; a frame is
  * verified before it is returned, but only `footer` proves that nothing is missing. For one thread at a time.
  *
  * @param name the file's name in the store's folder; header and name must agree
  */
final class DeltaReader(name: String, input: RemoteInput) extends AutoCloseable {
  import DeltaFile._
  import DeltaReader.NotRead

  private val damage = Damage.ofDelta(name)
  private val source = new CheckedInput(input, damage)
  private val tally = new DeltaTally
  private var ending: Option[DeltaFooter] = None
  private var announced = NotRead

  val (header: DeltaHeader, codec: Codec) = OnFailure(input.close())(readHeader())

  /** The bytes that the next frame says it has once it is decompressed, 0 if there is none; so that whoever reads it has room. */
  def nextFrameBytes: Int = {
    if (announced == NotRead) announced = source.i32()
    if (announced < 0 || announced > MaxFrameBytes) throw damage(s"a frame announces $announced bytes")
    announced
  }

  /** The next frame; None after the last, once the footer too is verified. */
  def nextFrame(): Option[DeltaFrame] =
    if (ending.isDefined) None
    else if (nextFrameBytes == 0) {
      ending = Some(readFooter())
      None
    } else {
      val frame = readFrame(announced)
      announced = NotRead
      Some(frame)
    }

  /** The footer; known after the last frame. */
  def footer: DeltaFooter =
    ending.getOrElse(
      throw new Misuse("The delta's footer is not read yet", "Read all frames first.", Some(header.version))
    )

  /** The footer, once all that is left was read and verified. */
  def readToEnd(): DeltaFooter = {
    while (nextFrame().isDefined) ()
    footer
  }

  override def close(): Unit = source.close()

  private def readHeader(): (DeltaHeader, Codec) = {
    val formatVersion = FileHeader.decode(FileKind.Delta, source.bytes(FileHeader.Bytes), damage)
    val (bytes, checksum) = source.section("header")
    tally.addHeader(checksum)
    DeltaSections.readHeader(new FieldReader(bytes, damage), formatVersion, damage)
  }

  private def readFrame(rawLength: Int): DeltaFrame = {
    val (storedLength, recordCount, checksum) = (source.i32(), source.i32(), source.i32())
    if (rawLength < storedLength || recordCount <= 0)
      throw damage(s"a frame has $storedLength stored bytes, $rawLength raw ones and $recordCount records")
    val stored = source.bytes(storedLength)
    if (Checksum.of(stored, 0, storedLength, rawLength, storedLength, recordCount) != checksum)
      throw damage(s"the checksum of frame ${tally.totals.frames + 1} does not match")
    tally.addFrame(rawLength, recordCount, checksum)
    new DeltaFrame(decompress(stored, rawLength), recordCount)
  }

  // Where compression gained nothing, the raw bytes are stored.
  private def decompress(stored: Array[Byte], rawLength: Int): Array[Byte] =
    if (stored.length == rawLength) stored
    else
      try codec.decompress(stored, 0, stored.length, rawLength)
      catch { case e: Undecodable => throw damage(s"frame ${tally.totals.frames} cannot be decompressed", e) }

  private def readFooter(): DeltaFooter = {
    val (bytes, _) = source.section("footer")
    source.requireEnd()
    val (footer, totals) = DeltaSections.readFooter(new FieldReader(bytes, damage), damage)
    if (totals != tally.totals) throw damage(s"its frames come to ${tally.totals}, but it was finished with $totals")
    footer
  }
}

object DeltaReader {

  /** No length of a frame is below zero. */
  private val NotRead: Int = -1

  /** What a version's delta says of itself at its start: no more of the file is read. */
  def headerOf(version: StateVersion, files: RemoteFiles): DeltaHeader = {
    val name = FileNames.delta(version)
    Using.resource(new DeltaReader(name, files.openUnmeasured(name)))(_.header)
  }
}
