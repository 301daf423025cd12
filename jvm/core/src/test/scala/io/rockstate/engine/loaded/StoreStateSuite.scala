package io.rockstate.engine.loaded

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.errors.{Conflict, Misuse}
import io.rockstate.format.snapshot.SnapshotManifest
import io.rockstate.testkit.ClosesHandles
import io.rockstate.versions.{ColumnFamily, RowLayout, StateVersion}

/** Which database an open store goes on with, and whose commits it refuses. */
class StoreStateSuite extends AnyFunSuite with ClosesHandles {

  /** Databases at these versions, of which the state is the only holder once it has them. */
  private def withLoaded(versions: Long*)(body: (StoreState, Seq[LoadedUnderTest]) => Unit): Unit = {
    val state = new StoreState
    val all = versions.map(new LoadedUnderTest(_))
    body(state, all)
    state.close().foreach(_.release())
    all.foreach(_.close()) // which fails if somebody still holds one
  }

  /** The version at hand, let go at once. */
  private def atHand(state: StoreState): Option[Long] = state.current.map { loaded =>
    loaded.release()
    loaded.head.version
  }

  private def isRefused(state: StoreState, base: Long): Boolean =
    try {
      state.finishPublishing(state.startPublishing(StateVersion(base), "file"))
      false
    } catch { case _: Conflict => true }

  test("a new store has nothing at hand") {
    withLoaded()((state, _) => assert(state.current.isEmpty && state.deltasSinceSnapshot == 0))
  }

  test("who asks for the database that was installed gets it with a hold of its own") {
    withLoaded(3) { (state, all) =>
      state.install(all.head.db)
      val held = state.current
      assert(held.exists(_ eq all.head.db))
      state.discard(all.head.db)
      assert(state.current.isEmpty && !all.head.isClosed)
      held.foreach(_.release())
    }
  }

  test("a database is installed in place of an older one or one of its version, and never of one that is ahead") {
    withLoaded(3, 5, 4, 5) { (state, all) =>
      val Seq(three, five, four, another) = all: @unchecked
      state.install(three.db)
      state.install(five.db)
      assert(atHand(state).contains(5L))
      state.install(four.db)
      assert(atHand(state).contains(5L))
      state.install(another.db)
      state.current.foreach { current =>
        assert(current eq another.db)
        current.release()
      }
    }
  }

  test("databases are ready to turn for sixteen versions after a batch that was run once more") {
    withLoaded(3, 30) { (state, all) =>
      val Seq(three, thirty) = all: @unchecked
      state.install(three.db)
      state.opening(StateVersion(3))(())
      assert(!three.db.isToTurn)
      state.expectTurns()
      for (version <- 4L to 19L) {
        state.opening(StateVersion(version))(())
        assert(three.db.isToTurn, version)
      }
      state.opening(StateVersion(20))(())
      assert(!three.db.isToTurn)
      state.expectTurns()
      state.install(thirty.db)
      assert(thirty.db.isToTurn)
      state.opening(StateVersion(37))(())
      assert(!thirty.db.isToTurn)
    }
  }

  test("a database that was installed twice is held once") {
    withLoaded(3) { (state, all) =>
      state.install(all.head.db)
      state.install(all.head.db)
      assert(atHand(state).contains(3L))
    }
  }

  test("a broken database is not at hand, and keeps no older one from being installed") {
    withLoaded(5, 4) { (state, all) =>
      val Seq(five, four) = all: @unchecked
      state.install(five.db)
      five.break()
      assert(state.current.isEmpty)
      state.install(four.db)
      assert(atHand(state).contains(4L))
    }
  }

  test("only a broken database is taken away before another one is made") {
    withLoaded(5) { (state, all) =>
      state.install(all.head.db)
      assert(state.takeBroken().isEmpty && atHand(state).contains(5L))
      all.head.break()
      assert(state.takeBroken().map(_.release()).isDefined && state.takeBroken().isEmpty)
    }
  }

  test("only the database that is meant is forgotten") {
    withLoaded(5, 5) { (state, all) =>
      val Seq(current, other) = all: @unchecked
      state.install(current.db)
      state.discard(other.db)
      state.discardVersion(4)
      assert(atHand(state).contains(5L))
      state.discardVersion(5)
      assert(state.current.isEmpty)
    }
  }

  test("the deltas since the snapshot are counted from the one that the database goes back to") {
    withLoaded(5) { (state, all) =>
      state.install(all.head.db)
      assert(state.deltasSinceSnapshot == 5)
      all.head.db.noteSnapshot(
        SnapshotManifest(3, "c3", 0, ColumnFamily.initial, Vector.empty, Vector.empty, RowLayout.Plain)
      )
      assert(state.deltasSinceSnapshot == 2)
    }
  }

  test(
    "a commit on an older version than was opened is refused for good, and says which file and version it would have made"
  ) {
    withLoaded() { (state, _) =>
      state.opening(StateVersion(7))(())
      val refused = intercept[Conflict](state.startPublishing(StateVersion(6), "7.delta"))
      assert(refused.file.contains("7.delta") && refused.version.contains(7L))
      state.opening(StateVersion(3))(()) // reading an old version takes nothing back
      assert(isRefused(state, 6) && !isRefused(state, 7) && !isRefused(state, 8))
    }
  }

  test("it is refused from when the newer version is asked for on, and no more if that one could not be opened") {
    withLoaded() { (state, _) =>
      assertThrows[IllegalStateException](state.opening(StateVersion(7)) {
        state.opening(StateVersion(7))(assert(isRefused(state, 6)))
        throw new IllegalStateException("not there")
      })
      assert(isRefused(state, 6), "the other one was opened")
      assertThrows[IllegalStateException](state.opening(StateVersion(9)) {
        assert(isRefused(state, 8))
        throw new IllegalStateException("not there")
      })
      assert(!isRefused(state, 8))
    }
  }

  test("publications of one file overlap if both are under way at any moment, others do not") {
    withLoaded() { (state, _) =>
      def start(file: String): Publication = state.startPublishing(StateVersion(1), file)
      val (first, other) = (start("2.delta"), start("2_a.delta"))
      val second = start("2.delta")
      assert(first.overlaps && second.overlaps && !other.overlaps)
      state.finishPublishing(first)
      val third = start("2.delta")
      assert(third.overlaps, "the second one goes on")
      Seq(second, third).foreach(state.finishPublishing)
      assert(!start("2.delta").overlaps)
    }
  }

  test("a store that is closed lets its database go and takes no other") {
    withLoaded(3, 4) { (state, all) =>
      val Seq(three, four) = all: @unchecked
      state.install(three.db)
      state.close().foreach(_.release())
      assertThrows[Misuse](state.current)
      assertThrows[Misuse](state.opening(StateVersion(3))(()))
      state.install(four.db)
      assert(state.deltasSinceSnapshot == 0)
      state.close().foreach(_.release())
    }
  }
}
