package io.rockstate.engine.maintenance

import java.nio.file.Path
import java.util.concurrent.{ConcurrentHashMap, TimeUnit}

import scala.jdk.CollectionConverters._

import io.rockstate.format.snapshot.TableFile

/** The table files of the database in `folder` that an upload has stored which did not come to its end: the next one need not store them again,
  * while they are too young for anybody to take them for leftovers.
  */
private[maintenance] final class BegunUpload(val folder: Path) {
  import BegunUpload._

  private val stored = new ConcurrentHashMap[TableFile, Long] // when

  /** What an upload stores that was given up meanwhile counts, too. */
  def note(table: TableFile): TableFile = {
    stored.put(table, System.nanoTime())
    table
  }

  def tables: Vector[TableFile] =
    stored.asScala.collect { case (table, at) if System.nanoTime() - at < YoungNanos => table }.toVector
}

private object BegunUpload {
  val YoungNanos: Long = TimeUnit.HOURS.toNanos(12)
}
