package org.apache.spark.sql.execution.streaming.state.rockstate.conf

import java.nio.file.Path
import java.util.Locale

import org.apache.spark.sql.execution.streaming.state.StateStoreConf
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.{CleanUpLimit, RowChecksum}
import org.apache.spark.sql.internal.SQLConf

import io.rockstate.engine.api.EngineSettings
import io.rockstate.errors.Misuse
import io.rockstate.format.wire.Codec
import io.rockstate.versions.RowLayout

/** What a provider is told by Spark's own state store confs and by ours.
  *
  * @param memory    of all stores in this JVM together
  * @param keptBytes of databases on local disk that closed stores leave for the next to open them
  * @param keptIn    where they are; Spark's local folder if it is not said
  */
private[rockstate] final case class ProviderConf(
    memory: MemoryAsked,
    keptBytes: Long,
    keptIn: Option[Path],
    engine: EngineSettings
)

private[rockstate] object ProviderConf {
  val Prefix = "spark.sql.streaming.stateStore.rockstate."

  val memoryBudget: ConfEntry[Option[Long]] = ConfEntry.bytesUnless(
    "memoryBudget",
    default = "auto",
    example = "512m",
    atLeast = "16m",
    "Memory that all stores of one JVM share: native (block cache and write buffers) and heap (change layers and read cache); " +
      "the first query's value holds for the JVM's life. auto: half of the heap that spark.memory.fraction leaves, and half of an " +
      "executor's memory overhead; at least 384 MB of heap, of a small one a quarter, and 256 MB of overhead."
  )

  val heapShare: ConfEntry[Option[Int]] = ConfEntry.wholeUnless(
    "heapShare",
    default = "auto",
    0 to 90,
    unit = "percent",
    "Part of the memory budget that is the JVM's heap, of a small heap no more than a quarter; 0 switches change layers and read cache " +
      "off. auto: three quarters of a budget in bytes, half of less than 64m."
  )

  val fetchThreads: ConfEntry[Int] = ConfEntry.whole(
    "fetchThreads",
    default = 8,
    1 to 64,
    unit = "count",
    "Files that one store fetches or uploads at a time when it recovers or uploads a snapshot."
  )

  val warmRestartDisk: ConfEntry[Long] = ConfEntry.bytes(
    "warmRestartDisk",
    default = "10g",
    atLeast = "0",
    "Disk on each machine for the databases of stores that were closed: one that is opened again there goes on from its own instead of " +
      "fetching its state. The oldest goes first, and each after a day; 0 switches this off."
  )

  val warmRestartFolder: ConfEntry[Option[Path]] = ConfEntry.folder(
    "warmRestartFolder",
    default = "auto",
    "Where these databases are: a folder on each machine's own disk, which is made for this user alone; auto is in Spark's local folder, " +
      "which cluster managers delete when an application ends."
  )

  /** Every option there is. */
  val entries: Seq[ConfEntry[_]] = Seq(memoryBudget, heapShare, fetchThreads, warmRestartDisk, warmRestartFolder)

  /** Reads and checks all options; `Misuse` or `Unsupported` if one is unknown or invalid. */
  def apply(conf: StateStoreConf): ProviderConf = {
    OptionNames.refuseUnknown(conf.sqlConfs.keys)
    val own = ownSettings(conf.sqlConfs)
    val settings = EngineSettings(
      checkpointIds = conf.enableStateStoreCheckpointIds,
      codec = codecFor(conf.compressionCodec),
      minDeltasForSnapshot = conf.minDeltasForSnapshot,
      minVersionsToRetain = conf.minVersionsToRetain,
      minVersionsToDelete = conf.minVersionsToDelete,
      maxVersionsToDelete = CleanUpLimit.of(conf),
      fetchThreads = fetchThreads.read(own),
      rowLayout = RowLayout(RowChecksum.layout(conf))
    )
    ProviderConf(
      memoryAsked(own),
      warmRestartDisk.read(own),
      warmRestartFolder.read(own),
      settings
    )
  }

  /** The same for a session, on the driver: Spark hands only some of a session's confs to providers, and a key that is written in another
    * way would have no effect.
    */
  def ofSession(conf: SQLConf): ProviderConf = {
    OptionNames.refuseUnknown(conf.getAllConfs.keys)
    apply(new StateStoreConf(conf))
  }

  private def memoryAsked(own: Map[String, String]): MemoryAsked = {
    val asked = MemoryAsked(memoryBudget.read(own), heapShare.read(own))
    if (asked.budgetBytes.isEmpty && asked.heapSharePercent.exists(_ != 0))
      throw new Misuse(
        s"${heapShare.key} is a part of ${memoryBudget.key}, which is ${memoryBudget.default}",
        s"Set ${memoryBudget.key} to a size such as 2g, or unset ${heapShare.key}."
      )
    asked
  }

  /** Our options without their prefix, names in lower case: SQLConf's keys match whatever their case. */
  private def ownSettings(confs: Map[String, String]): Map[String, String] = {
    val prefix = lower(Prefix)
    confs.collect { case (key, value) if lower(key).startsWith(prefix) => lower(key).stripPrefix(prefix) -> value }
  }

  /** Spark's short codec names, and its codec classes, as ours. */
  private def codecFor(sparkCodec: String): String =
    Codec.byName(lower(sparkCodec).split('.').last.stripSuffix("compressioncodec")).name

  private def lower(text: String): String = text.toLowerCase(Locale.ROOT)
}
