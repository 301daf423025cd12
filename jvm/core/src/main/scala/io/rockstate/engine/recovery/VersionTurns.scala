package io.rockstate.engine.recovery

import java.util.concurrent.locks.ReentrantLock

import scala.collection.mutable

import io.rockstate.versions.StateVersion

/** Lets one at a time work on a version; work on different versions goes on side by side. */
private[engine] final class VersionTurns {
  import VersionTurns._

  private val turns = mutable.Map.empty[StateVersion, Turn]

  /** Runs `body` once nobody else works on that version. An interrupt ends the wait. */
  def inTurn[T](version: StateVersion)(body: => T): T = {
    val turn = enter(version)
    try {
      turn.lock.lockInterruptibly()
      try body
      finally turn.lock.unlock()
    } finally leave(version, turn)
  }

  private def enter(version: StateVersion): Turn = synchronized {
    val turn = turns.getOrElseUpdate(version, new Turn)
    turn.users += 1
    turn
  }

  private def leave(version: StateVersion, turn: Turn): Unit = synchronized {
    turn.users -= 1
    if (turn.users == 0) turns -= version
  }
}

private object VersionTurns {
  final class Turn {
    val lock = new ReentrantLock
    var users = 0
  }
}
