package io.rockstate.engine.recovery

import java.nio.file.Files

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.storage.LocalFolder
import io.rockstate.errors.Unavailable
import io.rockstate.folders.{StoreFolder, Trees}

class LeftDatabaseSuite extends AnyFunSuite {

  test("a database stays where a task is killed that opens it, and goes where the disk fails") {
    val folder = Files.createTempDirectory("rockstate-left").resolve("store")
    val database = Files.createDirectories(folder.resolve("db-1"))
    var tries = 0
    val left = new LeftDatabase(
      new LocalFolder(StoreFolder.passing(folder)),
      path =>
        _ => {
          tries += 1
          throw new Unavailable("It failed", "Wait.", Some(path.toString))
        }
    )
    Thread.currentThread.interrupt() // which closes files
    try intercept[Unavailable](left.take())
    finally { val _ = Thread.interrupted() }
    assert(Files.exists(database))
    assert(left.take().isEmpty && !Files.exists(database) && tries == 2)
    Trees.delete(folder.getParent)
  }
}
