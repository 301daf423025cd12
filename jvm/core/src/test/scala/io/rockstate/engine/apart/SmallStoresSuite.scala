package io.rockstate.engine.apart

import java.lang.management.ManagementFactory
import java.nio.file.Path
import javax.management.ObjectName

import scala.jdk.CollectionConverters._
import scala.util.Try

import org.scalatest.Tag
import org.scalatest.funsuite.AnyFunSuite

/** What a process holds, and how it ends. */
class SmallStoresSuite extends AnyFunSuite {
  test("200 stores of 50 rows keep to a budget of 64 MB, with 32 MB for what each store takes beside its rows") {
    val found = ManyStores.measure(stores = 200, rows = 50, batchRows = 20, budget = 64L << 20)
    info(found.toString)
    assert(found.bytes <= (64L << 20) + (32L << 20))
  }

  test(
    "1,000 stores of 1,000 rows keep to a budget of 256 MB and 64 MB more, and a row costs less than twice as much as with 10",
    Tag("io.rockstate.Slow")
  ) {
    val Seq(few, many) = Seq(10, 1000).map { stores =>
      val found =
        ManyStores.measure(stores, rows = 1000, batchRows = 100, budget = 256L << 20)
      info(s"$stores: $found")
      found
    }: @unchecked
    assert(many.bytes <= (256L << 20) + (64L << 20))
    assert(many.cpuNanosPerRow < few.cpuNanosPerRow * 2)
  }

  test("maintenance gives memory back that RocksDB has freed, where the JVM has a command for it") {
    val commands = ManagementFactory.getPlatformMBeanServer
      .getMBeanInfo(new ObjectName("com.sun.management:type=DiagnosticCommand"))
      .getOperations
    assume(commands.exists(_.getName == "systemTrimNativeHeap"))
    val ended = OwnJvm.run(GiveBack.getClass, Seq("-Xmx256m", "-XX:+UseSerialGC"), Nil)
    val held = ended.output.linesIterator.collectFirst { case GiveBack.Line(before, after) =>
      before.toLong - after.toLong
    }
    assert(held.exists(_ > GiveBack.FreedBytes / 2), ended)
  }

  test(
    "a full local disk ends a recovery, and a store that is written anew, with an error that says so, and never makes it wait"
  ) {
    // A mount that only this process sees; not everybody may make one.
    def onSmallDisk(folder: Path): Seq[String] =
      Seq("unshare", "--mount", "sh", "-c", "mount -t tmpfs -o size=6m tmpfs \"$0\" && exec \"$@\"", folder.toString)
    assume(
      Try(new ProcessBuilder((onSmallDisk(Path.of("/mnt")) :+ "true").asJava).start().waitFor()).toOption.contains(0)
    )
    val ended = OwnJvm.run(
      FullDisk.getClass,
      Seq("-Xmx512m"),
      Nil,
      within = folder => Seq("timeout", "120") ++ onSmallDisk(folder)
    )
    val outcomes = ended.output.linesIterator.filter(_.startsWith("outcome")).toVector
    assert(outcomes.size == 7 && outcomes.last.contains("No space left"), ended)
    assert(
      outcomes.forall(o => o == "outcome 300000 rows" || (o.contains("Unavailable") && o.contains("No space left"))),
      outcomes
    )
    assert(outcomes.exists(_.contains("No space left")), outcomes)
    assert(ended.output.contains("a store's own database is used"), ended.output)
    assert(ended.output.contains("a store's folder is opened"), "what others have left gives way")
  }

  test("a JVM that ends amid flushes ends well") {
    (1 to 4).foreach { _ =>
      val ended = OwnJvm.run(EndAmidFlushes.getClass, Seq("-Xmx256m", "-XX:+UseSerialGC"), Nil)
      assert(ended.code == 0, ended.output)
    }
  }
}
