package io.rockstate.testkit

import io.rockstate.errors.{NotFound, Unavailable}
import io.rockstate.files.RemoteFiles
import io.rockstate.testkit.RemoteOperation._

/** Without faults it is what is under it; with them, what they say. */
class FaultyFilesSuite extends RemoteFilesContract {
  private var memory = new MemoryFiles()

  override def emptyFolder(): RemoteFiles = {
    memory = new MemoryFiles()
    new FaultyFiles(memory)
  }

  override def afterCrash(files: RemoteFiles): RemoteFiles = memory.crashClone()

  private def publish(files: RemoteFiles, name: String): Unit = {
    val output = files.create(name)
    try {
      output.write(Array[Byte](1, 2, 3))
      output.publish()
    } finally output.close()
  }

  private val publishes = Calls.of(Publish)

  private def everyOperation(files: RemoteFiles): Unit = {
    publish(files, "1.delta")
    val input = files.open("1.delta")
    try assert(input.stream.read(new Array[Byte](3)) == 3)
    finally input.close()
    assert(files.list("").nonEmpty)
    files.delete("1.delta")
  }

  test("without faults every call goes through and is told") {
    val files = new FaultyFiles(new MemoryFiles())
    everyOperation(files)
    assert(files.calls.map(_.operation) == Vector(Create, Write, Publish, Open, Read, List, Delete))
    assert(files.calls.map(_.name) == Vector("1.delta", "1.delta", "1.delta", "1.delta", "1.delta", "", "1.delta"))
  }

  test("each call can be made to fail, once, before or after its effect") {
    for (n <- 1 to 7; fails <- Seq[Calls => Fault](FailBefore, FailAfter)) {
      val fault = fails(Calls.all.nth(n))
      withClue(s"$fault: ") {
        val files = new FaultyFiles(new MemoryFiles(), fault)
        assert(intercept[Unavailable](everyOperation(files)).file.exists(Set("1.delta", "")))
        assert(files.calls.size == n)
        everyOperation(files)
      }
    }
  }

  test("a publish that fails before its effect leaves nothing, one that fails after it leaves the file") {
    for ((fault, names) <- Seq(FailBefore(publishes) -> Vector(), FailAfter(publishes) -> Vector("1.delta"))) {
      val memory = new MemoryFiles()
      intercept[Unavailable](publish(new FaultyFiles(memory, fault), "1.delta"))
      assert(memory.names == names, fault)
    }
  }

  test("a delete that fails before its effect keeps the file, one that fails after it does not") {
    val deletes = Calls.of(Delete)
    for ((fault, names) <- Seq(FailBefore(deletes) -> Vector("1.delta"), FailAfter(deletes) -> Vector())) {
      val memory = new MemoryFiles()
      publish(memory, "1.delta")
      intercept[Unavailable](new FaultyFiles(memory, fault).delete("1.delta"))
      assert(memory.names == names, fault)
    }
  }

  test("the n-th call of one operation fails, whatever else is called between") {
    val memory = new MemoryFiles()
    val files = new FaultyFiles(memory, FailBefore(Calls.of(Create).nth(2)))
    publish(files, "1.delta")
    assert(files.list("").size == 1)
    intercept[Unavailable](publish(files, "2.delta"))
    publish(files, "3.delta")
    assert(memory.names == Vector("1.delta", "3.delta"))
  }

  test("only calls with such a name, on such a thread, from such a number on are meant and counted") {
    val memory = new MemoryFiles()
    val files = new FaultyFiles(
      memory,
      FailBefore(publishes.named("*.delta").from(2)),
      FailBefore(publishes.named("1.snapshot").onThread("other"))
    )
    publish(files, "1.delta")
    publish(files, "1.snapshot")
    Seq("2.delta", "3.delta").foreach(name => intercept[Unavailable](publish(files, name)))
    assert(memory.names == Vector("1.delta", "1.snapshot"))
    val other =
      new Thread(() => { intercept[Unavailable](publish(files, "1.snapshot")); files.delete("1.delta") }, "other")
    other.start()
    other.join()
    assert(memory.names == Vector("1.snapshot"))
  }

  test("a call is interrupted, or finds its file gone, and nothing has happened") {
    val memory = new MemoryFiles()
    intercept[InterruptedException](publish(new FaultyFiles(memory, Interrupt(publishes)), "1.delta"))
    intercept[NotFound](publish(new FaultyFiles(memory, Lose(publishes)), "1.delta"))
    assert(memory.names.isEmpty)
  }

  test("a call waits at its gate until that is opened, and those after it do not") {
    val memory = new MemoryFiles()
    val gate = new Gate
    val files = new FaultyFiles(memory, Hold(publishes, gate))
    val writer = new Thread(() => publish(files, "1.delta"))
    writer.start()
    gate.awaitArrival()
    assert(memory.names.isEmpty)
    gate.open()
    writer.join()
    publish(files, "2.delta")
    assert(memory.names == Vector("1.delta", "2.delta"))
  }

  test(
    "a publish or a delete that takes effect late does so when its gate is opened, whatever was cancelled meanwhile"
  ) {
    val memory = new MemoryFiles()
    val gate = new Gate
    val files = new FaultyFiles(memory, TakeEffectLate(Calls.all.named("1.delta"), gate))
    intercept[Unavailable](publish(files, "1.delta"))
    publish(files, "2.delta")
    assert(memory.names == Vector("2.delta") && files.faultsMet == 3)
    gate.open()
    assert(memory.names == Vector("1.delta", "2.delta") && memory.bytes("1.delta").length == 3)
    val later = new Gate
    intercept[Unavailable](new FaultyFiles(memory, TakeEffectLate(Calls.all, later)).delete("1.delta"))
    assert(memory.names.size == 2)
    later.open()
    assert(memory.names == Vector("2.delta"))
  }

  test("a stale listing is that of before the last change, and the next one is not stale") {
    val files = new FaultyFiles(new MemoryFiles(), ListStale(Calls.of(List).nth(1)), ListStale(Calls.of(List).nth(3)))
    publish(files, "1.delta")
    publish(files, "2.delta")
    assert(files.list("").map(_.name) == Seq("1.delta") && files.list("").map(_.name) == Seq("1.delta", "2.delta"))
    files.delete("1.delta")
    assert(files.list("").map(_.name) == Seq("1.delta", "2.delta") && files.list("").map(_.name) == Seq("2.delta"))
  }

  test("faults say what they do") {
    assert(FailBefore(Calls.all).toString == "call (each) fails before its effect")
    assert(FailAfter(Calls.of(Delete).nth(3)).toString == "Delete (3) fails after its effect")
    assert(
      Interrupt(Calls.of(Open).named("sst/*").from(2)).toString == "Open (2 and later ones) of sst/* is interrupted"
    )
    assert(Hold(Calls.all.onThread("late"), new Gate).toString == "call (each) on thread late waits at a gate")
    val error = intercept[Unavailable](new FaultyFiles(new MemoryFiles, FailBefore(Calls.of(List))).list(""))
    assert(error.getMessage.contains("List (each) fails before its effect"))
  }
}
