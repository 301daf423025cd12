package io.rockstate.testkit

/** A way in which a file's bytes can be lost; its text says what the file is then. */
sealed abstract class Damage(what: String) {

  /** The bytes that are left, or none for a file that is gone. */
  def apply(bytes: Array[Byte]): Option[Array[Byte]]

  /** Does it to a file. */
  final def inflict(files: MemoryFiles, name: String): Unit =
    apply(files.bytes(name)).fold(files.delete(name))(files.put(name, _))

  final override def toString: String = what
}

object Damage {
  val all: Seq[Damage] =
    Seq(Deleted, Emptied, CutInHalf, CutByAByte, AlteredFirst, AlteredInTheMiddle, AlteredLast, MadeLonger)

  case object Deleted extends Damage("deleted") {
    override def apply(bytes: Array[Byte]): Option[Array[Byte]] = None
  }

  case object Emptied extends Damage("emptied") {
    override def apply(bytes: Array[Byte]): Option[Array[Byte]] = Some(Array.emptyByteArray)
  }

  case object CutInHalf extends Damage("cut in half") {
    override def apply(bytes: Array[Byte]): Option[Array[Byte]] = Some(bytes.take(bytes.length / 2))
  }

  case object CutByAByte extends Damage("cut by a byte") {
    override def apply(bytes: Array[Byte]): Option[Array[Byte]] = Some(bytes.dropRight(1))
  }

  /** @param place of the byte to alter, in a file of that many bytes */
  sealed abstract class Alteration(where: String, place: Int => Int) extends Damage(s"altered $where") {
    override def apply(bytes: Array[Byte]): Option[Array[Byte]] = {
      val at = place(bytes.length)
      Some(bytes.updated(at, (bytes(at) ^ 4).toByte))
    }
  }

  case object AlteredFirst extends Alteration("at the start", _ => 0)
  case object AlteredInTheMiddle extends Alteration("in the middle", _ / 2)
  case object AlteredLast extends Alteration("at the end", _ - 1)
  final case class Altered(at: Int) extends Alteration(s"at byte $at", _ => at)

  case object MadeLonger extends Damage("made longer") {
    override def apply(bytes: Array[Byte]): Option[Array[Byte]] = Some(bytes :+ 0.toByte)
  }
}
