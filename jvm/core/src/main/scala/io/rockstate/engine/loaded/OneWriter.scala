package io.rockstate.engine.loaded

import java.util.concurrent.TimeUnit.MILLISECONDS
import java.util.concurrent.locks.ReentrantLock

/** Has one thread at a time write to a database, in the order in which they came. One that reads a large delta from slow storage may be at it
  * for long.
  */
private[loaded] final class OneWriter {
  private val lock = new ReentrantLock(true)

  /** Runs `body` once nobody else writes. */
  def alone[T](body: => T): T = {
    lock.lock()
    held(body)
  }

  /** The same for who can be told meanwhile to stop. */
  def interruptibly[T](body: => T): T = {
    lock.lockInterruptibly()
    held(body)
  }

  /** The same for who waits so many milliseconds at most; false, and nothing done, if it is longer, or who waits is interrupted. */
  def within(millis: Long)(body: => Unit): Boolean = {
    val isHeld = lock.tryLock() || waited(millis)
    if (isHeld) held(body)
    isHeld
  }

  private def held[T](body: => T): T =
    try body
    finally lock.unlock()

  private def waited(millis: Long): Boolean = millis > 0 && (try lock.tryLock(millis, MILLISECONDS)
  catch {
    case _: InterruptedException =>
      Thread.currentThread().interrupt()
      false
  })
}
