package org.apache.spark.sql.execution.streaming.state.rockstate.conf

import org.apache.spark.sql.execution.streaming.state.{HDFSBackedStateStoreProvider, RocksDBStateStoreProvider}
import org.apache.spark.sql.internal.SQLConf

/** The public provider as confs and checkpoints name it. By name: the class itself is in the highest room, above those that ask for it. */
private[rockstate] object ProviderClass {
  val Name = "io.rockstate.RockStateStoreProvider"

  /** Whether a checkpoint that names `provider` is ours. */
  def isOurs(provider: String): Boolean = simple(provider) == simple(Name)

  /** Whether the names of a provider's files begin with their version, and tell which versions there are. */
  def hasVersionsInNames(provider: String): Boolean = isOurs(provider) || SparksOwn(provider)

  private val SparksOwn =
    Set(classOf[HDFSBackedStateStoreProvider].getName, classOf[RocksDBStateStoreProvider].getName)

  /** Whether a query with this conf keeps its state in Rockstate; after a restart that is what its offset log says. */
  def isIn(conf: SQLConf): Boolean = conf.getConf(SQLConf.STATE_STORE_PROVIDER_CLASS) == Name

  private def simple(name: String): String = name.split('.').last
}
