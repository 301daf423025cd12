package io.rockstate.testkit

import io.rockstate.errors.Unavailable
import io.rockstate.files.RemoteFiles
import io.rockstate.testkit.FaultMoment.{AfterEffect, BeforeEffect}
import io.rockstate.testkit.RemoteOperation._
import org.scalatest.funsuite.AnyFunSuite

class FaultyFilesSuite extends AnyFunSuite {

  private def publish(files: RemoteFiles, name: String): Unit = {
    val output = files.create(name)
    try {
      output.write(Array[Byte](1, 2, 3))
      output.publish()
    } finally output.close()
  }

  private def everyOperation(files: RemoteFiles): Unit = {
    publish(files, "1.delta")
    val input = files.open("1.delta")
    try assert(input.stream.read(new Array[Byte](3)) == 3)
    finally input.close()
    assert(files.list("").nonEmpty)
    files.delete("1.delta")
  }

  test("without a rule that matches, every call goes through and is counted") {
    val files = new FaultyFiles(new MemoryFiles(), _ => None)
    everyOperation(files)
    assert(files.calls.map(_.operation) == Vector(Create, Write, Publish, Open, Read, List, Delete))
    assert(files.calls.map(_.nth) == (1 to 7))
  }

  test("each call can be made to fail, once, before or after its effect") {
    for (n <- 1 to 7; moment <- Seq(BeforeEffect, AfterEffect)) withClue(s"call $n $moment: ") {
      val files = FaultyFiles.failing(new MemoryFiles(), n, moment)
      assert(intercept[Unavailable](everyOperation(files)).file.exists(Set("1.delta", "")))
      assert(files.calls.size == n)
      everyOperation(files)
    }
  }

  test("a publish that fails before its effect leaves nothing, one that fails after it leaves the file") {
    for ((moment, names) <- Seq(BeforeEffect -> Vector(), AfterEffect -> Vector("1.delta"))) {
      val memory = new MemoryFiles()
      intercept[Unavailable](publish(FaultyFiles.failing(memory, Publish, 1, moment), "1.delta"))
      assert(memory.names == names)
    }
  }

  test("a delete that fails before its effect keeps the file, one that fails after it does not") {
    for ((moment, names) <- Seq(BeforeEffect -> Vector("1.delta"), AfterEffect -> Vector())) {
      val memory = new MemoryFiles()
      publish(memory, "1.delta")
      intercept[Unavailable](FaultyFiles.failing(memory, Delete, 1, moment).delete("1.delta"))
      assert(memory.names == names)
    }
  }

  test("the n-th call of one operation fails, whatever else is called between") {
    val memory = new MemoryFiles()
    val files = FaultyFiles.failing(memory, Create, 2, BeforeEffect)
    publish(files, "1.delta")
    assert(files.list("").size == 1)
    intercept[Unavailable](publish(files, "2.delta"))
    publish(files, "3.delta")
    assert(memory.names == Vector("1.delta", "3.delta"))
  }
}
