package io.rockstate.versions

/** What rows have beyond what their schemas say: who reads them without knowing would take them for others.
  *
  * @param confs the confs that made it so, as `key=value`; none for plain rows
  */
final case class RowLayout(confs: Vector[String])

object RowLayout {
  val Plain: RowLayout = RowLayout(Vector.empty)
}
