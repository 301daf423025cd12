package io.rockstate.format

import java.nio.file.{Files, Path, Paths}

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.format.delta.DeltaContent
import io.rockstate.format.snapshot.SnapshotManifest
import io.rockstate.format.wire.Codec

/** Format versions 1 and 2, pinned: these files are read, and written to the very same bytes, by this release and every later one that has not
  * raised the format version. To add a file, name it here and run once with ROCKSTATE_WRITE_GOLDEN=1, which never replaces one.
  *
  * Should a compression library give other bytes after an upgrade, readers are not affected: keep the old files in the tests that read.
  */
class GoldenFilesSuite extends AnyFunSuite {
  private val folder = Paths.get("../../tests/golden")

  private def golden(fileName: String, encode: => Array[Byte], version: String = "v1"): Array[Byte] = {
    val path: Path = folder.resolve(version).resolve(fileName)
    if (!Files.exists(path) && sys.env.contains("ROCKSTATE_WRITE_GOLDEN")) Files.write(path, encode)
    Files.readAllBytes(path)
  }

  Codec.all.foreach { codec =>
    test(s"a delta with codec ${codec.name} is read and written as in format version 1") {
      val bytes = golden(s"delta-${codec.name}.bin", SampleFiles.delta.encode(codec))
      assert(DeltaContent.decode(SampleFiles.DeltaName, bytes) == SampleFiles.delta)
      // What LZF's library writes depends on what its thread has compressed before.
      if (codec == Codec.Lzf)
        assert(DeltaContent.decode(SampleFiles.DeltaName, SampleFiles.delta.encode(codec)) == SampleFiles.delta)
      else assert(SampleFiles.delta.encode(codec).sameElements(bytes))
    }
  }

  test("an empty delta is read and written as in format version 1") {
    val bytes = golden("delta-empty.bin", SampleFiles.emptyDelta.encode(Codec.Lz4))
    assert(DeltaContent.decode("1.delta", bytes) == SampleFiles.emptyDelta)
    assert(SampleFiles.emptyDelta.encode(Codec.Lz4).sameElements(bytes))
  }

  test("a snapshot's manifest is read and written as in format version 1") {
    val bytes = golden("snapshot.bin", SampleFiles.manifest.encode)
    assert(SnapshotManifest.decode(SampleFiles.SnapshotName, bytes) == SampleFiles.manifest)
    assert(SampleFiles.manifest.encode.sameElements(bytes))
  }

  test("a delta and a manifest of rows that are not plain are read and written as in format version 2") {
    val delta = golden("delta-none.bin", SampleFiles.deltaWithLayout.encode(Codec.Uncompressed), "v2")
    assert(DeltaContent.decode(SampleFiles.DeltaName, delta) == SampleFiles.deltaWithLayout)
    assert(SampleFiles.deltaWithLayout.encode(Codec.Uncompressed).sameElements(delta))
    val manifest = golden("snapshot.bin", SampleFiles.manifestWithLayout.encode, "v2")
    assert(SnapshotManifest.decode(SampleFiles.SnapshotName, manifest) == SampleFiles.manifestWithLayout)
    assert(SampleFiles.manifestWithLayout.encode.sameElements(manifest))
  }
}
