package io.rockstate.engine

import scala.collection.mutable

import io.rockstate.errors.{Conflict, Misuse}
import io.rockstate.history.StateVersion

/** The mutable state of an open store: the current database, the open transactions, the deltas being published. Every method is short
  * and waits for nothing but the others.
  */
private[engine] final class StoreState {
  private var currentDb: Option[LoadedDb] = None
  private var isClosed = false
  private val open = mutable.Set.empty[StoreTransaction]
  private val superseded = mutable.Set.empty[StoreTransaction]
  private val publishing = mutable.Set.empty[Publication]

  /** The database that new transactions start from, with a hold on it for the caller. */
  def current: Option[LoadedDb] = synchronized {
    requireOpen()
    currentDb.filter(loaded => !loaded.isBroken && loaded.retain())
  }

  def deltasSinceSnapshot: Long =
    synchronized(currentDb.fold(0L)(loaded => loaded.head.version - loaded.lastSnapshot.version))

  /** Takes note that a version is wanted: from now on, whoever is still writing on an older one is a zombie. */
  def asked(version: StateVersion): Unit = synchronized {
    requireOpen()
    superseded ++= open.filter(_.base.version < version.version)
  }

  def opened(transaction: StoreTransaction): Unit = synchronized(open += transaction)

  def ended(transaction: StoreTransaction): Unit = synchronized {
    open -= transaction
    superseded -= transaction
  }

  /** Makes `loaded` the current database. */
  def install(loaded: LoadedDb): Unit = replace(_ => true, loaded)

  /** Makes `loaded` the current database unless that one is ahead of it. */
  def installIfNewer(loaded: LoadedDb): Unit = {
    val version = loaded.head.version
    replace(_.head.version <= version, loaded)
  }

  /** Forgets `loaded`: it no longer stands for what is in storage. */
  def discard(loaded: LoadedDb): Unit = discardIf(_ eq loaded)

  /** Forgets the current database if it holds that version: another attempt's delta may have replaced the one it came from. */
  def discardVersion(version: Long): Unit = discardIf(_.head.version == version)

  /** Registers a commit that is about to publish its delta. Refuses a zombie's. */
  def startPublishing(transaction: StoreTransaction, file: String): Publication = synchronized {
    if (superseded(transaction)) {
      throw new Conflict(
        s"A later version was asked for since this transaction began on version ${transaction.base}: its batch was committed by another attempt",
        "Nothing was written. Abort this transaction; the task that runs it is a leftover of an earlier attempt.",
        Some(file),
        Some(transaction.base.version + 1)
      )
    }
    val publication = new Publication(file)
    publishing.filter(_.file == file).foreach { other =>
      other.overlaps = true
      publication.overlaps = true
    }
    publishing += publication
    publication
  }

  def finishPublishing(publication: Publication): Unit = synchronized(publishing -= publication)

  def close(): Unit = {
    val last = synchronized {
      isClosed = true
      val last = currentDb
      currentDb = None
      last
    }
    last.foreach(_.release())
  }

  private def discardIf(isObsolete: LoadedDb => Boolean): Unit = {
    val discarded = synchronized {
      val obsolete = currentDb.filter(isObsolete)
      if (obsolete.isDefined) currentDb = None
      obsolete
    }
    discarded.foreach(_.release())
  }

  /** Closing a database takes time: whoever is displaced is let go outside of the lock. */
  private def replace(mayDisplace: LoadedDb => Boolean, loaded: LoadedDb): Unit = {
    val displaced = synchronized {
      val before = currentDb
      if (isClosed || before.contains(loaded) || !before.forall(mayDisplace) || !loaded.retain()) None
      else {
        currentDb = Some(loaded)
        before
      }
    }
    displaced.foreach(_.release())
  }

  private def requireOpen(): Unit =
    if (isClosed)
      throw new Misuse("The store is closed", "Ask Spark for the provider again; this instance was unloaded.")
}

/** A delta on its way to storage. If another one of the same name was under way at any moment, which of them lasts is unknown. */
private[engine] final class Publication(val file: String) {
  @volatile var overlaps = false
}
