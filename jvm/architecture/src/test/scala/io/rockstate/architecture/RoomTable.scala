package io.rockstate.architecture

/** A row of the table of rooms.
  *
  * @param name a package, itself and not those in it
  * @param uses the rooms and libraries that it may use
  */
final case class Room(name: String, uses: Set[String])

/** The table of rooms in docs/architecture.md. */
final case class RoomTable(rooms: Seq[Room]) {

  /** What the table itself has wrong: a room in two rows, one that is not there, one above those that it may use. */
  def problems: Seq[String] = {
    val twice = rooms.groupBy(_.name).collect { case (name, rows) if rows.size > 1 => s"$name has ${rows.size} rows" }
    val names = rooms.map(_.name)
    val order = for {
      (room, row) <- rooms.zipWithIndex
      used <- room.uses.toSeq.sorted if !Libraries.names(used) && names.indexOf(used) >= row
    } yield s"${room.name} may use $used, whose row comes no earlier"
    val unknown = for {
      room <- rooms
      used <- room.uses.toSeq.sorted if !Libraries.names(used) && !names.contains(used)
    } yield s"${room.name} may use $used, which is neither a room nor one of ${Libraries.names.toSeq.sorted.mkString(", ")}"
    twice.toSeq ++ order ++ unknown
  }

  /** Packages that have classes but no row. */
  def homeless(packages: Set[String]): Set[String] = packages -- rooms.map(_.name)

  /** Rooms without a class. */
  def empty(packages: Set[String]): Set[String] = rooms.map(_.name).toSet -- packages
}

object RoomTable {
  val Heading = "## Rooms of the JVM"

  /** What "…" stands for. */
  private val SparksPackage = "org.apache.spark.sql.execution.streaming.state."

  /** Rows are `| room | what is in it | may use |`; rooms and libraries are in backticks. */
  def parse(markdown: String): RoomTable = {
    val section = markdown.linesIterator.dropWhile(_ != Heading).drop(1).takeWhile(!_.startsWith("## "))
    val rows = section.filter(_.startsWith("|")).map(_.split('|').drop(1)).toVector
    RoomTable(rows.collect {
      case Array(room, _, uses) if quoted(room).nonEmpty => Room(quoted(room).head, quoted(uses).toSet)
    })
  }

  private def quoted(cell: String): Seq[String] =
    "`([^`]+)`".r.findAllMatchIn(cell).map(_.group(1).replace("…", SparksPackage)).toVector
}
