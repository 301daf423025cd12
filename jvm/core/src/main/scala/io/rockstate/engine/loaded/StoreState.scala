package io.rockstate.engine.loaded

import scala.collection.mutable

import io.rockstate.errors.{Conflict, Misuse}
import io.rockstate.versions.{CommittedVersion, StateVersion}

/** The mutable state of an open store: the current database, which versions were asked for, the deltas being published. Every method is short
  * and waits for nothing but the others.
  */
private[engine] final class StoreState {
  import StoreState._

  private var currentDb: Option[LoadedDb] = None
  private var isClosed = false

  /** Whether anything was to be committed here. */
  @volatile var hasPublished = false

  private var newestOpened = 0L

  /** The newest version that was asked for when a batch was run once more; none as long as nobody expects that. */
  private var lastTurn: Option[Long] = None
  private val wanted = mutable.ArrayBuffer.empty[Long]
  private val publishing = mutable.Set.empty[Publication]

  /** The database that new transactions start from, with a hold on it for the caller. */
  def current: Option[LoadedDb] = synchronized {
    requireOpen()
    currentDb.filter(loaded => !loaded.isBroken && loaded.retain())
  }

  /** Whether the current database holds this very version: a twin that wrote the same has committed it here before. */
  def isCurrent(version: CommittedVersion): Boolean = synchronized {
    currentDb.exists(loaded => loaded.head.version == version.version && loaded.head.commitId == version.commitId)
  }

  def deltasSinceSnapshot: Long =
    synchronized(currentDb.fold(0L)(loaded => loaded.head.version - loaded.lastSnapshot.version))

  def lastSnapshot: Long = synchronized(currentDb.fold(0L)(_.lastSnapshot.version))

  /** Runs `start` and takes note that the version is wanted: whoever writes on an older one, or comes to do so later, is a zombie. A
    * version that cannot be opened makes nobody one.
    */
  def opening[T](version: StateVersion)(start: => T): T = {
    synchronized {
      requireOpen()
      wanted += version.version
    }
    try {
      val opened = start
      synchronized {
        newestOpened = math.max(newestOpened, version.version)
        if (lastTurn.exists(newestOpened - _ > TurnsExpected)) keepNewestApart(None)
      }
      opened
    } finally synchronized { wanted -= version.version; () }
  }

  /** Whether a batch on this version may be run once more: nobody has asked for a newer one. */
  def isNewest(version: StateVersion): Boolean = synchronized(version.version == newestAsked)

  /** For some versions from now on databases are ready to go back by a version, and on to another one in its place. Some queries run every
    * batch more than once on the same version: those that sort their result, or have several actions in `foreachBatch`. Spark then goes on
    * from the first. Others do it once, where a task has failed.
    */
  def expectTurns(): Unit = synchronized(keepNewestApart(Some(newestOpened)))

  /** Makes `loaded` the current database unless that one is ahead of it: a store goes back only by being opened anew. */
  def install(loaded: LoadedDb): Unit = {
    val version = loaded.head.version
    val displaced = synchronized {
      val before = currentDb
      if (isClosed || before.contains(loaded) || before.exists(isAhead(_, version)) || !loaded.retain()) None
      else {
        currentDb = Some(loaded)
        loaded.keepNewestApart(lastTurn.isDefined)
        before
      }
    }
    // Closing a database takes time: whoever is displaced is let go outside of the lock.
    displaced.foreach(_.release())
  }

  /** Has `anew` for the current database in the place of `loaded`, if that one is current and neither has gone on. */
  def replace(loaded: LoadedDb, anew: LoadedDb): Boolean = {
    val isDone = synchronized {
      val isSame = currentDb.contains(loaded) && !loaded.isToTurn && loaded.head == anew.head
      val isDone = isSame && !isClosed && anew.retain()
      if (isDone) currentDb = Some(anew)
      isDone
    }
    if (isDone) loaded.release()
    isDone
  }

  /** The current database if it was given up, for the caller to let go: what comes in its place needs the room that it takes on the disk. */
  def takeBroken(): Option[LoadedDb] = taken(_.isBroken)

  /** Forgets `loaded`: it no longer stands for what is in storage. */
  def discard(loaded: LoadedDb): Unit = discardIf(_ eq loaded)

  /** Forgets the current database if it holds that version: another attempt's delta may have replaced the one it came from. */
  def discardVersion(version: Long): Unit = discardIf(_.head.version == version)

  /** Registers a commit on `base` that is about to publish its file. Refuses a zombie's. */
  def startPublishing(base: StateVersion, file: String): Publication = synchronized {
    val newest = newestAsked
    if (base.version < newest) {
      throw new Conflict(
        s"This transaction is on version $base, but version $newest was asked for: its batch was committed by another attempt",
        "Nothing was written. Abort this transaction; the task that runs it is a leftover of an earlier attempt. To go back to an " +
          "earlier version, restart the query: that opens the store anew.",
        Some(file),
        Some(base.version + 1)
      )
    }
    val publication = new Publication(file)
    publishing.filter(_.file == file).foreach { other =>
      other.overlaps = true
      publication.overlaps = true
    }
    publishing += publication
    hasPublished = true
    publication
  }

  def finishPublishing(publication: Publication): Unit = synchronized(publishing -= publication)

  /** The last current database, for the caller to let go. */
  def close(): Option[LoadedDb] = synchronized {
    isClosed = true
    val last = currentDb
    currentDb = None
    last
  }

  private def keepNewestApart(since: Option[Long]): Unit = {
    lastTurn = since
    currentDb.foreach(_.keepNewestApart(since.isDefined))
  }

  private def discardIf(isObsolete: LoadedDb => Boolean): Unit = taken(isObsolete).foreach(_.release())

  private def taken(isObsolete: LoadedDb => Boolean): Option[LoadedDb] = synchronized {
    val obsolete = currentDb.filter(isObsolete)
    if (obsolete.isDefined) currentDb = None
    obsolete
  }

  private def newestAsked: Long = wanted.foldLeft(newestOpened)(math.max)

  private def isAhead(loaded: LoadedDb, version: Long): Boolean = !loaded.isBroken && loaded.head.version > version

  private def requireOpen(): Unit =
    if (isClosed)
      throw new Misuse("The store is closed", "Ask Spark for the provider again; this instance was unloaded.")
}

private object StoreState {

  /** For so many versions after a batch that was run once more the next may be, too. */
  private val TurnsExpected = 16
}

/** A delta on its way to storage. If another one of the same name was under way at any moment, which of them lasts is unknown. */
private[engine] final class Publication(val file: String) {
  @volatile var overlaps = false
}
