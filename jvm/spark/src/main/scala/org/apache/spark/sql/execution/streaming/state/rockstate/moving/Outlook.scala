package org.apache.spark.sql.execution.streaming.state.rockstate.moving

/** What is ahead of a command that has begun nothing yet.
  *
  * @param bytes   of the files that it reads
  * @param seconds about how long it takes here
  */
private[rockstate] final case class Outlook(bytes: Long, seconds: Double)

/** What a core does in a second, measured with small rows that compress well (docs/moving.md). Rows count where they are known. */
private[rockstate] final case class Pace(rows: Double, bytes: Double) {
  def seconds(bytesThere: Long, rowsThere: Option[Long], cores: Int): Double =
    Pace.SecondsToBegin + rowsThere.fold(bytesThere / bytes)(_ / rows) / cores
}

private[rockstate] object Pace {
  val SecondsToBegin = 2.0

  /** Reads, writes and reads back. */
  val OfMoves: Pace = Pace(60e3, 1e6)

  /** Reads, writes tables, and counts in them. */
  val OfExports: Pace = Pace(120e3, 2e6)
}
