package io.rockstate.benchmarks

import java.nio.file.Files

import io.rockstate.benchmarks.lab.{Lab, StorageCounters}
import io.rockstate.benchmarks.questions.Questions

/** Asks one contender one or several questions and writes a file for each to `--out`. Exit codes: 2 bad arguments, 3 the contender cannot do
  * it (also what a JVM exits with when it is out of memory), 4 a wrong answer, 1 any other failure.
  */
object Main {
  def main(arguments: Array[String]): Unit = {
    val code =
      try {
        run(Plan.parse(arguments.toSeq))
        0
      } catch {
        case wrong: WrongAnswer => failed(4, s"WRONG ANSWER ${wrong.getMessage}")
        case lacking: CannotDo => failed(3, s"CANNOT ${lacking.getMessage}")
        case bad: IllegalArgumentException => failed(2, bad.toString, bad)
        case failure: Exception => failed(1, failure.toString, failure)
      }
    // Some providers leave threads behind.
    System.exit(code)
  }

  /** Questions that the contender cannot answer are skipped if there are several. */
  private def run(plan: Plan): Unit = {
    val questions = Questions.named(plan.questions)
    Files.createDirectories(plan.out)
    StorageCounters.start(Thread.currentThread, plan.latencyMillis)
    val lab = new Lab(plan)
    questions.foreach { question =>
      try {
        val measured = question.measure(lab)
        ResultFile.write(plan, question.name, measured)
        lab.endQuestion()
      } catch {
        case lacking: CannotDo if questions.size > 1 =>
          System.err.println(s"CANNOT ${question.name}: ${lacking.getMessage}")
        case wrong: WrongAnswer =>
          throw new WrongAnswer(s"${plan.contender} to ${question.name}, round ${plan.round}: ${wrong.getMessage}")
      }
    }
    lab.close()
  }

  private def failed(code: Int, message: String, cause: Exception = null): Int = {
    System.err.println(message)
    if (cause != null) cause.printStackTrace()
    code
  }
}
