package io.rockstate.benchmarks.lab

import java.io.{EOFException, FileNotFoundException}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files
import java.util.EnumSet

import org.apache.hadoop.fs._
import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.benchmarks.lab.StorageCounters._

class BenchFileSystemSuite extends AnyFunSuite {
  private val folder = new Path(BenchFileSystem.uri(Files.createTempDirectory("bench-fs")))
  private val fs = FileSystem.get(folder.toUri, BenchFileSystem.configuration())
  private val context = FileContext.getFileContext(folder.toUri, BenchFileSystem.configuration())

  private def write(name: String, text: String): Path = {
    val path = new Path(folder, name)
    val out = fs.create(path, true)
    out.write(text.getBytes(UTF_8))
    out.close()
    path
  }

  private def text(path: Path): String = {
    val in = fs.open(path)
    try new String(in.readAllBytes(), UTF_8)
    finally in.close()
  }

  /** Calls of this thread by kind that `body` made, without those that it did not make. */
  private def calls(body: => Unit): Map[Kind, Long] = {
    StorageCounters.start(Thread.currentThread, latencyMillis = 0)
    val before = StorageCounters.now()
    body
    StorageCounters.now().since(before).taskCalls.filter(_._2 != 0)
  }

  test("what was written is read, from any position") {
    val path = write("read/me", "abcdef")
    assert(text(path) == "abcdef")
    val in = fs.open(path)
    in.seek(4)
    assert(in.read() == 'e')
    assertThrows[EOFException](in.seek(7))
    in.close()
    assertThrows[FileNotFoundException](fs.open(new Path(folder, "nothing")))
  }

  test("a rename through FileContext replaces only when it is told to") {
    val from = write("from", "new")
    val to = write("to", "old")
    assertThrows[FileAlreadyExistsException](context.rename(from, to))
    context.rename(from, to, Options.Rename.OVERWRITE)
    assert(text(to) == "new")
    assert(!fs.exists(from))
  }

  test("a create through FileContext and a rename are one call each") {
    val path = new Path(folder, "one")
    val counted = calls {
      context.create(path, EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE)).close()
      context.rename(path, new Path(folder, "two"), Options.Rename.OVERWRITE)
    }
    assert(counted == Map(Create -> 1, Rename -> 1))
  }

  test("calls are counted by kind, and those of other threads apart") {
    val path = write("counted/7.delta", "12345")
    val before = StorageCounters.now()
    val counted = calls {
      fs.exists(path)
      fs.listStatus(path.getParent)
      fs.mkdirs(path.getParent)
      fs.open(path).close()
      fs.delete(path, false)
      val other = new Thread(() => { fs.exists(path); () })
      other.start()
      other.join()
    }
    assert(counted == Map(Status -> 1, List -> 1, MakeFolder -> 1, Open -> 1, Delete -> 1))
    assert(StorageCounters.now().since(before).otherCalls(Status) == 1)
  }

  test("bytes of deltas are told from others, under their temporary names too") {
    val before = StorageCounters.now()
    write(".7.changelog.5f0e.TID0.tmp", "12345")
    write("7.zip", "123")
    val found = StorageCounters.now().since(before)
    assert((found.bytesWritten, found.deltaBytes) == ((8, 5)))
  }

  test("a call takes as long as it is told to") {
    val path = write("slow", "")
    StorageCounters.start(Thread.currentThread, latencyMillis = 20)
    val start = System.nanoTime()
    fs.exists(path)
    val took = System.nanoTime() - start
    StorageCounters.start(Thread.currentThread, latencyMillis = 0)
    assert(took >= 20e6)
  }

  test("a folder is deleted with what is in it") {
    val path = write("whole/folder/file", "x")
    assert(fs.delete(path.getParent.getParent, true))
    assert(!fs.exists(path.getParent))
    assert(!fs.delete(path, false))
  }
}
