package io.rockstate.testkit

import io.rockstate.errors.NotFound
import io.rockstate.files.RemoteFiles

class RecordingFilesSuite extends RemoteFilesContract {
  private var memory = new MemoryFiles()

  override def emptyFolder(): RemoteFiles = {
    memory = new MemoryFiles()
    new RecordingFiles(memory)
  }

  override def afterCrash(files: RemoteFiles): RemoteFiles = memory.crashClone()

  test("the transcript has one line per effect, with table files numbered") {
    val files = new RecordingFiles(new MemoryFiles())
    val delta = files.create("1.delta")
    delta.write(7)
    delta.write(Array[Byte](1, 2, 3))
    delta.publish()
    delta.close()
    files.create("sst/first.sst").publish()
    files.create("sst/second.sst").cancel()
    files.open("sst/first.sst").close()
    intercept[NotFound](files.open("2.delta"))
    files.list("")
    files.list("sst")
    files.delete("sst/first.sst")
    val expected = Vector(
      "create 1.delta",
      "publish 1.delta (4 bytes)",
      "create sst/#1.sst",
      "publish sst/#1.sst (0 bytes)",
      "create sst/#2.sst",
      "cancel sst/#2.sst",
      "open sst/#1.sst",
      "list .",
      "list sst",
      "delete sst/#1.sst"
    )
    assert(files.transcript == expected)
    assert(files.count("create") == 3)
    assert(files.take() == expected && files.transcript.isEmpty)
  }
}
