package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.execution.streaming.state.rockstate.provider.StoreProvider

import io.rockstate.errors.Unsupported

class SparkVersionCheckSuite extends AnyFunSuite {

  test("every release of the minor that the jar is built for is accepted, from the first that has all it calls") {
    Seq(SPARK_VERSION, BuiltFor.firstRelease, s"${BuiltFor.minor}.7", s"${BuiltFor.minor}.12-SNAPSHOT")
      .foreach(SparkVersionCheck.verify)
  }

  test("another minor is refused, and the error names both and the jar to use") {
    Seq("3.5.4" -> "3.5", "4.9.1" -> "4.9", "5.0.0" -> "5.0").foreach { case (running, minor) =>
      val refused = intercept[Unsupported](SparkVersionCheck.verify(running))
      assert(refused.problem.contains(BuiltFor.minor) && refused.problem.contains(running))
      assert(refused.remedy.contains(s"rockstate-spark-$minor"))
    }
  }

  test("a release before the first is refused, and the error names that one") {
    val early = s"${BuiltFor.minor}.0"
    if (BuiltFor.firstRelease != early) {
      val refused = intercept[Unsupported](SparkVersionCheck.verify(early))
      assert(refused.problem.contains(BuiltFor.firstRelease) && refused.problem.contains(early))
    }
  }

  test("the check runs before the initializers of Spark's traits") {
    assert(classOf[StoreProvider].getSuperclass == classOf[SparkVersionCheck])
  }
}
