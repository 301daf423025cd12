package org.apache.spark.sql.execution.streaming.state.rockstate.conformance

import java.util.UUID

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores.LabRows

import LabCommandsSuite._

class LabCommandsSuite extends AnyFunSuite {
  private val mapper = new ObjectMapper

  private final class Client(provider: Class[_ <: StateStoreProvider], format: Int = 1) {
    val lab = s"lab-${UUID.randomUUID()}"
    private val commands = new LabCommands
    private val conf =
      s""""conf": {"spark.sql.streaming.stateStore.providerClass": "${provider.getName}",
         "spark.sql.streaming.stateStore.checkpointFormatVersion": "$format"}"""

    /** Commands without their braces, in single quotes; LAB and CONF stand for what they say. */
    def run(all: String*): Vector[JsonNode] = {
      val text = all.map(c => s"{${c.replace('\'', '"').replace("LAB", s""""lab": "$lab"""").replace("CONF", conf)}}")
      val outcomes = mapper.readTree(commands.run(text.mkString("[", ",", "]")))
      Vector.tabulate(outcomes.size)(outcomes.get)
    }

    def ok(all: String*): Vector[String] = run(all: _*).map { outcome =>
      assert(outcome.has("ok"), outcome)
      outcome.get("ok").toString.replace('"', '\'')
    }

    def failed(command: String): String = run(command).head.path("error").path("class").asText
  }

  Seq(classOf[HDFSBackedStateStoreProvider], classOf[io.rockstate.RockStateStoreProvider]).foreach { provider =>
    test(s"${provider.getSimpleName}: rows go in and come out, and another instance finds them") {
      val client = new Client(provider)
      val answers = client.ok(
        "'op': 'provider_open', 'provider': 'a', LAB, CONF, 'encoder': 'prefix'",
        "'op': 'begin', 'provider': 'a', 'store': 's', 'version': 0",
        "'op': 'put', 'store': 's', 'key': ['x', 1], 'value': ['v', -5]",
        "'op': 'put', 'store': 's', 'key': ['x', 2], 'value': [null, null]",
        "'op': 'put', 'store': 's', 'key': ['y', 1], 'value': ['w', 1]",
        "'op': 'remove', 'store': 's', 'key': ['y', 1]",
        "'op': 'get', 'store': 's', 'key': ['x', 1]",
        "'op': 'get', 'store': 's', 'key': ['y', 1]",
        "'op': 'commit', 'store': 's'",
        "'op': 'provider_close', 'provider': 'a'",
        "'op': 'provider_open', 'provider': 'a', LAB, CONF, 'encoder': 'prefix'",
        "'op': 'begin_read', 'provider': 'a', 'store': 'r', 'version': 1",
        "'op': 'iter_open', 'store': 'r', 'iter': 'i', 'kind': 'prefix', 'prefix': ['x']",
        "'op': 'iter_next', 'iter': 'i', 'store': 'r'",
        "'op': 'iter_next', 'iter': 'i', 'store': 'r', 'n': 5",
        "'op': 'iter_close', 'iter': 'i', 'store': 'r'",
        "'op': 'release', 'store': 'r'",
        "'op': 'maintain', 'provider': 'a'",
        "'op': 'provider_close', 'provider': 'a'"
      )
      assert(answers(6) == "['v',-5]" && answers(7) == "null")
      assert(
        answers(8) == "{'version':1,'said_again':true,'said_version':1,'said_partition':0,'id':null,'base_id':null}"
      )
      assert(Set(answers(13), answers(14)) == Set("[[['x',1],['v',-5]]]", "[[['x',2],[null,null]]]"))
    }
  }

  test("checkpoint ids are told, and asked for by name") {
    val client = new Client(classOf[io.rockstate.RockStateStoreProvider], format = 2)
    val committed = client
      .run(
        "'op': 'provider_open', 'provider': 'a', LAB, CONF",
        "'op': 'begin', 'provider': 'a', 'store': 's', 'version': 0",
        "'op': 'put', 'store': 's', 'key': ['x'], 'value': ['v', 1]",
        "'op': 'commit', 'store': 's'"
      )
      .last
    val id = committed.path("ok").path("id").asText
    assert(client.ok(s"'op': 'begin', 'provider': 'a', 'store': 's', 'version': 1, 'id': '$id'", scan).last == oneRow)
    assert(client.failed("'op': 'begin', 'provider': 'a', 'store': 't', 'version': 1, 'id': 'other'").nonEmpty)
    client.ok("'op': 'abort', 'store': 's'", "'op': 'provider_close', 'provider': 'a'")
  }

  test("a row that is held is the store's own, and a held pair its iterator's last") {
    val client = new Client(classOf[RocksDBStateStoreProvider])
    val answers = client.ok(
      "'op': 'provider_open', 'provider': 'a', LAB, CONF",
      "'op': 'begin', 'provider': 'a', 'store': 's', 'version': 0",
      "'op': 'put', 'store': 's', 'key': ['x'], 'value': ['v', 1]",
      "'op': 'put', 'store': 's', 'key': ['y'], 'value': ['w', 2]",
      "'op': 'hold', 'store': 's', 'key': ['x'], 'row': 'r'",
      "'op': 'held', 'store': 's', 'row': 'r'",
      "'op': 'get', 'store': 's', 'key': ['y']",
      "'op': 'held', 'store': 's', 'row': 'r'",
      "'op': 'iter_open', 'store': 's', 'iter': 'i', 'kind': 'scan'",
      "'op': 'iter_hold', 'store': 's', 'iter': 'i', 'row': 'p'",
      "'op': 'iter_has_next', 'store': 's', 'iter': 'i'",
      "'op': 'held', 'store': 's', 'row': 'p'",
      "'op': 'abort', 'store': 's'",
      "'op': 'provider_close', 'provider': 'a'"
    )
    assert(
      Seq(5, 6, 7).map(answers) == Seq("['v',1]", "['w',2]", "['w',2]")
    ) // Spark's provider has one row for all gets
    assert(Seq(10, 11).map(answers) == Seq("true", "[['x'],['v',1]]"))
  }

  test("maintenance has a thread of its own") {
    val client = new Client(classOf[TellsThreads])
    client.ok(
      "'op': 'provider_open', 'provider': 'a', LAB, CONF",
      "'op': 'maintain', 'provider': 'a'",
      "'op': 'custom_metrics', 'provider': 'a'"
    )
    assert(TellsThreads.all.distinct.size == 2)
  }

  test("a crash takes the providers with it, and the old version is there after it") {
    val client = new Client(classOf[io.rockstate.RockStateStoreProvider])
    client.ok(
      "'op': 'provider_open', 'provider': 'a', LAB, CONF",
      "'op': 'begin', 'provider': 'a', 'store': 's', 'version': 0",
      "'op': 'put', 'store': 's', 'key': ['x'], 'value': ['v', 1]",
      "'op': 'commit', 'store': 's'",
      "'op': 'fault', LAB, 'at': 2, 'mode': 'crash_torn'",
      "'op': 'begin', 'provider': 'a', 'store': 's', 'version': 1",
      "'op': 'put', 'store': 's', 'key': ['y'], 'value': ['v', 1]"
    )
    assert(client.failed("'op': 'commit', 'store': 's'").nonEmpty)
    assert(client.ok("'op': 'heal', LAB") == Vector("true"))
    assert(client.failed("'op': 'maintain', 'provider': 'a'") == "Usage")
    val answers = client.ok(
      "'op': 'provider_open', 'provider': 'a', LAB, CONF",
      "'op': 'begin', 'provider': 'a', 'store': 's', 'version': 1",
      scan,
      "'op': 'abort', 'store': 's'",
      "'op': 'provider_close', 'provider': 'a'"
    )
    assert(answers(2) == oneRow)
  }

  test("a row is another one after the call it was given to") {
    val rows = new LabRows("none")
    val json = mapper.readTree("""["x"]""")
    val kept = rows.withKey(json) { key =>
      assert(key.getString(0) == "x")
      key
    }
    assert(kept.getString(0) == "Z") // well-formed, and another
    assert(rows.withKey(json)(rows.keyJson) == json)
  }

  test("a row says that it has as many fields as it is told to, with the same bytes") {
    val rows = new LabRows("none")
    val json = mapper.readTree("""["x"]""")
    rows.withKey(json, Some(2))(key => assert(key.numFields == 2 && rows.withKey(json)(_ == key)))
  }

  test("rows are equal or not by their bytes") {
    val rows = new LabRows("none")
    val longer = rows.withKey(mapper.readTree("""["x"]""")) { key =>
      assert(rows.isAsMade(key, isKey = true))
      val row = new UnsafeRow(1)
      row.pointTo(java.util.Arrays.copyOf(key.getBytes, key.getSizeInBytes + 8), key.getSizeInBytes + 8)
      row
    }
    assert(rows.keyJson(longer).toString == """["x"]""" && !rows.isAsMade(longer, isKey = true))
  }

  test("a provider that hangs is left behind, and the others go on") {
    val client = new Client(classOf[Hangs])
    client.ok("'op': 'provider_open', 'provider': 'a', LAB, CONF", "'op': 'provider_open', 'provider': 'b', LAB, CONF")
    assert(client.failed("'op': 'maintain', 'provider': 'a', 'timeout': 1") == "Timeout")
    assert(client.failed("'op': 'begin', 'provider': 'a', 'store': 's', 'version': 0") == "Timeout")
    client.ok("'op': 'begin', 'provider': 'b', 'store': 's', 'version': 0")
  }

  test("mistakes of the caller are told from errors of the provider") {
    val client = new Client(classOf[HDFSBackedStateStoreProvider])
    client.ok("'op': 'provider_open', 'provider': 'a', LAB, CONF")
    Seq(
      "'op': 'get', 'store': 'none', 'key': ['x']",
      "'op': 'fly', 'store': 's'",
      "'op': 'maintain', 'provider': 'b'",
      "'op': 'fault', LAB, 'at': 1, 'mode': 'crash_softly'"
    ).foreach(command => assert(client.failed(command) == "Usage", command))
    client.ok("'op': 'begin', 'provider': 'a', 'store': 's', 'version': 0")
    assert(client.failed("'op': 'put', 'store': 's', 'key': ['x', 'y'], 'value': [null, null]") == "Usage")
    assert(client.failed("'op': 'begin', 'provider': 'a', 'store': 't', 'version': 7").startsWith("org.apache.spark"))
  }
}

object LabCommandsSuite {
  private val scan = "'op': 'scan', 'store': 's'"
  private val oneRow = "[[['x'],['v',1]]]"

  object TellsThreads {
    @volatile var all: Seq[String] = Nil
  }

  class TellsThreads extends HDFSBackedStateStoreProvider {
    override def doMaintenance(): Unit = TellsThreads.all :+= Thread.currentThread.getName
    override def supportedCustomMetrics: Seq[StateStoreCustomMetric] = {
      TellsThreads.all :+= Thread.currentThread.getName
      super.supportedCustomMetrics
    }
  }

  class Hangs extends HDFSBackedStateStoreProvider {
    override def doMaintenance(): Unit = Thread.sleep(60000)
  }
}
