package io.rockstate.testkit

import java.lang.management.ManagementFactory
import java.util.concurrent.Semaphore

import scala.collection.mutable
import scala.util.Random

/** Says which of several threads goes on, wherever one of them comes to a point: one at a time does, chosen by the seed. A thread that waits for
  * another one, say for a lock, is left to itself until it comes to its next point.
  *
  * @param interrupts of so many turns one comes with an interrupt, and who waits for another one is interrupted now and then; 0 for none
  */
final class Schedule(seed: Long, interrupts: Int = 0) {
  import Schedule._

  private val random = new Random(seed)
  private val interrupting = new Random(~seed)
  private val threads = ManagementFactory.getThreadMXBean
  private val actors = mutable.ArrayBuffer.empty[Actor]
  private val turns = mutable.ArrayBuffer.empty[String]

  /** Who went on, and from where, so far. */
  def trace: Vector[String] = synchronized(turns.toVector)

  /** How often who waited for another one was interrupted. */
  def interruptedWaits: Int = trace.count(_.endsWith(WaitInterrupted))

  /** Runs all of them to their ends. The first failure of one is thrown, with the last turns. */
  def run(bodies: (String, () => Unit)*): Unit = {
    synchronized {
      bodies.foreach { case (name, body) => actors += new Actor(name, body) }
      actors.foreach(_.thread.start())
    }
    watch()
    actors.foreach(_.thread.join())
    actors.flatMap(_.failure).headOption.foreach { failure =>
      throw new AssertionError(s"$failure; the last turns were ${trace.takeRight(TurnsShown).mkString(", ")}", failure)
    }
  }

  /** Waits for its turn; does nothing on threads that are not run by this. */
  def point(what: => String): Unit = actorHere.foreach { actor =>
    synchronized {
      actor.at = what
      actor.state = Parked
      next()
    }
    actor.takeTurn()
  }

  private def actorHere: Option[Actor] = {
    val thread = Thread.currentThread
    actors.find(_.thread eq thread)
  }

  /** Lets one go on if nobody else does. Who waited for another one and is on its way again counts as going on. */
  private def next(): Unit = if (!actors.exists(isGoing) && !isWaitInterrupted()) {
    val parked = actors.filter(_.state == Parked)
    if (parked.nonEmpty) {
      val chosen = parked(random.nextInt(parked.size))
      turns += s"${chosen.name}: ${chosen.at}"
      chosen.state = Going
      chosen.hasTurn = false
      if (interrupts > 0 && chosen.at != Start && random.nextInt(interrupts) == 0) {
        turns += s"${chosen.name} is interrupted"
        chosen.thread.interrupt()
      }
      chosen.turn.release()
    }
  }

  /** Whether somebody who waits for another one, wherever that is, has been interrupted just now. */
  private def isWaitInterrupted(): Boolean = {
    val waiting = actors.filter(actor => actor.state == Waiting && !actor.thread.isInterrupted)
    val isDue = interrupts > 0 && waiting.nonEmpty && interrupting.nextInt(WaitsForInterrupt) == 0
    if (isDue) {
      val chosen = waiting(interrupting.nextInt(waiting.size))
      turns += s"${chosen.name}$WaitInterrupted"
      chosen.thread.interrupt()
    }
    isDue
  }

  private def isGoing(actor: Actor): Boolean =
    actor.state == Going || (actor.state == Waiting && !isWaiting(actor.thread))

  /** Until all have ended, sees to it that one goes on. */
  private def watch(): Unit = {
    var looks = 0
    while (synchronized(actors.exists(_.state != Ended))) {
      Thread.sleep(LookMillis)
      synchronized {
        actors.filter(_.state == Going).foreach { actor =>
          if (!actor.hasTurn || !isWaiting(actor.thread)) actor.looks = 0
          else actor.looks += 1
          if (actor.looks == LooksToWait) {
            actor.looks = 0
            actor.state = Waiting
          }
        }
        val before = turns.size
        next()
        looks = if (turns.size > before || actors.exists(_.state == Going)) 0 else looks + 1
      }
      if (looks > MostLooks) throw new AssertionError(s"They wait for each other:\n${stacks.mkString("\n")}")
    }
  }

  private def stacks: Seq[String] = synchronized {
    actors.toSeq.filter(_.state != Ended).map { actor =>
      s"${actor.name} (${actor.state}, at ${actor.at}) ${actor.thread.getStackTrace.take(30).mkString("\n    ")}"
    }
  }

  /** Not if it only waits to say here where it is. */
  private def isWaiting(thread: Thread): Boolean = thread.getState match {
    case Thread.State.BLOCKED => !isAtThisLock(thread)
    case Thread.State.WAITING | Thread.State.TIMED_WAITING => true
    case _ => false
  }

  private def isAtThisLock(thread: Thread): Boolean =
    Option(threads.getThreadInfo(thread.getId)).flatMap(info => Option(info.getLockInfo)).exists { lock =>
      lock.getIdentityHashCode == System.identityHashCode(this)
    }

  private final class Actor(val name: String, body: () => Unit) {
    var state: State = Parked
    var at: String = Start
    var looks = 0
    val turn = new Semaphore(0)
    @volatile var hasTurn = false // a thread may be slow to wake up
    @volatile var failure: Option[Throwable] = None

    val thread = new Thread(
      () => {
        takeTurn()
        try body()
        catch { case e: Throwable => failure = Some(e) }
        finally
          Schedule.this.synchronized {
            state = Ended
            next()
          }
      },
      name
    )
    thread.setDaemon(true)

    def takeTurn(): Unit = {
      turn.acquireUninterruptibly()
      hasTurn = true
    }
  }
}

private object Schedule {
  sealed trait State
  case object Parked extends State
  case object Going extends State
  case object Waiting extends State
  case object Ended extends State

  val Start = "starts"
  val WaitInterrupted = " is interrupted while it waits"
  val WaitsForInterrupt = 4
  val LookMillis = 1L
  val LooksToWait = 2
  val MostLooks = 20000
  val TurnsShown = 60
}
