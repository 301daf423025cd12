package org.apache.spark.sql.execution.streaming.state.rockstate

import io.rockstate.versions.StateVersion

/** A version of a store for reading. It ends with its task, unless a write store has taken its session over. */
private[rockstate] final class RockStateReadStore(context: StoreContext, session: StoreSession)
    extends SessionReads(context, session) {
  @volatile private var isHandedOver = false

  /** The session, for a write store of the same provider to go on with; none if it has ended or stands for another version. */
  def handOver(to: StoreContext, version: StateVersion): Option[StoreSession] = synchronized {
    val fits = (to eq context) && session.isOpen && session.base == version
    isHandedOver = isHandedOver || fits
    Option.when(fits)(session)
  }

  override def release(): Unit = synchronized(if (!isHandedOver) session.release())

  override def abort(): Unit = synchronized(if (!isHandedOver) session.abort())

  override def toString: String = s"RockStateReadStore[stateStoreId=$id, version=$version]"
}
