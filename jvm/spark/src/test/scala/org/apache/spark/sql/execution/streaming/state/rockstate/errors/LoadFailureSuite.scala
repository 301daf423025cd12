package org.apache.spark.sql.execution.streaming.state.rockstate.errors

import java.io.File
import java.nio.file.Files
import java.util.UUID

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FSDataInputStream, Path, RawLocalFileSystem}

import org.apache.spark.SparkException
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.provider.ProviderTest
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.util.Utils

import io.rockstate.errors.{CorruptFile, NotFound, Unsupported}

/** What a version that cannot be loaded looks like to Spark and to the person who reads the error. */
class LoadFailureSuite extends ProviderTest {
  import LoadFailureSuite._

  override protected def newHadoopConf(): Configuration = {
    val conf = super.newHadoopConf()
    conf.set(s"fs.$tooLarge.impl", classOf[TooLarge].getName)
    conf
  }

  private def failureOf(provider: StateStoreProvider, version: Long): SparkException = {
    val write = intercept[SparkException](provider.getStore(version))
    val read = intercept[SparkException](provider.getReadStore(version, None))
    assert(read.getCondition == write.getCondition)
    write
  }

  test(
    "a missing version is Spark's CANNOT_READ_STREAMING_STATE_FILE with the file, our remedy in its message and our error behind it"
  ) {
    withProvider() { provider =>
      commit(provider, 0, ("a", 1) -> 1)
      val failure = failureOf(provider, 7)
      assert(failure.getCondition == "CANNOT_LOAD_STATE_STORE.CANNOT_READ_STREAMING_STATE_FILE")
      assert(failure.getMessageParameters.keySet.toString == "[fileToRead]")
      val cause = failure.getCause.asInstanceOf[NotFound]
      assert(failure.getMessage.contains("does not exist") && failure.getMessage.contains(cause.remedy))
      assert(failure.getMessage.contains("operator 0, partition 3, store default"))
      assert(rowsOf(provider.getStore(1)) == Set(("a", 1) -> 1))
    }
  }

  test("a negative version is Spark's UNEXPECTED_VERSION") {
    withProvider() { provider =>
      assert(failureOf(provider, -1).getCondition == "CANNOT_LOAD_STATE_STORE.UNEXPECTED_VERSION")
    }
  }

  test("a damaged delta is CANNOT_LOAD_STATE_STORE with the file and the remedy in its message") {
    val id = newId()
    withProvider(id)(commit(_, 0, ("a", 1) -> 1))
    val delta = new File(id.storeCheckpointLocation().toUri.getPath, "1.delta").toPath
    val bytes = Files.readAllBytes(delta)
    bytes(bytes.length / 2) = (bytes(bytes.length / 2) ^ 1).toByte
    Files.write(delta, bytes)
    withProvider(id) { provider =>
      val failure = failureOf(provider, 1)
      assert(failure.getCondition == "CANNOT_LOAD_STATE_STORE.UNCATEGORIZED")
      val cause = failure.getCause.asInstanceOf[CorruptFile]
      assert(failure.getMessage.contains("1.delta") && failure.getMessage.contains(cause.remedy))
      assert(failure.getMessage.contains("operator 0, partition 3, store default"))
    }
  }

  test("a JVM without memory to load it is CANNOT_LOAD_STATE_STORE, and not the end of the executor") {
    val folder = Utils.createTempDir().toString
    withProvider(StateStoreId(folder, operatorId = 0, partitionId = 3))(commit(_, 0, ("a", 1) -> 1))
    withProvider(StateStoreId(s"$tooLarge://$folder", operatorId = 0, partitionId = 3)) { provider =>
      val failure = failureOf(provider, 1)
      assert(failure.getCondition == "CANNOT_LOAD_STATE_STORE.UNCATEGORIZED")
      assert(failure.getMessage.contains("spark.executor.memory") && failure.getMessage.contains("Java heap space"))
      assert(!CommitFailureSuite.causes(failure).exists(_.isInstanceOf[OutOfMemoryError]))
    }
  }

  test("where state is lost the error says what is left, how to go back to it, and not to clear the checkpoint") {
    def failureAfter(harm: File => Unit): String = {
      val id = newId()
      withProvider(id)(provider => (0L until 3L).foreach(commit(provider, _, ("a", 1) -> 1)))
      harm(new File(id.storeCheckpointLocation().toUri.getPath, "3.delta"))
      withProvider(id)(failureOf(_, 3).getMessage)
    }
    Seq[File => Unit](_.delete(), file => Files.write(file.toPath, Array.fill[Byte](100)(7))).foreach { harm =>
      val message = failureAfter(harm)
      assert(message.contains("3.delta") && message.contains("are 1-2"), message)
      assert(message.contains("Do not clear the checkpoint") && message.contains("`rockstate rollback --dry-run`"))
    }
  }

  private val changelogs: Settings =
    Map("spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled" -> "true")

  private val codecs = Seq("lz4", "zstd", "snappy", "lzf")

  private val others: Seq[(String, () => StateStoreProvider, Settings)] =
    codecs.map { codec =>
      val settings = Map(SQLConf.STATE_STORE_COMPRESSION_CODEC.key -> codec)
      (s"HDFSBackedStateStoreProvider with $codec", () => new HDFSBackedStateStoreProvider, settings)
    } ++ Seq(
      ("RocksDBStateStoreProvider", () => new RocksDBStateStoreProvider, Map.empty[String, String]),
      ("RocksDBStateStoreProvider with changelogs", () => new RocksDBStateStoreProvider, changelogs)
    )

  others.foreach { case (name, newOther, settings) =>
    test(s"a checkpoint of Spark's $name is refused by name, never taken for empty") {
      val id = newId()
      closing(initialized(newOther(), id, settings)) { other =>
        (0L until 3L).foreach(version => commit(other, version, ("a", 1) -> version.toInt))
        other.doMaintenance()
      }
      val before = filesOf(id)
      withProvider(id) { provider =>
        val failure = failureOf(provider, 3)
        assert(failure.getCause.isInstanceOf[Unsupported], failure.getCause)
        assert(failure.getMessage.contains(name.takeWhile(_ != ' ')))
        assert(failure.getMessage.contains(SQLConf.STATE_STORE_PROVIDER_CLASS.key))
      }
      assert(filesOf(id) == before)
    }
  }
}

object LoadFailureSuite {
  private val tooLarge = s"large${UUID.randomUUID().toString.take(8)}"

  /** Files that no heap has room for. */
  class TooLarge extends RawLocalFileSystem {
    override def getUri: java.net.URI = java.net.URI.create(s"$tooLarge:///")
    override def open(file: Path, bufferSize: Int): FSDataInputStream = throw new OutOfMemoryError("Java heap space")
  }
}
