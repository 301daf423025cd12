package io.rockstate.benchmarks

import io.rockstate.benchmarks.lab.Lab

/** One question about a contender. A question leaves the lab's loaded store as its shadow says. */
trait Question {

  /** As in results and on the command line: lower case, underscores. */
  def name: String

  /** Asks it. `CannotDo` if the contender lacks what it takes, `WrongAnswer` if the shadow copy differs. */
  def measure(lab: Lab): Measurement
}

/** The contender cannot do what the question asks. */
final class CannotDo(what: String, cause: Throwable = null) extends RuntimeException(what, cause)

/** The contender returned what was not written. */
final class WrongAnswer(what: String) extends RuntimeException(what)

object CannotDo {

  /** Runs `body`; what Spark's stores throw for operations that they lack becomes `CannotDo`. */
  def unless[T](what: String)(body: => T): T =
    try body
    catch {
      case lacking: UnsupportedOperationException => throw new CannotDo(s"$what: ${lacking.getMessage}", lacking)
    }
}
