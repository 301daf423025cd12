package io.rockstate.engine.loaded

import java.nio.file.Path
import java.util.concurrent.Executor
import java.util.concurrent.atomic.AtomicBoolean

import org.scalatest.funsuite.AnyFunSuite

class ApplierSuite extends AnyFunSuite {
  private val here: Executor = _.run()

  private final class Failing(failure: Throwable) extends Applicable {
    var holders = 0
    override val isApplyWanted = new AtomicBoolean
    override def folder: Path = Path.of("db-1")
    override def applyLayersIfFree(): Unit = throw failure
    override def retain(): Boolean = { holders += 1; true }
    override def release(): Unit = holders -= 1
  }

  Seq(
    new OutOfMemoryError("Java heap space"),
    new NoClassDefFoundError("org/rocksdb/FlushOptions"),
    new IllegalStateException("closed")
  ).foreach { failure =>
    test(s"what fails while layers are applied stays on that thread, and the database is let go: $failure") {
      val loaded = new Failing(failure)
      val applier = new Applier(here)
      (1 to 2).foreach(_ => applier.start(loaded)) // a second time too
      assert(loaded.holders == 0 && !loaded.isApplyWanted.get)
      applier.close()
    }
  }
}
