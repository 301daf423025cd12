package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import java.nio.file.AccessDeniedException

import org.apache.hadoop.fs.UnsupportedFileSystemException
import org.apache.hadoop.util.VersionInfo
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
    Seq(
      failed(new NoClassDefFoundError("software/amazon/awssdk/core/exception/SdkException")),
      ForeignFailure.of(new NoSuchMethodError("'void org.apache.hadoop.fs.impl.X.y()'")),
      ForeignFailure.of(
        new RuntimeException(new ClassNotFoundException("Class org.apache.hadoop.fs.s3a.S3AFileSystem not found"))
      ),
      ForeignFailure.of(new UnsupportedFileSystemException("No FileSystem for scheme \"s3a\"")),
      failed(new SparkException("Task failed: java.lang.NoClassDefFoundError: software/amazon"))
    ).foreach(failure => assert(failure.remedy.contains(s"hadoop-aws:${VersionInfo.getVersion}"), failure))
    val unknown = ForeignFailure.of(new UnsupportedFileSystemException("No FileSystem for scheme \"s3\""))
    assert(unknown.problem.contains("No file system is known") && unknown.remedy.contains("s3a://"))
    Seq("[SPARK_JOB_CANCELLED] Job 3 cancelled", "Job 3 cancelled because SparkContext was shut down").foreach { said =>
      assert(failed(new SparkException(said)).problem.contains("was cancelled"))
    }
    val ours = new NotFound("It is gone", "Restore it.", "7.delta")
    assert(failed(ours) eq ours)
  }
}
