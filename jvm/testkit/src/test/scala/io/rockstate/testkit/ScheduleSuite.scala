package io.rockstate.testkit

import java.util.concurrent.locks.ReentrantLock

import org.scalatest.funsuite.AnyFunSuite

class ScheduleSuite extends AnyFunSuite {

  /** Three threads that say who they are, three times each. */
  private def said(seed: Long): Vector[String] = {
    val schedule = new Schedule(seed)
    var words = Vector.empty[String]
    schedule.run(Seq("a", "b", "c").map { name =>
      name -> { () =>
        (1 to 3).foreach { i =>
          words :+= s"$name$i"
          schedule.point(s"after $name$i")
        }
      }
    }: _*)
    words
  }

  test("one thread goes on at a time, in an order that is the seed's") {
    val orders = (1L to 20L).map(seed => said(seed))
    assert(orders.forall(_.sorted == Vector("a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3")))
    assert(orders.distinct.size > 10 && (1L to 20L).map(said) == orders)
  }

  test("a thread that waits for a lock is left to itself, and goes on once it has it") {
    (1L to 10L).foreach { seed =>
      val schedule = new Schedule(seed)
      val lock = new Object
      var done = Vector.empty[String]
      def holding(name: String)(): Unit = lock.synchronized {
        schedule.point(s"$name has it")
        done :+= name
      }
      schedule.run("first" -> holding("first") _, "second" -> holding("second") _)
      assert(done.sorted == Vector("first", "second"))
    }
  }

  test("what one throws is told, with the turns before") {
    val schedule = new Schedule(seed = 1)
    val error = intercept[AssertionError] {
      schedule.run(
        "good" -> (() => schedule.point("half-way")),
        "bad" -> (() => { schedule.point("about to fail"); throw new IllegalStateException("it fails") })
      )
    }
    assert(Seq("it fails", "bad: about to fail", "good: half-way").forall(error.getMessage.contains))
  }

  test("an interrupt ends a call to storage at its point, and nothing has happened or all of it") {
    val outcomes = (1L to 40L).map { seed =>
      val schedule = new Schedule(seed, interrupts = 2)
      val memory = new MemoryFiles
      var isInterrupted = false
      schedule.run("writer" -> { () =>
        try {
          val output = new ScheduledFiles(memory, schedule).create("1.delta")
          output.publish()
        } catch { case _: InterruptedException => isInterrupted = true }
      })
      (isInterrupted, memory.names.size)
    }
    assert(outcomes.toSet == Set((true, 0), (true, 1), (false, 1)))
  }

  test("who waits for a lock may be interrupted there") {
    val interrupted = (1L to 40L).count { seed =>
      val schedule = new Schedule(seed, interrupts = 1000)
      val lock = new ReentrantLock
      var isInterrupted = false
      def holding(name: String)(): Unit =
        try {
          lock.lockInterruptibly()
          try (1 to 3).foreach(i => schedule.point(s"$name has it, $i"))
          finally lock.unlock()
        } catch { case _: InterruptedException => isInterrupted = true }
      schedule.run("first" -> holding("first") _, "second" -> holding("second") _)
      assert(!isInterrupted || schedule.interruptedWaits == 1)
      isInterrupted
    }
    assert(interrupted > 5 && interrupted < 40)
  }

  test("threads that are not run by it are not held up") {
    new Schedule(seed = 1).point("anywhere")
  }
}
