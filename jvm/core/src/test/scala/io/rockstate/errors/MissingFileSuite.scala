package io.rockstate.errors

import java.io.{FileInputStream, FileNotFoundException, IOException}
import java.nio.file.{Files, NoSuchFileException}

import org.scalatest.funsuite.AnyFunSuite

/** Which failures say that a file is not there. */
class MissingFileSuite extends AnyFunSuite {
  private def isMissing(failure: Throwable): Boolean = failure match {
    case MissingFile() => true
    case _ => false
  }

  test("a file that is not there is missing, on a local disk and elsewhere") {
    val place = Files.createTempDirectory("rockstate-missing").resolve("17.delta (1)")
    assert(isMissing(intercept[FileNotFoundException](new FileInputStream(place.toFile).close())))
    assert(isMissing(new NoSuchFileException("17.delta")))
    assert(isMissing(new FileNotFoundException("File does not exist: /a/17.delta")))
    assert(isMissing(new FileNotFoundException))
    assert(!isMissing(new IOException("File does not exist: /a/17.delta")))
  }

  test("a file that is there and cannot be opened is not missing") {
    val folder = Files.createTempDirectory("rockstate-missing")
    assert(!isMissing(intercept[FileNotFoundException](new FileInputStream(folder.toFile).close())))
    for (why <- Seq("Too many open files", "Permission denied", "Zu viele offene Dateien"))
      assert(!isMissing(new FileNotFoundException(s"$folder ($why)")))
  }
}
