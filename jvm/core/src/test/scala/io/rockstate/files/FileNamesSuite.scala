package io.rockstate.files

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

import io.rockstate.errors.Misuse
import io.rockstate.versions.StateVersion

class FileNamesSuite extends AnyFunSuite with ScalaCheckPropertyChecks {

  private val checkpointIds: Gen[String] =
    Gen.oneOf(
      Gen.uuid.map(_.toString),
      Gen.choose(1, 128).flatMap(Gen.stringOfN(_, Gen.oneOf(Gen.alphaNumChar, Gen.oneOf('_', '-'))))
    )
  private val versions: Gen[StateVersion] = for {
    version <- Gen.oneOf(Gen.choose(1L, 100L), Gen.choose(1L, Long.MaxValue))
    id <- Gen.option(checkpointIds)
  } yield StateVersion(version, id)

  test("names read as the design writes them") {
    assert(FileNames.delta(StateVersion(17)) == "17.delta")
    assert(FileNames.delta(StateVersion(17, Some("ab-1"))) == "17_ab-1.delta")
    assert(FileNames.snapshot(StateVersion(20)) == "20.snapshot")
    assert(FileNames.snapshot(StateVersion(20, Some("ab-1"))) == "20_ab-1.snapshot")
  }

  test("every name that is built parses back to what it was built from") {
    forAll(versions) { version =>
      assert(FileNames.parse(FileNames.delta(version)).contains(DeltaName(version)))
      assert(FileNames.parse(FileNames.snapshot(version)).contains(SnapshotName(version)))
    }
  }

  test("whatever parses is built back to the very same name") {
    val pieces = Gen.oneOf(
      "0",
      "1",
      "07",
      "17",
      "_",
      "-",
      "a",
      ".",
      "delta",
      "snapshot",
      ".delta",
      ".snapshot",
      "/",
      "..",
      " ",
      "\n",
      "١"
    )
    forAll(Gen.listOf(pieces).map(_.mkString)) { name =>
      FileNames.parse(name).foreach(file => assert(file.name == name))
    }
  }

  test("names that are not ours are left alone") {
    val foreign = Seq(
      "",
      "delta",
      ".delta",
      "17",
      "17.zip",
      "17.delta.crc",
      ".17.delta.crc",
      "17.delta.tmp",
      "017.delta",
      "0.delta",
      "0.snapshot",
      "-1.delta",
      "+1.delta",
      "17_.delta",
      "17_a.b.delta",
      "17_a/b.delta",
      "1 7.delta",
      "17.DELTA",
      "17.delta\n",
      "\n17.delta",
      "x17.delta",
      "sst/17.delta",
      "../17.delta",
      "17_ä.delta",
      "١٧.delta",
      "9223372036854775808.delta",
      "17.snapshot2",
      "_metadata",
      "sst"
    )
    foreign.foreach(name => assert(FileNames.parse(name).isEmpty, name))
  }

  test("a version or checkpoint id that no name can carry is refused") {
    Seq(
      StateVersion.Empty,
      StateVersion(-1),
      StateVersion(1, Some("")),
      StateVersion(1, Some("a/b")),
      StateVersion(1, Some(".."))
    )
      .foreach { version =>
        intercept[Misuse](FileNames.delta(version))
        intercept[Misuse](FileNames.snapshot(version))
      }
  }

  test("new table files have names of their own in the table folder") {
    val names = Seq.fill(100)(FileNames.newTableFile())
    assert(names.distinct.size == 100)
    assert(names.forall(FileNames.isTableFileName))
    assert(names.forall(name => FileNames.inTableFolder(name.drop("sst/".length)) == name))
  }

  test("a table file's name cannot lead out of the table folder") {
    val hostile = Seq(
      "",
      "sst",
      "sst/",
      "ab.sst",
      "/sst/ab.sst",
      "../sst/ab.sst",
      "sst/../ab.sst",
      "sst/../../x.sst",
      "sst/a/b.sst",
      "sst//ab.sst",
      "SST/ab.sst",
      "sst\\ab.sst",
      "sst/..\\ab.sst",
      "file:/sst/ab.sst",
      "s3://bucket/sst/ab.sst",
      "sst/ab.sst/",
      "sst/ab.sst\n",
      "sst/.sst",
      "sst/..sst",
      "sst/a b.sst",
      "sst/ab.sst?x",
      "sst/%2e%2e.sst",
      "sst/ab.delta",
      "./sst/ab.sst",
      "log/ab.sst",
      s"sst/${"a" * 129}.sst",
      "sst/a\u0000.sst"
    )
    hostile.foreach(name => assert(!FileNames.isTableFileName(name), name))
    assert(FileNames.isTableFileName("sst/0aZ-9.sst"))
  }

  test("only names inside the folder may be used") {
    Seq("1.delta", "sst/a.sst", "a/b/c", "_x").foreach(FileNames.requireInside)
    Seq(
      "",
      "/a",
      "a/",
      "a//b",
      ".",
      "..",
      "../a",
      "a/..",
      "a/../b",
      ".a",
      "a/.b",
      "a\\b",
      "c:/a",
      "file:a",
      "a\nb",
      "a b"
    ).foreach { name =>
      withClue(name)(intercept[Misuse](FileNames.requireInside(name)))
    }
  }
}
