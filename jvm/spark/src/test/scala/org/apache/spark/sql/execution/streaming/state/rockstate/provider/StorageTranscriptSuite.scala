package org.apache.spark.sql.execution.streaming.state.rockstate.provider

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Paths}

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.util.Utils

/** What a store does to shared storage, call by call, is what the transcripts say that lie with the tests: each call is paid for, in time
  * and on object stores in money. After a change that is meant, write them anew: `ROCKSTATE_WRITE_TRANSCRIPTS=1 jvm/sbt "spark/testOnly
  * *StorageTranscriptSuite"`.
  */
class StorageTranscriptSuite extends ProviderTest {
  import TestRows._

  private val settings: Settings = Map(
    SQLConf.STATE_STORE_MIN_DELTAS_FOR_SNAPSHOT.key -> "2",
    SQLConf.MIN_BATCHES_TO_RETAIN.key -> "2",
    SQLConf.RATIO_EXTRA_SPACE_ALLOWED_IN_CHECKPOINT.key -> "0",
    SQLConf.STREAMING_MAINTENANCE_INTERVAL.key -> "1s"
  )

  override protected def newHadoopConf(): Configuration = RecordedFiles.configure(super.newHadoopConf())

  Seq("1", "2").foreach { format =>
    test(s"a store's calls under checkpoint format $format") {
      val found = transcript(format)
      val file = Paths.get("jvm", "spark", "src", "test", "resources", "transcripts", s"format-$format.txt")
      val here = Iterator.iterate(Paths.get("").toAbsolutePath)(_.getParent).map(_.resolve(file)).find(Files.exists(_))
      if (sys.env.contains("ROCKSTATE_WRITE_TRANSCRIPTS")) Files.write(here.get, found.getBytes(UTF_8))
      val wanted = here.map(Files.readString(_)).getOrElse("")
      assert(found == wanted, "\nIf that is meant, see how this suite writes its transcripts.")
    }
  }

  private def transcript(format: String): String = {
    RecordedFiles.forget()
    val root = Utils.createTempDir().toString
    val id = StateStoreId(s"${RecordedFiles.Scheme}://$root", operatorId = 0, partitionId = 3)
    val text = new StringBuilder
    def section(title: String)(calls: => Unit): Unit = {
      RecordedFiles.take(root)
      calls
      text ++= s"$title\n" ++= RecordedFiles.take(s"$root/0/3").map(call => s"  $call\n").mkString ++= "\n"
    }
    val conf = settings + (SQLConf.STATE_STORE_CHECKPOINT_FORMAT_VERSION.key -> format)
    var ids = Map.empty[Long, Option[String]].withDefaultValue(None)
    def batch(provider: StateStoreProvider, base: Long): Unit = {
      val store = provider.getStore(base, ids(base))
      put(store, "a", base.toInt, 1)
      store.commit()
      ids += base + 1 -> store.getStateStoreCheckpointInfo().stateStoreCkptId
    }
    withProvider(id, conf) { provider =>
      section("the first batch")(batch(provider, 0))
      section("the next batch")(batch(provider, 1))
      section("a batch that is aborted")(provider.getStore(2, ids(2)).abort())
      section("maintenance that makes a snapshot")(provider.doMaintenance())
      section("maintenance that has nothing to do")(provider.doMaintenance())
      section("a batch after a snapshot")(batch(provider, 2))
    }
    withProvider(id, conf) { provider =>
      section("a recovery on an empty disk, and a batch")(batch(provider, 3))
      (4 to 7).foreach(base => batch(provider, base.toLong))
      provider.doMaintenance()
      (8 to 11).foreach(base => batch(provider, base.toLong))
      section("maintenance that makes a snapshot and cleans up")(provider.doMaintenance())
    }
    withProvider(id, conf)(provider => section("a second attempt at the last batch, elsewhere")(batch(provider, 11)))
    text.toString
  }
}
