package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.apache.spark.SPARK_VERSION

import io.rockstate.errors.Unsupported

/** Refuses to be constructed on a Spark minor other than the one this jar is built for.
  *
  * It is the provider's superclass because a superclass's constructor runs before the initializers of Spark's traits: on another
  * minor those may already fail with an AbstractMethodError that names no remedy.
  */
abstract class SparkVersionCheck {
  SparkVersionCheck.verify(SPARK_VERSION)
}

object SparkVersionCheck {

  /** Throws `Unsupported` unless `running` (such as "4.2.0") is a release of the minor this jar is built for. */
  private[rockstate] def verify(running: String): Unit = {
    val minor = minorOf(running)
    if (minor != BuiltFor.minor) {
      throw new Unsupported(
        s"This Rockstate jar is built for Spark ${BuiltFor.minor}, but it runs on Spark $running",
        s"Replace rockstate-spark-${BuiltFor.minor} on the class path by rockstate-spark-$minor of the same release"
      )
    }
  }

  private def minorOf(version: String): String = version.split('.').take(2).mkString(".")
}
