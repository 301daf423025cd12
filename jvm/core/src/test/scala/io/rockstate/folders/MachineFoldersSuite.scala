package io.rockstate.folders

import java.io.IOException
import java.nio.file.{Files, Path}
import java.nio.file.attribute.{FileTime, PosixFilePermissions}

import org.scalatest.funsuite.AnyFunSuite

class MachineFoldersSuite extends AnyFunSuite {
  private val Ample = 1L << 30

  test("a store's folder is as it was left when the store is opened again, by this process or another") {
    withRoot { root =>
      val first = MachineFolders.in(root, Ample, "start")
      leave(first, "a", "of a")
      val again = first.open("a")
      assert(content(again).contains("of a"))
      again.keep()
      val second = MachineFolders.in(root, Ample, "start")
      assert(content(second.open("b")).isEmpty)
      assert(content(second.open("a")).contains("of a"))
    }
  }

  test("two that have a store open at a time do not see each other's folder") {
    withRoot { root =>
      val folders = MachineFolders.in(root, Ample, "start")
      leave(folders, "a", "of a")
      val (first, second) = (folders.open("a"), folders.open("a"))
      assert(content(first).contains("of a") && content(second).isEmpty && first.path != second.path)
    }
  }

  test("of a process that died, the folders of open stores are found") {
    withRoot { root =>
      val dead = MachineFolders.in(root, Ample, "start")
      val open = dead.open("a")
      write(open, "of a")
      dead.abandon()
      val next = MachineFolders.in(root, Ample, "start")
      assert(content(next.open("a")).contains("of a"))
      assert(!Files.exists(open.path.getParent), "its folder is gone")
    }
  }

  test("of a process that lives, nothing is touched") {
    withRoot { root =>
      val living = MachineFolders.in(root, Ample, "start")
      val open = living.open("a")
      write(open, "of a")
      val next = MachineFolders.in(root, Ample, "start")
      assert(content(next.open("a")).isEmpty && content(open).contains("of a"))
    }
  }

  test("what a process left that ended with the machine is deleted") {
    withRoot { root =>
      val dead = MachineFolders.in(root, Ample, "one start")
      val open = dead.open("a")
      write(open, "of a")
      dead.abandon()
      assert(content(MachineFolders.in(root, Ample, "the next").open("a")).isEmpty && !Files.exists(open.path))
    }
  }

  test("what is left takes no more than it may: the oldest goes") {
    withRoot { root =>
      val folders = MachineFolders.in(root, 2500, "start")
      for ((store, n) <- Seq("a", "b", "c").zipWithIndex) {
        leave(folders, store, "x" * 1000)
        Files.setLastModifiedTime(newest(root), FileTime.fromMillis(System.currentTimeMillis() - 60000 + n * 1000))
      }
      leave(folders, "d", "x" * 10)
      assert(
        Seq("a", "b", "c", "d").map(store => content(folders.open(store)).isDefined) == Seq(false, true, true, true)
      )
    }
  }

  test("what is larger than all that may be left is not kept") {
    withRoot { root =>
      val folders = MachineFolders.in(root, 100, "start")
      leave(folders, "a", "x" * 1000)
      assert(content(folders.open("a")).isEmpty && Trees.children(root.resolve("kept")).isEmpty)
    }
  }

  test("what nobody wanted for a day goes") {
    withRoot { root =>
      val folders = MachineFolders.in(root, Ample, "start")
      leave(folders, "a", "of a")
      Files.setLastModifiedTime(newest(root), FileTime.fromMillis(System.currentTimeMillis() - 25L * 3600 * 1000))
      leave(folders, "b", "of b")
      assert(content(folders.open("a")).isEmpty && content(folders.open("b")).isDefined)
    }
  }

  test("hard links to one file count once") {
    withRoot { root =>
      val folders = MachineFolders.in(root, 1500, "start")
      val open = folders.open("a")
      write(open, "x" * 1000)
      Files.createLink(open.path.resolve("link"), open.path.resolve("content"))
      open.keep()
      assert(content(folders.open("a")).isDefined)
    }
  }

  test("the folder is its user's alone; one that others may enter is refused") {
    withRoot { root =>
      MachineFolders.in(root, Ample, "start")
      assert(PosixFilePermissions.toString(Files.getPosixFilePermissions(root)) == "rwx------")
      Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"))
      val refusal = intercept[IOException](MachineFolders.in(root, Ample, "start"))
      assert(refusal.getMessage.contains(root.toString) && refusal.getMessage.contains("rwxr-xr-x"))
    }
  }

  test("a link to a folder is refused") {
    withRoot { root =>
      val elsewhere = Files.createDirectories(root.getParent.resolve("elsewhere"))
      Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwx------"))
      Files.createSymbolicLink(root, elsewhere)
      intercept[IOException](MachineFolders.in(root, Ample, "start"))
    }
  }

  private def withRoot(test: Path => Unit): Unit = {
    val parent = Files.createTempDirectory("rockstate-machine")
    try test(parent.resolve("root"))
    finally Trees.delete(parent)
  }

  private def leave(folders: MachineFolders, store: String, content: String): Unit = {
    val open = folders.open(store)
    write(open, content)
    open.keep()
  }

  private def newest(root: Path): Path =
    Trees.children(root.resolve("kept")).maxBy(Files.getLastModifiedTime(_).toMillis)

  private def write(folder: StoreFolder, content: String): Unit = {
    Files.writeString(folder.path.resolve("content"), content)
    ()
  }

  private def content(folder: StoreFolder): Option[String] = {
    val file = folder.path.resolve("content")
    Option.when(Files.exists(file))(Files.readString(file))
  }
}
