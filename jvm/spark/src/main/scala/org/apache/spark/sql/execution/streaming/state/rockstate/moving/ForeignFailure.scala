package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import scala.annotation.tailrec

import org.apache.hadoop.fs.UnsupportedFileSystemException
import org.apache.hadoop.util.VersionInfo

import org.apache.spark.SparkException

import io.rockstate.errors.{OutOfMemory, StateStoreException, Unavailable}

/** What Spark, Hadoop or the JVM have thrown, as an error that says what to do. */
object ForeignFailure {

  /** A job's failure is that of its task. */
  @tailrec
  def of(e: Throwable): StateStoreException = e match {
    case e: StateStoreException => e
    case e: SparkException if e.getCause != null => of(e.getCause)
    case e if says(e, "OutOfMemoryError", "ExecutorLostFailure", "exceeding memory limits") =>
      new OutOfMemory(
        s"Memory ran out, or an executor was lost: $e",
        "Give more heap, such as --conf spark.driver.memory=8g, or let fewer tasks run at a time, such as --conf spark.master=local[1].",
        e
      )
    case e if says(e, "SPARK_JOB_CANCELLED", "cancelled part of cancelled job group", "SparkContext was shut down") =>
      failure(e, "The job was cancelled", "Run the same command again: it starts over.")
    case e if isUnknownScheme(e) =>
      failure(
        e,
        "No file system is known for such an address",
        "Check the address, which for S3 begins with s3a://, or give its file system's jar with --jars or --packages."
      )
    case e if isOfJars(e) =>
      failure(
        e,
        "A class is missing, or is not of the version that Spark's Hadoop needs",
        s"Give what has it with --jars or --packages: for s3a --packages org.apache.hadoop:hadoop-aws:${VersionInfo.getVersion}, and no other version of it."
      )
    case e =>
      val remedy =
        "Check the addresses, that their file systems can be reached from here, and your rights to read and write."
      failure(e, "A file or folder cannot be read or written", remedy)
  }

  private def isUnknownScheme(e: Throwable): Boolean =
    causes(e).exists(cause => cause.isInstanceOf[UnsupportedFileSystemException] && !cause.getMessage.contains("s3a"))

  /** Of a task Spark may tell no more than the text. */
  private def isOfJars(e: Throwable): Boolean =
    causes(e).exists {
      case _: LinkageError | _: ClassNotFoundException | _: UnsupportedFileSystemException => true
      case _ => false
    } || says(e, "ClassNotFoundException", "NoClassDefFoundError", "NoSuchMethodError")

  private def causes(e: Throwable): Iterator[Throwable] = Iterator.iterate(e)(_.getCause).takeWhile(_ != null)

  private def says(e: Throwable, words: String*): Boolean = words.exists(e.toString.contains)

  /** Spark's own message may be of a kind only: the first cause is told, too. */
  private def failure(e: Throwable, problem: String, remedy: String): Unavailable = {
    val first = Some(causes(e).toVector.last).filter(_ ne e).fold("")(cause => s" ($cause)")
    new Unavailable(s"$problem: $e$first", remedy, None, cause = e)
  }
}
