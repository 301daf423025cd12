package io.rockstate.folders

import java.io.IOException
import java.nio.file.{Files, Path}
import java.nio.file.attribute.{FileTime, PosixFilePermissions}

import org.scalatest.funsuite.AnyFunSuite

class MachineFoldersSuite extends AnyFunSuite {
  private val Ample = 1L << 30
  private val Hour = 3600L * 1000
  private val Booted = OtherProcess.Booted
  private val Start = OtherProcess.Start
  private val Other = MachineStart("another", Some(Booted))

  test("a store's folder is as it was left when the store is opened again, by this process or another") {
    withRoot { root =>
      val first = MachineFolders.in(root, Ample, Start)
      leave(first, "a", "of a")
      val again = first.open("a")
      assert(content(again).contains("of a"))
      again.keep()
      val second = MachineFolders.in(root, Ample, Start)
      assert(content(second.open("b")).isEmpty)
      assert(content(second.open("a")).contains("of a"))
    }
  }

  test("two that have a store open at a time do not see each other's folder") {
    withRoot { root =>
      val folders = MachineFolders.in(root, Ample, Start)
      leave(folders, "a", "of a")
      val (first, second) = (folders.open("a"), folders.open("a"))
      assert(content(first).contains("of a") && content(second).isEmpty && first.path != second.path)
    }
  }

  test("of a process that died, the folders of open stores are found") {
    withRoot { root =>
      val dead = MachineFolders.in(root, Ample, Start)
      val open = dead.open("a")
      write(open, "of a")
      dead.abandon()
      val next = MachineFolders.in(root, Ample, Start)
      assert(content(next.open("a")).contains("of a"))
      assert(!Files.exists(open.path.getParent), "its folder is gone")
    }
  }

  test("of a process that died, a store's folder that was last written to is found, and none that was being deleted") {
    withRoot { root =>
      val dead = MachineFolders.in(root, Ample, Start)
      val (writers, readers, halfDeleted) = (dead.open("a"), dead.open("a"), dead.open("a"))
      Seq(writers -> "newest", readers -> "older", halfDeleted -> "half").foreach { case (open, of) => write(open, of) }
      for (file <- Trees.children(readers.path)) touch(file, System.currentTimeMillis() - 60000)
      Files.move(halfDeleted.path, halfDeleted.path.resolveSibling("gone-9"))
      dead.abandon()
      assert(content(MachineFolders.in(root, Ample, Start).open("a")).contains("newest"))
    }
  }

  test("what is put back takes nobody's place, and goes if it was not left by anybody") {
    withRoot { root =>
      val folders = MachineFolders.in(root, Ample, Start)
      leave(folders, "a", "older")
      val reader = folders.open("a")
      leave(folders, "a", "newer")
      reader.putBack()
      val again = folders.open("a")
      assert(content(again).contains("newer") && !Files.exists(reader.path))
      again.putBack()
      assert(content(folders.open("a")).contains("newer"))
      folders.open("b").putBack()
      assert(keptIn(root).isEmpty)
    }
  }

  test("a folder that was left is taken as it is: on a full disk nothing could be written to it") {
    withRoot { root =>
      val folders = MachineFolders.in(root, Ample, Start)
      leave(folders, "a", "of a")
      val store = keptIn(root).head.resolve("store")
      Files.delete(store)
      Files.createDirectory(store) // to write the file fails
      assert(content(folders.open("a")).contains("of a"))
    }
  }

  test("while a dead process's folder is looked through, no other process takes from it") {
    withRoot { root =>
      val dead = MachineFolders.in(root, Ample, Start)
      val open = dead.open("a")
      write(open, "of a")
      dead.abandon()
      var seen = Vector.empty[(String, Option[String])]
      ProcessFolder.ifDead(open.path.getParent)((start, _) => seen :+= start -> OtherProcess.finds(root, "a"))
      assert(seen == Vector(Start.id -> None))
    }
  }

  test("of a process that lives, nothing is touched") {
    withRoot { root =>
      val living = MachineFolders.in(root, Ample, Start)
      val open = living.open("a")
      write(open, "of a")
      val next = MachineFolders.in(root, Ample, Start)
      assert(content(next.open("a")).isEmpty && content(open).contains("of a"))
    }
  }

  test("of a process that lives, another one takes nothing, however often and by whom a store was opened") {
    withRoot { root =>
      val living = MachineFolders.in(root, Ample, Start)
      val (open, other) = (living.open("a"), living.open("c"))
      Seq(open -> "of a", other -> "of c").foreach { case (folder, content) => write(folder, content) }
      val interrupted = new Thread(() => {
        Thread.currentThread().interrupt()
        living.open("b")
        living.tidy()
      })
      interrupted.start()
      interrupted.join()
      assert(OtherProcess.finds(root, "a").isEmpty && content(open).contains("of a"))
      living.abandon()
      assert(OtherProcess.finds(root, "c").contains("of c"))
    }
  }

  test("what a process left that ended with the machine is deleted") {
    withRoot { root =>
      val dead = MachineFolders.in(root, Ample, Other)
      val open = dead.open("a")
      write(open, "of a")
      leave(dead, "b", "of b")
      dead.abandon()
      touch(ownerOf(open), Booted - Hour)
      touch(root.resolve("kept").resolve(Other.id), Booted - Hour)
      val next = MachineFolders.in(root, Ample, Start)
      assert(content(next.open("a")).isEmpty && content(next.open("b")).isEmpty && !Files.exists(open.path))
      leave(next, "c", "of c")
      assert(Trees.children(root.resolve("kept")).map(_.getFileName.toString) == Seq(Start.id))
    }
  }

  test(
    "of another machine that shares the storage, nothing is used and nothing touched, whether its locks are seen or not"
  ) {
    withRoot { root =>
      val elsewhere = MachineFolders.in(root, Ample, Other)
      val open = elsewhere.open("a")
      write(open, "of a")
      leave(elsewhere, "b", "of b")
      elsewhere.abandon()
      val here = MachineFolders.in(root, Ample, Start)
      assert(content(here.open("a")).isEmpty && content(here.open("b")).isEmpty)
      leave(here, "c", "of c")
      assert(
        content(open).contains("of a") && content(MachineFolders.in(root, Ample, Other).open("b")).contains("of b")
      )
    }
  }

  test("where the machine does not say when it started, nothing of another start is deleted") {
    withRoot { root =>
      val dead = MachineFolders.in(root, Ample, Other)
      val open = dead.open("a")
      dead.abandon()
      touch(ownerOf(open), Booted - Hour)
      MachineFolders.in(root, Ample, MachineStart("start", None)).open("a")
      assert(Files.exists(open.path))
    }
  }

  test("of a process whose owner file is gone, which may live, nothing is touched") {
    withRoot { root =>
      val dead = MachineFolders.in(root, Ample, Start)
      val open = dead.open("a")
      write(open, "of a")
      dead.abandon()
      Files.delete(ownerOf(open))
      assert(content(MachineFolders.in(root, Ample, Start).open("a")).isEmpty && content(open).contains("of a"))
    }
  }

  test("whenever a store is opened, its process says that it lives") {
    withRoot { root =>
      val folders = MachineFolders.in(root, Ample, Start)
      val owner = ownerOf(folders.open("a"))
      touch(owner, Booted)
      folders.open("b")
      assert(Files.getLastModifiedTime(owner).toMillis > Booted + Hour)
    }
  }

  test("this machine says when it started") {
    assert(MachineStart.ofThisMachine().millis.exists(_ < System.currentTimeMillis()))
  }

  test("what is left takes no more than it may: the oldest goes") {
    withRoot { root =>
      val folders = MachineFolders.in(root, 2500, Start)
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
      val folders = MachineFolders.in(root, 100, Start)
      leave(folders, "a", "x" * 1000)
      assert(content(folders.open("a")).isEmpty && keptIn(root).isEmpty)
    }
  }

  test("what nobody wanted for a day goes") {
    withRoot { root =>
      val folders = MachineFolders.in(root, Ample, Start)
      leave(folders, "a", "of a")
      Files.setLastModifiedTime(newest(root), FileTime.fromMillis(System.currentTimeMillis() - 25L * 3600 * 1000))
      leave(folders, "b", "of b")
      assert(content(folders.open("a")).isEmpty && content(folders.open("b")).isDefined)
    }
  }

  test("what nobody wanted for a day is not used either, if nothing was left since") {
    withRoot { root =>
      val folders = MachineFolders.in(root, Ample, Start)
      leave(folders, "a", "of a")
      touch(newest(root), System.currentTimeMillis() - 25 * Hour)
      assert(content(folders.open("a")).isEmpty && keptIn(root).isEmpty)
    }
  }

  test("what is left takes no more than is free beside it") {
    assert(KeptStores.mostOf(mostBytes = 100, keptBytes = 0, usableBytes = 1000) == 100)
    assert(KeptStores.mostOf(mostBytes = 1000, keptBytes = 60, usableBytes = 40) == 50)
  }

  test("a store that has no room on the disk has all deleted that others left, and nothing that is open") {
    withRoot { root =>
      val folders = MachineFolders.in(root, Ample, Start)
      leave(folders, "a", "of a")
      val open = folders.open("b")
      write(open, "of b")
      folders.open("c").makeRoom()
      assert(keptIn(root).isEmpty && content(open).contains("of b"))
    }
  }

  test("what a dead process left long ago goes though nobody opens its stores") {
    withRoot { root =>
      val dead = MachineFolders.in(root, Ample, Start)
      val open = dead.open("a")
      for (file <- Trees.children(open.path)) touch(file, System.currentTimeMillis() - 25 * Hour)
      dead.abandon()
      MachineFolders.in(root, Ample, Start).tidy()
      assert(!Files.exists(open.path) && keptIn(root).isEmpty)
    }
  }

  test("a folder that all may write to is refused, as they could put another in the place of this one") {
    withRoot { root =>
      Files.setPosixFilePermissions(root.getParent, PosixFilePermissions.fromString("rwxrwxrwx"))
      val refusal = intercept[IOException](MachineFolders.in(root, Ample, Start))
      assert(refusal.getMessage.contains("sticky"))
    }
  }

  test("hard links to one file count once") {
    withRoot { root =>
      val folders = MachineFolders.in(root, 1500, Start)
      val open = folders.open("a")
      write(open, "x" * 1000)
      Files.createLink(open.path.resolve("link"), open.path.resolve("content"))
      open.keep()
      assert(content(folders.open("a")).isDefined)
    }
  }

  test("the folder is its user's alone; one that others may enter is refused") {
    withRoot { root =>
      MachineFolders.in(root, Ample, Start)
      assert(PosixFilePermissions.toString(Files.getPosixFilePermissions(root)) == "rwx------")
      Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"))
      val refusal = intercept[IOException](MachineFolders.in(root, Ample, Start))
      assert(refusal.getMessage.contains(root.toString) && refusal.getMessage.contains("rwxr-xr-x"))
    }
  }

  test("a link to a folder is refused") {
    withRoot { root =>
      val elsewhere = Files.createDirectories(root.getParent.resolve("elsewhere"))
      Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwx------"))
      Files.createSymbolicLink(root, elsewhere)
      intercept[IOException](MachineFolders.in(root, Ample, Start))
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

  private def newest(root: Path): Path = keptIn(root).maxBy(Files.getLastModifiedTime(_).toMillis)

  private def keptIn(root: Path): Seq[Path] = Trees.children(root.resolve("kept").resolve(Start.id))

  private def ownerOf(open: StoreFolder): Path = open.path.getParent.resolve("owner")

  private def touch(file: Path, millis: Long): Unit = {
    Files.setLastModifiedTime(file, FileTime.fromMillis(millis))
    ()
  }

  private def write(folder: StoreFolder, content: String): Unit = {
    Files.writeString(folder.path.resolve("content"), content)
    ()
  }

  private def content(folder: StoreFolder): Option[String] = {
    val file = folder.path.resolve("content")
    Option.when(Files.exists(file))(Files.readString(file))
  }
}
