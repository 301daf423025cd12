package org.apache.spark.sql.execution.streaming.state.rockstate.provider

import java.util.UUID

import scala.concurrent.{Await, Future}
import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.duration.DurationInt

import org.apache.hadoop.conf.Configuration

import org.apache.spark.{SparkEnv, SparkException, TaskContext, TaskContextImpl, TaskKilledException}
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderConf
import org.apache.spark.sql.execution.streaming.state.rockstate.reports.OpenStores
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.test.SharedSparkSession
import org.apache.spark.util.Utils

/** A run that begins while the stores of the one before are still open. */
class EndedRunsSuite extends SharedSparkSession {
  import TestRows._

  test("a store of a run that has ended is closed, and leaves its database to the next run") {
    val id = newId()
    closing(begun(id)) { case (first, run) =>
      commit(first)
      end(run)
      closing(begun(id)) { case (second, _) => assert(warmRestarts(second) == 1) }
    }
  }

  test("one that is under maintenance is waited for") {
    val id = newId()
    closing(begun(id)) { case (first, run) =>
      commit(first)
      end(run)
      val second = held { () =>
        val maintaining = new Thread(() => first.doMaintenance())
        maintaining.start()
        eventually(timeout(30.seconds))(assert(maintaining.getState == Thread.State.BLOCKED))
        val second = Future(begun(id))
        Thread.sleep(300)
        assert(!second.isCompleted)
        second
      }
      closing(Await.result(second, 1.minute)) { case (second, _) => assert(warmRestarts(second) == 1) }
    }
  }

  test("one of a run that goes on is left alone") {
    val id = newId()
    closing(begun(id)) { case (first, _) =>
      commit(first)
      closing(begun(id)) { case (second, _) => assert(warmRestarts(second) == 0) }
      first.getStore(2).abort()
    }
  }

  test("one of a run that has moved it elsewhere, and may come back, is left alone by others") {
    val id = newId()
    closing(begun(id)) { case (first, run) =>
      commit(first)
      spark.streams.stateStoreCoordinator.reportActiveInstance(StateStoreProviderId(id, run), "there", "other", Nil)
      closing(begun(id)) { case (second, _) => assert(warmRestarts(second) == 0) }
      first.getStore(2).abort()
    }
  }

  test("what a task could not load is closed with it, unless a query has it") {
    def openAfter(hasEnded: Boolean): Int = closing(begun(newId())) { case (provider, run) =>
      val before = OpenStores.count
      if (hasEnded) end(run)
      inTask(_ => assertThrows[SparkException](provider.getStore(7)))
      OpenStores.count - before
    }
    closing(begun(newId()))(_ => assert(openAfter(hasEnded = true) == -1 && openAfter(hasEnded = false) == 0))
  }

  test("what a task could not load stays open for the next one where Spark unloads with each commit") {
    val id = StateStoreProviderId(newId(), UUID.randomUUID())
    val conf = confs()
    conf.setConf(SQLConf.STATE_STORE_UNLOAD_ON_COMMIT, true)
    def load(version: Long): StateStore = StateStore.get(
      id,
      keySchema,
      valueSchema,
      NoPrefixKeyStateEncoderSpec(keySchema),
      version,
      stateStoreCkptId = None,
      stateSchemaBroadcast = None,
      useColumnFamilies = false,
      new StateStoreConf(conf),
      RecordedFiles.configure(new Configuration)
    )
    try {
      inTask(_ => assertThrows[SparkException](load(7)))
      inTask(_ => assert(load(0).commit() == 1))
    } finally StateStore.unloadAll()
  }

  test("a task that was killed commits nothing") {
    closing(begun(newId())) { case (provider, _) =>
      inTask { task =>
        val store = provider.getStore(0)
        put(store, "a", 1, 1)
        task.markInterrupted("killed")
        assertThrows[TaskKilledException](store.commit())
        store.abort()
      }
      commit(provider)
    }
  }

  private def inTask(body: TaskContextImpl => Unit): Unit = {
    val task = TaskContext.empty()
    TaskContext.setTaskContext(task)
    try body(task)
    finally {
      TaskContext.unset()
      task.markTaskCompleted(None)
    }
  }

  private def confs(): SQLConf = {
    val conf = SQLConf.get.clone()
    conf.setConf(SQLConf.STATE_STORE_PROVIDER_CLASS, classOf[io.rockstate.RockStateStoreProvider].getName)
    conf.setConf(SQLConf.STATE_STORE_MIN_DELTAS_FOR_SNAPSHOT, 1)
    conf.setConfString(ProviderConf.warmRestartFolder.key, warmFolder)
    conf
  }

  private def newId(): StateStoreId =
    StateStoreId(s"${RecordedFiles.Scheme}://${Utils.createTempDir()}", operatorId = 0, partitionId = 0)

  /** Lets nothing read or write storage before `body` has ended. */
  private def held[A](body: () => A): A = RecordedFiles.synchronized(body())

  private def begun(store: StateStoreId): (StateStoreProvider, UUID) = {
    val run = UUID.randomUUID()
    val id = StateStoreProviderId(store, run)
    val provider = StateStoreProvider.createAndInit(
      id,
      keySchema,
      valueSchema,
      NoPrefixKeyStateEncoderSpec(keySchema),
      useColumnFamilies = false,
      new StateStoreConf(confs()),
      RecordedFiles.configure(new Configuration),
      useMultipleValuesPerKey = false,
      stateSchemaProvider = None
    )
    spark.streams.stateStoreCoordinator.reportActiveInstance(id, "here", SparkEnv.get.executorId, Nil)
    (provider, run)
  }

  private lazy val warmFolder = Utils.createTempDir().toPath.resolve("databases").toString

  private def closing[A](begun: (StateStoreProvider, UUID))(body: ((StateStoreProvider, UUID)) => A): A =
    try body(begun)
    finally begun._1.close()

  private def end(run: UUID): Unit = spark.streams.stateStoreCoordinator.deactivateInstances(run)

  /** Two versions, after which a snapshot is due. */
  private def commit(provider: StateStoreProvider): Unit = (0L to 1L).foreach { version =>
    val store = provider.getStore(version)
    (1 to 100).foreach(i => put(store, "a", i, i))
    store.commit()
  }

  private def warmRestarts(provider: StateStoreProvider): Long = {
    val store = provider.getStore(2)
    store.abort()
    store.metrics.customMetrics.collectFirst { case (m, n) if m.name == "rockstateWarmRestarts" => n }.get
  }
}
