package io.rockstate.errors

import java.io.{File, FileNotFoundException}
import java.nio.file.{Files, NoSuchFileException}

import scala.util.Try

/** A failure that says that a file is not there. What opens a file of a local disk says so of every file that it cannot open, for want of
  * rights or with too many open, say, and tells why in brackets, in the user's language.
  */
object MissingFile {
  private val OfLocalDisk = """(/.*) \([^()]+\)""".r

  def unapply(failure: Throwable): Boolean = failure match {
    case e: FileNotFoundException =>
      e.getMessage match {
        case OfLocalDisk(path) => Try(Files.notExists(new File(path).toPath)).getOrElse(true)
        case _ => true
      }
    case _: NoSuchFileException => true
    case _ => false
  }
}
