package org.apache.spark.sql.execution.streaming.state.rockstate.files

import java.nio.charset.StandardCharsets.UTF_8

import scala.util.{Failure, Success, Using}

import org.apache.hadoop.fs.Path
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.streaming.state.rockstate.shims.FileSystemBasedCheckpointFileManager
import org.apache.spark.sql.internal.SQLConf

import io.rockstate.errors.StateStoreException
import io.rockstate.files.RemoteFiles

/** Storage whose rename deletes the file that it replaces first, as Hadoop's default and S3A do: there is no moment without a file all the
  * same, whichever of a writer's calls is its last.
  */
class ReplacingFilesSuite extends ReplacingFiles("17.delta")

/** Two executors may store the same snapshot, one after the other. */
class ReplacingSnapshotsSuite extends ReplacingFiles("20_abc.snapshot")

abstract class ReplacingFiles(name: String) extends AnyFunSuite {
  import CutFiles._
  import ReplacingFiles._

  Seq("FileContext" -> Map.empty[String, String], "FileSystem" -> overFileSystem).foreach { case (interface, options) =>
    def files(folder: Path): RemoteFiles = new SparkRemoteFiles(folder, configuration(options))

    test(s"a writer that dies at any call leaves the old file or its own, over $interface") {
      val outcomes = Iterator.from(0).map(n => diedAt(n, files)).takeWhile(_.isDefined).flatten.toVector
      assert(outcomes.size >= 3 && outcomes.distinct.sorted == Vector("new", "old"))
    }

    Seq(AnswerLost, AskedTwice).foreach { fate =>
      test(
        s"a writer of which any call $fate leaves the old file or its own, and the next writer replaces it, over $interface"
      ) {
        val outcomes = Iterator
          .from(0)
          .map { n =>
            val folder = newFolder()
            write(files(folder), "old")
            val written = cut(n, fate)(write(files(folder), "new"))
            val wasMet = CutFiles.calls > n
            withClue(s"call $n: ") {
              assert(written.failed.toOption.forall(_.isInstanceOf[StateStoreException]))
              assert(names(files(folder)) == Seq(name))
              val there = read(files(folder))
              assert(there == "new" || (there == "old" && written.isFailure))
              write(files(folder), "newer")
              assert(read(files(folder)) == "newer" && names(files(folder)) == Seq(name))
            }
            wasMet
          }
          .takeWhile(identity)
          .toVector
        assert(outcomes.size >= 3)
      }
    }

    test(s"what a writer that died left behind is replaced and deleted like any other file, over $interface") {
      Iterator
        .from(0)
        .takeWhile { n =>
          val folder = newFolder()
          write(files(folder), "old")
          val died = cut(n, Gone)(write(files(folder), "new"))
          val later = files(folder)
          write(later, "newer")
          assert(read(files(folder)) == "newer" && names(later) == Seq(name))
          write(later, "newest")
          assert(read(files(folder)) == "newest" && names(later) == Seq(name))
          later.delete(name)
          assert(names(files(folder)).isEmpty)
          died.isFailure
        }
        .foreach(_ => ())
    }

    test(s"two writers that replace a file in turns leave the one that was last, over $interface") {
      val folder = newFolder()
      write(files(folder), "old")
      val (first, second) = (files(folder).create(name), files(folder).create(name))
      first.write("first".getBytes(UTF_8))
      second.write("second".getBytes(UTF_8))
      assert(!first.publishIfAbsent() && !second.publishIfAbsent() && read(files(folder)) == "old")
      second.publish()
      first.publish()
      assert(read(files(folder)) == "first" && names(files(folder)) == Seq(name))
    }

    test(s"an output that found its name taken leaves nothing behind when it is cancelled, over $interface") {
      val folder = newFolder()
      write(files(folder), "old")
      val output = files(folder).create(name)
      assert(!output.publishIfAbsent())
      output.cancel()
      assert(read(files(folder)) == "old" && everything(folder) == Seq(name))
    }
  }

  /** What is there after a writer could make `n` calls; None if it was done by then. */
  private def diedAt(n: Int, files: Path => RemoteFiles): Option[String] = {
    val folder = newFolder()
    write(files(folder), "old")
    cut(n, Gone)(write(files(folder), "new")) match {
      case Success(_) => None
      case Failure(_: StateStoreException) =>
        val left = withClue(s"call $n: ") {
          assert(names(files(folder)) == Seq(name))
          val start = Using.resource(files(folder).openUnmeasured(name))(_.stream.readNBytes(3))
          assert(new String(start, UTF_8) == read(files(folder)))
          read(files(folder))
        }
        withClue(s"call $n: ")(assert(files(folder).list("").map(_.length) == Seq(3L)))
        Some(left)
      case Failure(other) => throw other
    }
  }

  private def write(files: RemoteFiles, text: String): Unit = {
    val output = files.create(name)
    output.write(text.getBytes(UTF_8))
    output.publish()
  }

  private def read(files: RemoteFiles): String =
    Using.resource(files.open(name))(input => new String(input.stream.readAllBytes(), UTF_8))

  private def names(files: RemoteFiles): Seq[String] = files.list("").map(_.name)

  private def everything(folder: Path): Seq[String] =
    new java.io.File(folder.toUri.getPath).list().toSeq.filterNot(_.endsWith(".crc"))
}

private object ReplacingFiles {
  private val overFileSystem =
    Map(
      SQLConf.STREAMING_CHECKPOINT_FILE_MANAGER_CLASS.parent.key -> classOf[
        FileSystemBasedCheckpointFileManager
      ].getName
    )
}
