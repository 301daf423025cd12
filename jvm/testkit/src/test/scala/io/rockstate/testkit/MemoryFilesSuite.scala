package io.rockstate.testkit

import io.rockstate.files.RemoteFiles

class MemoryFilesSuite extends RemoteFilesContract {
  override def emptyFolder(): RemoteFiles = new MemoryFiles()

  override def afterCrash(files: RemoteFiles): RemoteFiles = files match {
    case memory: MemoryFiles => memory.crashClone()
    case other => fail(s"not a MemoryFiles: $other")
  }

  test("a crash clone does not see what happens later") {
    val files = new MemoryFiles()
    val clone = files.crashClone()
    files.put("1.delta", Array[Byte](1))
    assert(clone.names.isEmpty && files.names == Vector("1.delta"))
  }
}
