package io.rockstate.testkit

import java.util
import java.util.UUID

import scala.collection.immutable.TreeMap

import io.rockstate.engine.api.Transaction
import io.rockstate.errors.{Conflict, NotFound}
import io.rockstate.versions.{ColumnFamily, StateVersion}

/** What a store must do, said as simply as possible: every version is a sorted map that never changes. The engine is compared with it.
  * Nothing is ever cleaned up. Safe for several threads.
  *
  * @param checkpointIds whether each attempt of a version has an id of its own (Spark's checkpoint format 2)
  */
final class ModelStore(checkpointIds: Boolean = false) {
  import ModelStore._

  private var versions: Map[StateVersion, Content] = Map(StateVersion.Empty -> Content.Empty)
  private var newestBegun = 0L

  /** A transaction on `version`; `NotFound` if it was never committed. */
  def begin(version: StateVersion): Transaction = synchronized {
    val content = versions.getOrElse(
      version,
      throw new NotFound(
        s"Version $version does not exist",
        "Ask for a committed one",
        s"$version.delta",
        Some(version.version)
      )
    )
    begin(version, content)
  }

  /** A transaction that commits the version after `version` but starts from nothing. */
  def beginEmpty(version: StateVersion): Transaction = synchronized(begin(version, Content.Empty))

  /** Opens the store anew: whoever asks for an earlier version from now on goes back to it. */
  def restart(): Unit = synchronized { newestBegun = 0 }

  /** Every row of a version, in key order. */
  def rows(version: StateVersion): Seq[(Array[Byte], Array[Byte])] = synchronized(versions(version).rows.toSeq)

  private def begin(version: StateVersion, content: Content): Transaction = {
    newestBegun = math.max(newestBegun, version.version)
    new ModelTransaction(this, version, content)
  }

  /** Takes in what a transaction leaves behind: the last one wins where attempts share a name. */
  private[testkit] def commit(base: StateVersion, content: Content): StateVersion = synchronized {
    if (base.version < newestBegun) {
      throw new Conflict(
        s"A later version than $base was asked for",
        "Abort: this attempt is a leftover",
        None,
        Some(base.version)
      )
    }
    val next = StateVersion(base.version + 1, Option.when(checkpointIds)(UUID.randomUUID().toString))
    versions += next -> content
    next
  }
}

private[testkit] object ModelStore {
  type Rows = TreeMap[Array[Byte], Array[Byte]]

  private implicit val unsignedBytes: Ordering[Array[Byte]] = (a, b) => util.Arrays.compareUnsigned(a, b)

  /** The rows of all column families, the families without their row counts, and the highest id that one ever had. */
  final case class Content(rows: Rows, families: Vector[ColumnFamily], lastFamilyId: Int) {

    /** The families with what they hold. */
    def counted: Vector[ColumnFamily] = families.map(family => family.copy(rows = rowsOf(family).size.toLong))

    def without(family: ColumnFamily): Content =
      copy(rows -- rowsOf(family).keys, families.filterNot(_.name == family.name))

    def between(lower: Array[Byte], upper: Array[Byte]): Rows = {
      val from = rows.rangeFrom(lower)
      if (upper == null) from else from.rangeUntil(upper)
    }

    private def rowsOf(family: ColumnFamily): Rows = between(idBytes(family.id), idBytes(family.id + 1))

    private def idBytes(id: Int): Array[Byte] = Array((id >>> 8).toByte, id.toByte)
  }

  object Content {
    val Empty: Content = Content(TreeMap.empty, ColumnFamily.initial, ColumnFamily.DefaultId)
  }
}
