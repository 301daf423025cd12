package org.apache.spark.sql.execution.streaming.state.rockstate.provider

import java.io.IOException
import java.nio.file.{Path, Paths}

import scala.collection.mutable

import org.apache.spark.SparkConf
import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.streaming.state.StateStoreId
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderConf
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.LocalFolders
import org.apache.spark.util.Utils

import io.rockstate.folders.{MachineFolders, StoreFolder}

/** Where stores have their databases: in folders that the next to open the store finds again, or in ones that go with the JVM. */
private[provider] object LocalStores extends Logging {

  /** Raised whenever what is in a database comes to mean something else: it is not found then. */
  private val DatabaseFormat = 1

  private val machines = mutable.Map.empty[(Path, Long), Option[MachineFolders]]

  /** What tells a store's folder from all others, with what its rows depend on beside their schema. */
  def keyOf(location: String, options: ProviderConf): String =
    (Vector(location, s"format $DatabaseFormat") ++ options.engine.rowLayout.confs).mkString("\n")

  def open(conf: SparkConf, options: ProviderConf, id: StateStoreId, key: String): StoreFolder =
    try machine(conf, options, key).fold(passing(conf, id))(_.open(key))
    catch {
      case e: IOException =>
        logWarning(s"The local database of $id cannot be kept for a restart", e)
        passing(conf, id)
    }

  /** Where Spark has several disks, each has its share of the stores, always the same. */
  private def machine(conf: SparkConf, options: ProviderConf, key: String): Option[MachineFolders] =
    if (options.keptBytes == 0) None
    else {
      val roots = options.keptIn.fold(inLocalFolders(conf))(Seq(_))
      val root = roots(Math.floorMod(key.hashCode, roots.size))
      val share = options.keptBytes / roots.size
      synchronized(machines.getOrElseUpdate((root, share), started(root, share)))
    }

  private def inLocalFolders(conf: SparkConf): Seq[Path] =
    Utils.getConfiguredLocalDirs(conf).toSeq.map(Paths.get(_, s"rockstate-${System.getProperty("user.name")}"))

  private def started(root: Path, keptBytes: Long): Option[MachineFolders] =
    try Some(MachineFolders.in(root, keptBytes))
    catch {
      case e: IOException =>
        logWarning(
          s"Local databases are not kept for restarts; ${ProviderConf.warmRestartFolder.key} can name another folder than $root, and " +
            s"${ProviderConf.warmRestartDisk.key}=0 says that none are wanted",
          e
        )
        None
    }

  private def passing(conf: SparkConf, id: StateStoreId): StoreFolder = {
    val folder = LocalFolders.make(conf, s"rockstate-${id.operatorId}-${id.partitionId}-${id.storeName}")
    new StoreFolder {
      override def path: Path = folder.toPath
      override def isKept: Boolean = false
      override def keep(): Unit = delete()
      override def putBack(): Unit = delete()
      override def delete(): Unit = Utils.deleteRecursively(folder)
    }
  }
}
