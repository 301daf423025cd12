package org.apache.spark.sql.execution.streaming.state.rockstate.provider

import java.io.{IOException, UncheckedIOException}
import java.nio.channels.ClosedByInterruptException
import java.nio.file.{Path, Paths}
import java.util.concurrent.TimeUnit.MINUTES

import scala.collection.mutable

import org.apache.spark.SparkConf
import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.streaming.state.StateStoreId
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderConf
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.LocalFolders
import org.apache.spark.util.Utils

import io.rockstate.folders.{MachineFolders, OpenToOthers, StoreFolder}

/** Where stores have their databases: in folders that the next to open the store finds again, or in ones that go with the JVM. */
private[provider] object LocalStores extends Logging {

  /** Raised whenever what is in a database comes to mean something else: it is not found then. */
  private val DatabaseFormat = 1

  /** Below the folder that is named or Spark's: several users may share that one, and it may be no one's own, as a mount point is. */
  private val UsersFolder = s"rockstate-${System.getProperty("user.name")}"

  /** A disk that is full now may have room later, but not every store is to find out. */
  private val RetryNanos = MINUTES.toNanos(1)

  private val machines = mutable.Map.empty[(Path, Long), MachineFolders]
  private val failures = mutable.Map.empty[(Path, Long), Long] // when, in nanoseconds

  /** What tells a store's folder from all others, with what its rows depend on beside their schema. */
  def keyOf(location: String, options: ProviderConf): String =
    (Vector(location, s"format $DatabaseFormat") ++ options.engine.rowLayout.confs).mkString("\n")

  def open(conf: SparkConf, options: ProviderConf, id: StateStoreId, key: String): StoreFolder =
    try machine(conf, options, key).fold(passing(conf, id))(_.open(key))
    catch {
      case e @ (_: IOException | _: UncheckedIOException) =>
        logWarning(s"The local database of $id cannot be kept for a restart", e)
        passing(conf, id)
    }

  /** Where Spark has several disks, each has its share of the stores, always the same. */
  private def machine(conf: SparkConf, options: ProviderConf, key: String): Option[MachineFolders] =
    if (options.keptBytes == 0) None
    else {
      val places = options.keptIn.fold(localFolders(conf))(Seq(_))
      val place = places(Math.floorMod(key.hashCode, places.size))
      val share = options.keptBytes / places.size
      val isSparks = options.keptIn.isEmpty
      synchronized(machines.get((place, share)).orElse(started(place, share, isSparks)))
    }

  private def localFolders(conf: SparkConf): Seq[Path] =
    Utils.getConfiguredLocalDirs(conf).toSeq.map(Paths.get(_))

  private def started(place: Path, keptBytes: Long, isSparks: Boolean): Option[MachineFolders] =
    if (failures.get((place, keptBytes)).exists(System.nanoTime() - _ < RetryNanos)) None
    else
      try {
        val folders =
          try MachineFolders.in(place.resolve(UsersFolder), keptBytes)
          catch { case e: OpenToOthers if isSparks => ofThisProcess(place, keptBytes, e) }
        machines((place, keptBytes)) = folders
        Some(folders)
      } catch {
        case e: IOException =>
          if (!e.isInstanceOf[ClosedByInterruptException]) failures((place, keptBytes)) = System.nanoTime()
          logWarning(
            s"Local databases are not kept for restarts; ${ProviderConf.warmRestartFolder.key} can name another folder than $place, and " +
              s"${ProviderConf.warmRestartDisk.key}=0 says that none are wanted",
            e
          )
          None
      }

  /** Spark's own folder may be one that all may write to, as a pod's is: the next process finds nothing there, but this one does. */
  private def ofThisProcess(place: Path, keptBytes: Long, why: OpenToOthers): MachineFolders = {
    logInfo(s"Local databases are kept for restarts in this process only: ${why.getMessage}")
    val folder = Utils.createTempDir(place.toString, "rockstate").toPath
    StoreFolder.closeToOthers(folder)
    MachineFolders.in(folder.resolve(UsersFolder), keptBytes)
  }

  private def passing(conf: SparkConf, id: StateStoreId): StoreFolder = {
    val folder = LocalFolders.make(conf, s"rockstate-${id.operatorId}-${id.partitionId}-${id.storeName}")
    StoreFolder.closeToOthers(folder.toPath)
    new StoreFolder {
      override def path: Path = folder.toPath
      override def isKept: Boolean = false
      override def keep(): Unit = delete()
      override def putBack(): Unit = delete()
      override def delete(): Unit = Utils.deleteRecursively(folder)
    }
  }
}
