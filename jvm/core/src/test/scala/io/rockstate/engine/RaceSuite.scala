package io.rockstate.engine

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.testkit.{ClosesHandles, Counting, Seeds}

/** All that may meet on one store, in an order that a seed chooses, call by call: the query sees its own commits and nothing else. */
class RaceSuite extends AnyFunSuite with ClosesHandles with Counting {
  private val casts: Seq[(String, Int, Cast)] = Seq(
    ("speculative twins", 150, Cast(twins = 2)),
    ("attempts that were given up, and commit late", 150, Cast(zombies = 3)),
    ("the query of before a restart, which goes on", 150, Cast(earlierRuns = 1, maintainers = 1)),
    ("maintenance, and stores that are closed amid batches", 150, Cast(maintainers = 1, unloads = 2, readers = 1)),
    ("clean-ups and uploads on two executors, and readers", 150, Cast(maintainers = 2, readers = 2)),
    ("interrupts", 150, Cast(maintainers = 1, readers = 1, zombies = 1, interrupts = 40)),
    ("all of it", 150, Cast(1, 1, 1, 1, 1, 1, 80))
  )

  for {
    checkpointIds <- Seq(false, true)
    (what, seeds, cast) <- casts
  } test(s"a query and $what, checkpoint ids ${if (checkpointIds) "on" else "off"}") {
    Seeds.first(seeds).foreach { seed =>
      val race = new Race(seed, checkpointIds, cast)
      try race.run()
      catch { case e: Throwable => throw new AssertionError(s"seed $seed: $e", e) }
      count("interleavings")
      count("turns", race.turns.toLong)
      count("waits for others interrupted", race.interruptedWaits.toLong)
    }
  }
}
