package org.apache.spark.sql.execution.streaming.state.rockstate.conf

import java.util.Locale

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.streaming.state.StateStoreConf
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.BuiltFor
import org.apache.spark.sql.internal.SQLConf

import io.rockstate.errors.{Misuse, Unsupported}

class ProviderConfSuite extends AnyFunSuite {
  private val prefix = "spark.sql.streaming.stateStore.rockstate."

  private def read(settings: (String, String)*): ProviderConf = {
    val conf = new SQLConf
    settings.foreach { case (key, value) => conf.setConfString(key, value) }
    ProviderConf(new StateStoreConf(conf))
  }

  test("without options every one has its default") {
    val conf = read()
    assert(conf.memory == MemoryAsked(None, None))
    assert(conf.engine.fetchThreads == 8)
  }

  test("sizes take Spark's suffixes, and plain numbers are bytes") {
    assert(read(prefix + "memoryBudget" -> "512m").memory.budgetBytes.contains(512L * 1024 * 1024))
    assert(read(prefix + "memoryBudget" -> "2g").memory.budgetBytes.contains(2L * 1024 * 1024 * 1024))
    assert(read(prefix + "memoryBudget" -> "33554432").memory.budgetBytes.contains(33554432L))
  }

  test("keys match whatever their case") {
    assert(read(prefix + "FETCHTHREADS" -> "7").engine.fetchThreads == 7)
    assert(read(prefix.replace("rockstate", "Rockstate") + "fetchThreads" -> "7").engine.fetchThreads == 7)
  }

  test("an unknown option is refused with the list of valid ones") {
    val refused = intercept[Misuse](read(prefix + "memoryBuget" -> "512m"))
    assert(refused.problem == s"Unknown option ${prefix}memoryBuget (did you mean ${prefix}memoryBudget?)")
    ProviderConf.entries.foreach(entry => assert(refused.getMessage.contains(entry.key)))
  }

  test("an option of Spark's under our prefix is refused with Spark's key, one like no other without a hint") {
    Seq(
      "minDeltasForSnapshot" -> SQLConf.STATE_STORE_MIN_DELTAS_FOR_SNAPSHOT.key,
      "compression.codec" -> SQLConf.STATE_STORE_COMPRESSION_CODEC.key,
      "minBatchToRetain" -> SQLConf.MIN_BATCHES_TO_RETAIN.key
    ).foreach { case (name, near) =>
      assert(intercept[Misuse](read(prefix + name -> "1")).problem.endsWith(s"$name (did you mean $near?)"))
    }
    assert(intercept[Misuse](read(prefix + "colour" -> "1")).problem == s"Unknown option ${prefix}colour")
  }

  test("a session's keys that providers never see are refused with the key to write") {
    Seq(prefix.toLowerCase(Locale.ROOT) + "memoryBudget", "spark.rockstate.memoryBudget").foreach { key =>
      val conf = new SQLConf
      conf.setConfString(key, "1g")
      val refused = intercept[Misuse](ProviderConf.ofSession(conf))
      assert(refused.problem == s"Unknown option $key (did you mean ${prefix}memoryBudget?)")
    }
    val others = new SQLConf
    Seq("spark.app.name" -> "rockstate.x", "spark.my.rockstate.budget" -> "1", prefix + "memorybudget" -> "1g")
      .foreach { case (key, value) => others.setConfString(key, value) }
    assert(ProviderConf.ofSession(others).memory.budgetBytes.contains(1L << 30))
  }

  test("a second memory that differs from the first is told of once, with both") {
    val inForce = new MemoryInForce
    def ask(budget: String, share: Int) =
      inForce.warning(read(prefix + "memoryBudget" -> budget, prefix + "heapShare" -> share.toString))
    assert(ask("512m", 50).isEmpty && ask("512m", 50).isEmpty)
    val told = ask("1g", 50).get
    Seq("1024.0 MiB with heapShare 50", "512.0 MiB with heapShare 50").foreach { sizes =>
      assert(told.contains(s"memoryBudget $sizes"))
    }
    assert(ask("1g", 50).isEmpty && ask("512m", 50).isEmpty)
    assert(inForce.warning(read()).exists(_.contains("asks for memoryBudget auto, but memoryBudget 512.0 MiB with")))
    assert(ask("512m", 20).exists(_.contains("memoryBudget 512.0 MiB with heapShare 20")))
  }

  test("a share of a budget that is not said is refused, but for none") {
    val refused = intercept[Misuse](read(prefix + "heapShare" -> "75"))
    assert(refused.problem.contains(s"${prefix}heapShare is a part of ${prefix}memoryBudget, which is auto"))
    assert(refused.remedy.contains(s"Set ${prefix}memoryBudget to a size"))
    assert(intercept[Misuse](read(prefix + "memoryBudget" -> "auto", prefix + "heapShare" -> "50")) != null)
    assert(read(prefix + "heapShare" -> "0").memory == MemoryAsked(None, Some(0)))
    assert(
      read(prefix + "memoryBudget" -> "2g", prefix + "heapShare" -> "75").memory == MemoryAsked(
        Some(2L << 30),
        Some(75)
      )
    )
  }

  test("an invalid value is refused with the rule and the default") {
    Seq(
      "memoryBudget" -> "lots",
      "memoryBudget" -> "1k",
      "memoryBudget" -> "-5m",
      "memoryBudget" -> "automatic",
      "heapShare" -> "91",
      "heapShare" -> "half",
      "fetchThreads" -> "0",
      "fetchThreads" -> "many"
    ).foreach { case (name, value) =>
      val refused = intercept[Misuse](read(prefix + name -> value))
      withClue(refused.getMessage) {
        assert(refused.problem.contains(s"$prefix$name is '$value'") && refused.problem.contains("must be"))
        assert(refused.remedy.contains("default"))
      }
    }
  }

  test("every option's default keeps its own rule") {
    ProviderConf.entries.foreach(entry => entry.read(Map.empty))
  }

  test("every option says its unit, meaning and rule") {
    ProviderConf.entries.foreach(entry => assert(Seq(entry.unit, entry.meaning, entry.rule).forall(_.nonEmpty)))
  }

  test("Spark's own state store confs are honoured") {
    val settings = read(
      SQLConf.STATE_STORE_MIN_DELTAS_FOR_SNAPSHOT.key -> "3",
      SQLConf.MIN_BATCHES_TO_RETAIN.key -> "7",
      SQLConf.RATIO_EXTRA_SPACE_ALLOWED_IN_CHECKPOINT.key -> "0.5",
      "spark.sql.streaming.stateStore.maxVersionsToDeletePerMaintenance" -> "11",
      SQLConf.STATE_STORE_COMPRESSION_CODEC.key -> "zstd",
      SQLConf.STATE_STORE_CHECKPOINT_FORMAT_VERSION.key -> "2"
    ).engine
    assert(settings.minDeltasForSnapshot == 3)
    assert(settings.minVersionsToRetain == 7)
    assert(settings.minVersionsToDelete == math.round(0.5 * 7))
    assert(settings.maxVersionsToDelete == (if (BuiltFor.minor == "4.0") -1 else 11))
    assert(settings.codec == "zstd")
    assert(settings.checkpointIds)
  }

  test("compression codecs are taken by Spark's short names and by class") {
    def codecFor(name: String) = read(SQLConf.STATE_STORE_COMPRESSION_CODEC.key -> name).engine.codec
    Seq("lz4", "zstd", "snappy", "lzf").foreach(name => assert(codecFor(name) == name))
    assert(codecFor("ZSTD") == "zstd")
    assert(codecFor("org.apache.spark.io.SnappyCompressionCodec") == "snappy")
    assert(intercept[Unsupported](codecFor("com.example.MyCodec")).getMessage.contains("lz4"))
  }
}
