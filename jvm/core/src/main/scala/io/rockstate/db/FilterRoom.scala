package io.rockstate.db

import java.util.concurrent.atomic.AtomicLong

/** What the block cache has for filters and indexes, and what those of all open databases would take of it.
  *
  * The filters of the last level have nine tenths of all rows. Where they do not fit, each read loads a part of one and drives another out that the
  * next read needs: that costs more than to read the block that it might have spared. A database of such a size is opened without them
  * (docs/decisions, 51).
  */
private[db] final class FilterRoom(bytes: Long) {
  import FilterRoom._

  private val wanted = new AtomicLong

  /** The share of a database that is about to be opened with so many rows. */
  def share(rows: Long): Share = new Share(hasAll = wanted.get + bytesOf(rows, hasAll = true) <= bytes, rows)

  /** What one database takes.
    *
    * @param hasAll whether it has the last level's filters, too
    */
  final class Share private[FilterRoom] (val hasAll: Boolean, rows: Long) {
    private var noted = 0L
    note(rows)

    /** Takes note of how many rows the database has now. */
    def note(rows: Long): Unit = synchronized {
      val now = bytesOf(rows, hasAll)
      wanted.addAndGet(now - noted)
      noted = now
    }

    /** Whether there is no room any more for all filters of those that have all of them, as this one has, and its own are worth the trouble. */
    def isOutgrown: Boolean = hasAll && wanted.get > bytes && noted > bytes / SmallParts
  }
}

private object FilterRoom {

  /** A database with less than such a part of the room leaves hardly any to others. */
  private val SmallParts = 256

  /** A row takes ten bits in a filter and three in an index; with what other levels have of the same rows 1.7 bytes, and without the last level's
    * filters half a byte.
    */
  private def bytesOf(rows: Long, hasAll: Boolean): Long = rows * (if (hasAll) 17 else 5) / 10
}
