package org.apache.spark.sql.execution.streaming.state.rockstate.errors

import java.util.UUID

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{Path, RawLocalFileSystem}

import org.apache.spark.SparkException
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.provider.{ProviderTest, StoreProvider, TestRows}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.StreamExecution
import org.apache.spark.util.Utils

/** Commits that storage refuses. */
class CommitFailureSuite extends ProviderTest {
  import CommitFailureSuite._
  import TestRows._

  private def onRefusingStorage(body: StoreProvider => Unit): Unit = {
    val id = StateStoreId(s"$scheme://${Utils.createTempDir()}", operatorId = 0, partitionId = 3)
    val hadoopConf = new Configuration
    hadoopConf.set(s"fs.$scheme.impl", classOf[RefusesRenames].getName)
    hadoopConf.set(StreamExecution.RUN_ID_KEY, UUID.randomUUID().toString)
    val provider = new StoreProvider
    val spec = NoPrefixKeyStateEncoderSpec(keySchema)
    provider.init(id, keySchema, valueSchema, spec, useColumnFamilies = false, StateStoreConf.empty, hadoopConf)
    closing(provider)(body)
  }

  test(
    "a commit whose rename fails is Spark's CANNOT_COMMIT, names store and cause, and has our remedy in its message"
  ) {
    onRefusingStorage { provider =>
      val store = provider.getStore(0)
      put(store, "a", 0, 0)
      val failure = intercept[SparkException](store.commit())
      assert(failure.getCondition == "CANNOT_WRITE_STATE_STORE.CANNOT_COMMIT")
      Seq("RockstateRocksDBStateStore", "operatorId=0", "partitionId=3", "Error writing state store files", "1.delta")
        .foreach { text =>
          assert(failure.getMessage.contains(text))
        }
      assert(failure.getCause.getMessage.contains("Failed to rename"))
      assert(!store.hasCommitted)
    }
  }

  test(
    "a commit without memory fails the task and not the executor, which Spark ends if it finds that among the causes"
  ) {
    onRefusingStorage { provider =>
      val store = provider.getStore(0)
      put(store, "a", 0, 0)
      RefusesRenames.refusal = () => throw new OutOfMemoryError("Java heap space")
      val failure =
        try intercept[SparkException](store.commit())
        finally RefusesRenames.refusal = () => false
      assert(failure.getMessage.contains("no memory left to commit: Java heap space"))
      assert(failure.getMessage.contains("spark.executor.memory"))
      assert(!causes(failure).exists(_.isInstanceOf[OutOfMemoryError]))
      store.abort()
      assert(rowsOf(provider.getStore(0)).isEmpty)
    }
  }

  test("after a failed commit a store refuses everything but abort, and the version can be tried again") {
    onRefusingStorage { provider =>
      val store = provider.getStore(0)
      put(store, "a", 0, 0)
      intercept[SparkException](store.commit())
      intercept[StateStoreOperationOutOfOrder](put(store, "a", 0, 1))
      intercept[StateStoreOperationOutOfOrder](store.commit())
      store.abort()
      store.abort()
      assert(rowsOf(provider.getStore(0)).isEmpty)
    }
  }
}

object CommitFailureSuite {
  private val scheme = s"refusing${UUID.randomUUID().toString.take(8)}"

  class RefusesRenames extends RawLocalFileSystem {
    override def getUri: java.net.URI = java.net.URI.create(s"$scheme:///")
    override def rename(from: Path, to: Path): Boolean = RefusesRenames.refusal()
  }

  object RefusesRenames {
    @volatile var refusal: () => Boolean = () => false
  }

  def causes(of: Throwable): Vector[Throwable] = Iterator.iterate(of)(_.getCause).takeWhile(_ != null).toVector
}
