package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.spark.SPARK_VERSION

import io.rockstate.errors.Unsupported

/** Refuses to be constructed on a Spark that this jar is not built for.
  *
  * It is the provider's superclass because a superclass's constructor runs before the initializers of Spark's traits: on another
  * minor those may already fail with an AbstractMethodError that names no remedy.
  */
abstract class SparkVersionCheck {
  SparkVersionCheck.verify(SPARK_VERSION)
}

object SparkVersionCheck {

  /** Throws `Unsupported` unless `running` (such as "4.2.0") is a release of the minor this jar is built for, and has all that it calls. */
  private[rockstate] def verify(running: String): Unit = {
    val minor = minorOf(running)
    if (minor != BuiltFor.minor) {
      throw new Unsupported(
        s"This Rockstate jar is built for Spark ${BuiltFor.minor}, but it runs on Spark $running",
        s"Replace rockstate-spark-${BuiltFor.minor} on the class path by rockstate-spark-$minor of the same release: " +
          s"`rockstate jar --spark $minor` says where it is, or which there are"
      )
    }
    if (patchOf(running) < patchOf(BuiltFor.firstRelease)) {
      throw new Unsupported(
        s"This Rockstate jar needs Spark ${BuiltFor.firstRelease} or a later release of ${BuiltFor.minor}, but it runs on Spark $running",
        s"Go on to the newest Spark ${BuiltFor.minor}: state stores are written and read alike"
      )
    }
  }

  private def minorOf(version: String): String = version.split('.').take(2).mkString(".")

  /** Of "4.2.1-SNAPSHOT" 1. */
  private def patchOf(version: String): Int =
    version.split('.').drop(2).headOption.map(_.takeWhile(_.isDigit)).flatMap(_.toIntOption).getOrElse(0)
}
