package io.rockstate.testkit

/** Ways in which a file's bytes can be lost: each gives the bytes that are left, or none for a file that is gone. */
object Damage {
  val all: Seq[(String, Array[Byte] => Option[Array[Byte]])] = Seq(
    "deleted" -> (_ => None),
    "emptied" -> (_ => Some(Array.emptyByteArray)),
    "cut in half" -> (bytes => Some(bytes.take(bytes.length / 2))),
    "cut by a byte" -> (bytes => Some(bytes.dropRight(1))),
    "altered at the start" -> (bytes => Some(flipped(bytes, 0))),
    "altered in the middle" -> (bytes => Some(flipped(bytes, bytes.length / 2))),
    "altered at the end" -> (bytes => Some(flipped(bytes, bytes.length - 1))),
    "made longer" -> (bytes => Some(bytes :+ 0.toByte))
  )

  /** A store's folder with one file damaged. */
  def inflict(sound: MemoryFiles, name: String, damage: Array[Byte] => Option[Array[Byte]]): MemoryFiles = {
    val files = sound.crashClone()
    damage(sound.bytes(name)).fold(files.delete(name))(files.put(name, _))
    files
  }

  def flipped(bytes: Array[Byte], at: Int): Array[Byte] = bytes.updated(at, (bytes(at) ^ 4).toByte)
}
