package io.rockstate.format.delta

import java.io.{ByteArrayInputStream, InputStream}
import java.nio.ByteBuffer

import org.scalacheck.{Arbitrary, Gen}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.rockstate.errors.{Conflict, CorruptFile, Misuse, Unsupported}
import io.rockstate.files.RemoteInput
import io.rockstate.format.{FlippedBit, SampleFiles}
import io.rockstate.format.SampleFiles.DeltaName
import io.rockstate.format.wire.{Checksum, Codec, FileHeader, Section}
import io.rockstate.versions.{ColumnFamily, LineageEntry}

class DeltaFileSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private def corrupt(bytes: Array[Byte], name: String = DeltaName): CorruptFile = {
    val error = intercept[CorruptFile](DeltaContent.decode(name, bytes))
    assert(error.file.contains(name) && error.version.nonEmpty && error.remedy.nonEmpty)
    error
  }

  private val contents: Gen[DeltaContent] = for {
    version <- Gen.choose(1L, Long.MaxValue)
    depth <- Gen.choose(0, 5).map(depth => math.min(depth.toLong, version).toInt)
    ids <- Gen.listOfN(depth + 2, Gen.stringOfN(8, Gen.alphaNumChar))
    digest <- Arbitrary.arbitrary[Long]
    frames <- Gen.listOf(Gen.zip(Gen.nonEmptyListOf(Arbitrary.arbitrary[Byte]).map(_.toVector), Gen.choose(1, 1000)))
    newTable <- Arbitrary.arbitrary[Boolean]
    families <- Gen
      .choose(0, 4)
      .map(size => Vector.tabulate(size)(i => ColumnFamily(i * 16383, s"familie-ä$i", i % 2 == 1, i * 99L)))
  } yield {
    val lineage = ids.drop(2).zipWithIndex.map { case (id, i) => LineageEntry(version - depth + i, id) }.toVector
    val table =
      if (newTable) NewTable(families) else SameTable(families.map(family => FamilyRows(family.id, family.rows)))
    DeltaContent(
      DeltaHeader(version, ids.head, ids(1), digest, lineage),
      frames.toVector,
      DeltaFooter(table, OperationCounts(frames.map(_._2.toLong).sum, 0, 0, 0), ~digest)
    )
  }

  test("whatever is written is read, with every codec") {
    forAll(contents, Gen.oneOf(Codec.all)) { (content, codec) =>
      assert(DeltaContent.decode(s"${content.header.version}.delta", content.encode(codec)) == content)
    }
  }

  test("finishing a delta does not publish it") {
    val output = new DeltaContent.BytesOutput
    new DeltaWriter(output, SampleFiles.emptyDelta.header, Codec.Lz4).finish(SampleFiles.emptyDelta.footer)
    assert(!output.isPublished)
  }

  test("the header can be read alone") {
    val bytes = SampleFiles.delta.encode(Codec.Zstd1)
    val reader = new DeltaReader(DeltaName, new RemoteInput(new ByteArrayInputStream(bytes), bytes.length.toLong))
    assert(reader.header == SampleFiles.delta.header && reader.codec == Codec.Zstd1)
    assert(reader.header.lineage.map(_.version) == Vector(15, 16))
    intercept[Misuse](reader.footer)
    reader.close()
  }

  Codec.all.foreach { codec =>
    test(s"${codec.name}: any one flipped bit makes the delta corrupt") {
      val bytes = SampleFiles.delta.encode(codec)
      for (bit <- 0 until bytes.length * 8)
        withClue(s"bit ${bit % 8} of byte ${bit / 8}: ")(corrupt(FlippedBit(bytes, bit)))
    }

    test(s"${codec.name}: cut at any length, or with a byte more, the delta is corrupt") {
      val bytes = SampleFiles.delta.encode(codec)
      for (length <- bytes.indices) withClue(s"$length of ${bytes.length} bytes: ")(corrupt(bytes.take(length)))
      corrupt(bytes :+ 0.toByte)
    }
  }

  test("an empty delta too is corrupt with any bit flipped and at any length") {
    val bytes = SampleFiles.emptyDelta.encode(Codec.Lz4)
    for (bit <- 0 until bytes.length * 8) corrupt(FlippedBit(bytes, bit), "1.delta")
    for (length <- bytes.indices) corrupt(bytes.take(length), "1.delta")
  }

  test("any two bytes swapped make the delta corrupt") {
    val bytes = SampleFiles.delta.encode(Codec.Lz4)
    for (i <- 1 until bytes.length if bytes(i) != bytes(i - 1)) {
      val swapped = bytes.clone()
      swapped(i) = bytes(i - 1)
      swapped(i - 1) = bytes(i)
      corrupt(swapped)
    }
  }

  test("a stream that ends before the announced length is corrupt, one that goes on after it too") {
    val bytes = SampleFiles.delta.encode(Codec.Lz4)
    for (claimed <- Seq(bytes.length + 1L, Long.MaxValue, bytes.length - 1L, 0L))
      intercept[CorruptFile](DeltaContent.decode(DeltaName, new RemoteInput(new ByteArrayInputStream(bytes), claimed)))
    val longer = new RemoteInput(new ByteArrayInputStream(bytes :+ 0.toByte), bytes.length.toLong)
    intercept[CorruptFile](DeltaContent.decode(DeltaName, longer))
  }

  test("a length beyond the end is refused before anything of that size is allocated") {
    val header = SampleFiles.delta.encode(Codec.Uncompressed).take(FileHeader.Bytes)
    val length = ByteBuffer.allocate(8).putInt(Int.MaxValue).array
    // 64 copies of what the lengths promise could never be allocated at once.
    (1 to 64).foreach(_ => assert(corrupt(header ++ length ++ Array.fill[Byte](100)(7)).problem.contains("2147483647")))
  }

  test("a raw length beyond the bound is refused even if its checksum is right") {
    val bytes = SampleFiles.emptyDelta.encode(Codec.Lz4)
    val end = FileHeader.Bytes + Section.HeaderBytes + ByteBuffer.wrap(bytes).getInt(FileHeader.Bytes)
    def withFrame(raw: Int, stored: Array[Byte], records: Int) = {
      val checksum = Checksum.of(stored, 0, stored.length, raw, stored.length, records)
      val head = ByteBuffer.allocate(16).putInt(raw).putInt(stored.length).putInt(records).putInt(checksum).array
      bytes.take(end) ++ head ++ stored ++ bytes.drop(end)
    }
    for (raw <- Seq(DeltaFile.MaxFrameBytes + 1, -1, Int.MinValue))
      assert(corrupt(withFrame(raw, Array[Byte](1, 2, 3, 4), 1), "1.delta").problem.contains(s"announces $raw bytes"))
    for ((raw, records) <- Seq((3, 1), (100, 0), (100, -1)))
      assert(corrupt(withFrame(raw, Array[Byte](1, 2, 3, 4), records), "1.delta").problem.contains(s"$records records"))
    // Stored bytes that the codec cannot decompress, and then a frame that the footer knows nothing of.
    assert(corrupt(withFrame(100, Array[Byte](1, 2, 3, 4), 1), "1.delta").problem.contains("cannot be decompressed"))
    assert(corrupt(withFrame(4, Array[Byte](1, 2, 3, 4), 1), "1.delta").problem.contains("come to"))
  }

  test("frames that are swapped, doubled or left out are found by the footer") {
    val frames = Vector((Vector[Byte](0, 1, 1), 1), (Vector[Byte](0, 1, 2), 1))
    val content = DeltaContent(
      SampleFiles.emptyDelta.header,
      frames,
      SampleFiles.emptyDelta.footer.copy(counts = OperationCounts(0, 2, 0, 0))
    )
    val bytes = content.encode(Codec.Uncompressed)
    val start = FileHeader.Bytes + Section.HeaderBytes + ByteBuffer.wrap(bytes).getInt(FileHeader.Bytes)
    val size = DeltaFile.FrameHeaderBytes + 3
    val (head, first, second, tail) =
      (
        bytes.take(start),
        bytes.slice(start, start + size),
        bytes.slice(start + size, start + 2 * size),
        bytes.drop(start + 2 * size)
      )
    assert(DeltaContent.decode("1.delta", head ++ first ++ second ++ tail) == content)
    Seq(second ++ first, first ++ first, first, first ++ second ++ second, Array.emptyByteArray).foreach { changed =>
      corrupt(head ++ changed ++ tail, "1.delta")
    }
  }

  test("a delta under another version's or another attempt's name is corrupt") {
    val bytes = SampleFiles.delta.encode(Codec.Lz4)
    assert(corrupt(bytes, "18.delta").problem.contains("version 17"))
    assert(corrupt(bytes, "17_other.delta").problem.contains(SampleFiles.CommitId))
    assert(DeltaContent.decode("17.delta", bytes) == SampleFiles.delta)
  }

  test("a name that is not a delta's is the caller's mistake") {
    intercept[Misuse](DeltaContent.decode("17.snapshot", SampleFiles.delta.encode(Codec.Lz4)))
  }

  test("a delta that does not open is closed all the same") {
    var isClosed = false
    val stream = new InputStream {
      override def read(): Int = -1
      override def close(): Unit = isClosed = true
    }
    intercept[CorruptFile](new DeltaReader("1.delta", new RemoteInput(stream, 0)))
    assert(isClosed)
  }

  test("a writer refuses empty frames, miscounted footers, gaps in the lineage and anything after the end") {
    val content = SampleFiles.emptyDelta
    def writer = new DeltaWriter(new DeltaContent.BytesOutput, content.header, Codec.Lz4)
    intercept[Misuse](writer.writeFrame(Array[Byte](1), 0, 0, 1))
    intercept[Misuse](writer.writeFrame(Array[Byte](1), 0, 1, 0))
    intercept[Misuse](writer.finish(content.footer.copy(counts = OperationCounts(1, 0, 0, 0))))
    intercept[Unsupported](writer.writeFrame(Array[Byte](1), 0, DeltaFile.MaxFrameBytes + 1, 1))
    Seq(Vector(3L, 5L), Vector(4L), Vector(5L, 6L), Vector(5L, 4L)).foreach { versions =>
      val header = DeltaHeader(6, "id", "base", 0, versions.map(LineageEntry(_, "x")))
      intercept[Misuse](new DeltaWriter(new DeltaContent.BytesOutput, header, Codec.Lz4))
    }
    val finished = writer
    finished.finish(content.footer)
    intercept[Misuse](finished.writeFrame(Array[Byte](1), 0, 1, 1))
    intercept[Misuse](finished.finish(content.footer))
  }

  test("a footer stores names only if a family was added, dropped or renamed") {
    val base = Vector(
      ColumnFamily(0, "default", isInternal = false, rows = 5),
      ColumnFamily(1, "list", isInternal = true, rows = 7)
    )
    val counts = OperationCounts(0, 0, 0, 0)
    val recounted = base.map(_.copy(rows = 9))
    assert(DeltaFooter.of(base, recounted, counts, 1).table == SameTable(Vector(FamilyRows(0, 9), FamilyRows(1, 9))))
    Seq(
      base.take(1),
      base :+ base(1).copy(id = 2, name = "x"),
      base.map(_.copy(name = "y")),
      base.map(_.copy(isInternal = true))
    ).foreach { now =>
      assert(DeltaFooter.of(base, now, counts, 1).table == NewTable(now))
    }
    (recounted +: Seq(base, base.take(1), base.reverse)).foreach { now =>
      assert(DeltaFooter.of(base, now, counts, 1).columnFamilies(base) == now)
    }
  }

  test("row counts do not apply to a base with other column families") {
    val footer = DeltaFooter(SameTable(Vector(FamilyRows(0, 1), FamilyRows(1, 1))), OperationCounts(0, 0, 0, 0), 0)
    intercept[Conflict](footer.columnFamilies(ColumnFamily.initial))
  }
}
