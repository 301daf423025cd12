package io.rockstate.testkit

import java.util.concurrent.{CountDownLatch, TimeUnit}

/** What becomes of some calls to storage; its text says so. */
sealed abstract class Fault(what: String) {
  def calls: Calls
  final override def toString: String = s"$calls $what"
}

/** Nothing has happened yet. */
final case class FailBefore(calls: Calls) extends Fault("fails before its effect")

/** All of it has happened, and only the caller does not know. */
final case class FailAfter(calls: Calls) extends Fault("fails after its effect")

/** The caller is told that it failed; it takes effect when the gate is opened, as a request that was on its way for long. Calls that publish
  * nothing and delete nothing are left alone.
  */
final case class TakeEffectLate(calls: Calls, gate: Gate) extends Fault("fails and takes effect later")

/** Listings answer as they would have before the last change to the folder; other calls are left alone. */
final case class ListStale(calls: Calls) extends Fault("does not see the last change")

/** As if its thread were interrupted while it waits; nothing has happened. */
final case class Interrupt(calls: Calls) extends Fault("is interrupted")

/** Somebody else has taken the file away. */
final case class Lose(calls: Calls) extends Fault("finds its file gone")

/** Waits at the gate, then goes on as usual. */
final case class Hold(calls: Calls, gate: Gate) extends Fault("waits at a gate")

/** Where calls wait until the test lets them go on. */
final class Gate {
  private val arrived = new CountDownLatch(1)
  private val opened = new CountDownLatch(1)
  private var late = Vector.empty[() => Unit]

  /** Returns when the first call waits here. */
  def awaitArrival(): Unit = await(arrived, "no call came to the gate")

  /** Lets all calls go on, those too that come later. */
  def open(): Unit = {
    opened.countDown()
    val effects = synchronized {
      val effects = late
      late = Vector.empty
      effects
    }
    effects.foreach(_())
  }

  private[testkit] def whenOpened(effect: () => Unit): Unit = synchronized { late = late :+ effect }

  private[testkit] def pass(): Unit = {
    arrived.countDown()
    await(opened, "nobody opened the gate")
  }

  private def await(latch: CountDownLatch, otherwise: String): Unit =
    if (!latch.await(Gate.MostSeconds, TimeUnit.SECONDS)) throw new IllegalStateException(otherwise)
}

private object Gate {
  val MostSeconds = 30L
}
