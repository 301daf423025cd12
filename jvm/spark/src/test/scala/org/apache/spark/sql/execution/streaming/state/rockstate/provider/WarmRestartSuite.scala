package org.apache.spark.sql.execution.streaming.state.rockstate.provider

import java.io.File
import java.nio.file.{Files, Path, Paths}
import java.nio.file.attribute.PosixFilePermissions

import scala.jdk.CollectionConverters._

import org.apache.spark.SparkConf
import org.apache.spark.sql.execution.streaming.state.{StateStoreConf, StateStoreId}
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderConf
import org.apache.spark.util.Utils

import io.rockstate.errors.Misuse

/** Providers that find what an earlier one on their machine has left. */
class WarmRestartSuite extends ProviderTest {
  private val machine = Utils.createTempDir().toPath
  private val warm: Settings =
    Map(ProviderConf.warmRestartDisk.key -> "1g", ProviderConf.warmRestartFolder.key -> machine.resolve("a").toString)

  test("a provider goes on from what the one before it on this machine left") {
    val id = newId()
    withProvider(id, warm)(commit(_, 0, ("a", 1) -> 1))
    withProvider(id, warm) { provider =>
      assert(figures(provider, 1) == (1, 0))
      commit(provider, 1, ("b", 2) -> 2)
    }
    withProvider(id, warm)(provider => assert(rowsAt(provider, 2) == Set(("a", 1) -> 1, ("b", 2) -> 2)))
  }

  test("it does without storage's deltas") {
    val id = newId()
    withProvider(id, warm)(provider => (0L until 3L).foreach(commit(provider, _, ("a", 1) -> 1)))
    Files.delete(folderOf(id).resolve("2.delta"))
    withProvider(id, warm)(provider => assert(rowsAt(provider, 3) == Set(("a", 1) -> 1)))
  }

  test("a version that storage lost is not there, whatever the disk has") {
    val id = newId()
    withProvider(id, warm)(provider => (0L until 3L).foreach(commit(provider, _, ("a", 1) -> 1)))
    Files.delete(folderOf(id).resolve("3.delta"))
    withProvider(id, warm)(provider => intercept[Exception](provider.getStore(3)))
    withProvider(id, warm)(provider => assert(rowsAt(provider, 2) == Set(("a", 1) -> 1)))
  }

  test("a checkpoint that was begun anew under the same name has nothing of the one before") {
    val id = newId()
    withProvider(id, warm)(commit(_, 0, ("a", 1) -> 1))
    Utils.deleteRecursively(new File(id.checkpointRootLocation))
    withProvider(id, warm)(commit(_, 0, ("b", 2) -> 2))
    withProvider(id, warm)(provider => assert(rowsAt(provider, 1) == Set(("b", 2) -> 2)))
  }

  test("another partition, another store, and another folder of databases find nothing") {
    val id = newId()
    withProvider(id, warm)(commit(_, 0, ("a", 1) -> 1))
    val elsewhere = warm + (ProviderConf.warmRestartFolder.key -> machine.resolve("b").toString)
    withProvider(id, elsewhere)(provider => assert(figures(provider, 1)._1 == 0))
    val other = id.copy(partitionId = id.partitionId + 1)
    withProvider(other, warm)(commit(_, 0, ("b", 2) -> 2))
    withProvider(other, warm)(provider => assert(rowsAt(provider, 1) == Set(("b", 2) -> 2)))
  }

  test("two providers at a time have each a database, and the later to close leaves its own") {
    val id = newId()
    withProvider(id, warm)(commit(_, 0, ("a", 1) -> 1))
    withProvider(id, warm) { first =>
      withProvider(id, warm) { second =>
        assert(figures(first, 1)._1 == 1 && figures(second, 1)._1 == 0)
        commit(second, 1, ("b", 2) -> 2)
      }
    }
    withProvider(id, warm)(provider => assert(rowsAt(provider, 2) == Set(("a", 1) -> 1, ("b", 2) -> 2)))
  }

  test("switched off, nothing is left and nothing found") {
    val id = newId()
    val off = warm + (ProviderConf.warmRestartDisk.key -> "0")
    withProvider(id, warm)(commit(_, 0, ("a", 1) -> 1))
    withProvider(id, off) { provider =>
      assert(figures(provider, 1)._1 == 0)
      val folder = Utils.getLocalDir(new SparkConf)
      val ours = Files
        .walk(Paths.get(folder))
        .filter(_.getFileName.toString.startsWith(s"rockstate-${id.operatorId}-${id.partitionId}-"))
      val permissions =
        ours.iterator.asScala.map(path => PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
      assert(permissions.toSet == Set("rwx------"))
    }
  }

  test("a folder that all may write to is not used, and the query runs all the same") {
    val open = Files.createDirectory(machine.resolve("open"))
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"))
    val id = newId()
    val settings = warm + (ProviderConf.warmRestartFolder.key -> open.toString)
    withProvider(id, settings)(commit(_, 0, ("a", 1) -> 1))
    withProvider(id, settings)(provider => assert(figures(provider, 1)._1 == 0))
    assert(open.toFile.list().isEmpty)
  }

  test("in a folder of Spark's that all may write to, this process has one of its own") {
    val pods = Files.createDirectory(machine.resolve("pods"))
    Files.setPosixFilePermissions(pods, PosixFilePermissions.fromString("rwxrwxrwx"))
    val conf = new SparkConf(false).set("spark.local.dir", pods.toString)
    val options = ProviderConf(StateStoreConf.empty)
    def open() = LocalStores.open(conf, options, newId(), "a store")
    val first = open()
    assert(first.isKept)
    Files.writeString(first.path.resolve("left"), "")
    first.keep()
    val second = open()
    assert(Files.exists(second.path.resolve("left")))
    second.delete()
    val ours = pods.toFile.listFiles().map(_.toPath).toSeq
    assert(ours.map(Files.getPosixFilePermissions(_)).map(PosixFilePermissions.toString) == Seq("rwx------"))
  }

  test("a folder that a group shares is used: each user has one in it that nobody else may enter") {
    val shared = Files.createDirectory(machine.resolve("shared"))
    Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxr-x"))
    val id = newId()
    val settings = warm + (ProviderConf.warmRestartFolder.key -> shared.toString)
    withProvider(id, settings)(commit(_, 0, ("a", 1) -> 1))
    withProvider(id, settings)(provider => assert(figures(provider, 1) == (1, 0)))
    val ours = shared.toFile.listFiles().map(_.toPath).toSeq
    assert(ours.map(_.getFileName.toString) == Seq(s"rockstate-${System.getProperty("user.name")}"))
    assert(PosixFilePermissions.toString(Files.getPosixFilePermissions(ours.head)) == "rwx------")
  }

  test("a path that is not absolute is refused with the conf's name") {
    val refusal =
      intercept[Misuse](withProvider(settings = warm + (ProviderConf.warmRestartFolder.key -> "here"))(_ => ()))
    assert(refusal.getMessage.contains(ProviderConf.warmRestartFolder.key) && refusal.getMessage.contains("absolute"))
  }

  private def folderOf(id: StateStoreId): Path = new File(id.storeCheckpointLocation().toUri.getPath).toPath

  private def rowsAt(provider: StoreProvider, version: Long): Set[((String, Int), Int)] = {
    val store = provider.getReadStore(version)
    try rowsOf(store)
    finally store.abort()
  }

  /** Warm restarts, and bytes read of the checkpoint, for a store on `version`. */
  private def figures(provider: StoreProvider, version: Long): (Long, Long) = {
    val store = provider.getStore(version)
    store.abort()
    def metric(name: String) = store.metrics.customMetrics.collectFirst {
      case (m, value) if m.name == name => value
    }.get
    (metric("rockstateWarmRestarts"), metric("rockstateRecoveryBytesRead"))
  }
}
