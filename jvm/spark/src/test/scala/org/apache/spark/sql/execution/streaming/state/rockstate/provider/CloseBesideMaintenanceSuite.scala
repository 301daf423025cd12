package org.apache.spark.sql.execution.streaming.state.rockstate.provider

import java.net.URI
import java.util.concurrent.{CountDownLatch, FutureTask}
import java.util.concurrent.TimeUnit.SECONDS

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.execution.streaming.state.StateStoreId
import org.apache.spark.util.Utils

import io.rockstate.localfiles.RawLocalFilesInProcess
import io.rockstate.testkit.ClosesHandles

/** A store that is closed while a snapshot of it is on its way to storage. */
class CloseBesideMaintenanceSuite extends ProviderTest with ClosesHandles {

  override protected def newHadoopConf(): Configuration = {
    val conf = new Configuration
    conf.set("fs.slow.impl", classOf[SlowTables].getName)
    conf
  }

  test("closing a store waits for no upload: that goes on, and lets go of the store at its end") {
    val id = StateStoreId(s"slow://${Utils.createTempDir()}", operatorId = 0, partitionId = 3)
    val provider =
      initialized(new StoreProvider, id, Map("spark.sql.streaming.stateStore.minDeltasForSnapshot" -> "1"))
    commit(provider, 0, ("a", 1) -> 1)
    commit(provider, 1, ("b", 2) -> 2)
    val maintenance = started(provider.doMaintenance())
    try {
      assert(SlowTables.isWriting.await(20, SECONDS))
      started(provider.close()).get(20, SECONDS)
      provider.close()
      provider.doMaintenance()
      assert(!maintenance.isDone && openedHere > 0)
    } finally SlowTables.goesOn.countDown()
    maintenance.get(20, SECONDS)
    assert(openedHere == 0)
    assert(filesOf(id).exists(_.endsWith(".snapshot")))
  }

  private def started(body: => Unit): FutureTask[Unit] = {
    val task = new FutureTask[Unit](() => body)
    new Thread(task).start()
    task
  }
}

private object SlowTables {
  val isWriting, goesOn = new CountDownLatch(1)
}

/** Local files of which table files are not there before it is said that they may be. */
class SlowTables extends RawLocalFilesInProcess {
  override def getUri: URI = URI.create("slow:///")

  override def rename(from: Path, to: Path): Boolean = {
    if (to.getName.endsWith(".sst")) {
      SlowTables.isWriting.countDown()
      SlowTables.goesOn.await()
    }
    super.rename(from, to)
  }
}
