package io.rockstate.folders

import java.nio.file.{Files, Path}
import java.nio.file.attribute.{PosixFileAttributeView, PosixFilePermission, PosixFilePermissions}

/** A store's folder on local disk, for as long as the store is open here. Ends with `keep` or `delete`, once everything in it is closed. */
trait StoreFolder {
  def path: Path

  /** Whether `keep` leaves what is in it to whoever opens the store next on this machine. */
  def isKept: Boolean

  /** Leaves it as it is in the place of what was left before, or deletes it if it is not one that is kept. */
  def keep(): Unit

  /** Leaves it if somebody had left it before and nobody has left another since; deletes it otherwise. */
  def putBack(): Unit

  def delete(): Unit

  /** Deletes what is needed no more of what other stores have left, now and then. */
  def tidy(): Unit = ()

  /** Deletes all that other stores have left: the disk is wanted for this one. */
  def makeRoom(): Unit = ()
}

object StoreFolder {

  /** Nobody but this user may enter it, on file systems that know of users. */
  def closeToOthers(folder: Path): Unit =
    Option(Files.getFileAttributeView(folder, classOf[PosixFileAttributeView]))
      .foreach(_.setPermissions(OwnerOnly))

  private[folders] val OwnerOnly: java.util.Set[PosixFilePermission] = PosixFilePermissions.fromString("rwx------")

  /** One that nobody finds again. */
  def passing(at: Path): StoreFolder = new StoreFolder {
    override def path: Path = at
    override def isKept: Boolean = false
    override def keep(): Unit = delete()
    override def putBack(): Unit = delete()
    override def delete(): Unit = Trees.delete(at)
  }
}
