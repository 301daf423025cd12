package org.apache.spark.sql.execution.streaming.state.rockstate.rewind

import java.nio.file.{Files, Paths}

import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.classic.SparkSession

import io.rockstate.PythonGateway

class PythonGatewaySuite extends AnyFunSuite with BeforeAndAfterAll {
  private val golden = Paths.get("../../tests/golden/checkpoints/4.0/aggregation-f1").toAbsolutePath.normalize
  private lazy val session =
    SparkSession.builder().master("local[2]").config("spark.ui.enabled", value = false).getOrCreate()

  override def afterAll(): Unit =
    try session.stop()
    finally super.afterAll()

  private def fork(gateway: PythonGateway): String = {
    val to = Files.createTempDirectory("fork").resolve("new")
    gateway.fork(session, s"""{"from":"$golden","to":"$to","isDryRun":true}""")
  }

  test("what is cancelled while it looks at a checkpoint, before it has a job, fails") {
    assert(fork(new PythonGateway).startsWith("""{"answer":"""))
    val gateway = new PythonGateway
    gateway.cancel()
    assert(fork(gateway).startsWith("""{"error":"""))
  }

  test("checkpoints are looked into with the settings of the session's context") {
    session.sparkContext.hadoopConfiguration.set("fs.viewfs.mounttable.rockstate.link./golden", golden.toUri.toString)
    val inspected = new PythonGateway().checkpoint("viewfs://rockstate/golden", verify = false)
    assert(inspected.startsWith("""{"answer":"""), inspected)
  }

  test("what a query was begun with is deleted although its program has stopped the session") {
    val begun = Files.createDirectories(Files.createTempDirectory("begun").resolve("new/offsets"))
    session.stop()
    SparkSession.clearActiveSession()
    assert(new PythonGateway().forgetBeginning(begun.getParent.toString) === """{"answer":{}}""")
    assert(!Files.exists(begun.getParent))
  }
}
