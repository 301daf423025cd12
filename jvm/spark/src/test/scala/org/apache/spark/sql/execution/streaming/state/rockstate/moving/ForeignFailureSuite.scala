package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import java.nio.file.AccessDeniedException

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.SparkException

import io.rockstate.errors.{NotFound, OutOfMemory}

class ForeignFailureSuite extends AnyFunSuite {
  private def failed(cause: Throwable) = ForeignFailure.of(new SparkException("Job aborted", cause))

  test("each failure has the remedy that fits it") {
    assert(failed(new AccessDeniedException("/new")).remedy.contains("rights to read and write"))
    Seq(failed(_), ForeignFailure.of _).map(_(new OutOfMemoryError("Java heap space"))).foreach { failure =>
      assert(failure.isInstanceOf[OutOfMemory] && failure.remedy.contains("spark.driver.memory"))
    }
    assert(failed(new SparkException("[SPARK_JOB_CANCELLED] Job 3 cancelled")).problem.contains("was cancelled"))
    val ours = new NotFound("It is gone", "Restore it.", "7.delta")
    assert(failed(ours) eq ours)
  }
}
