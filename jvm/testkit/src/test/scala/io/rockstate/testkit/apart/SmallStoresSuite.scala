package io.rockstate.testkit.apart

import java.lang.management.ManagementFactory
import javax.management.ObjectName

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

  test("a JVM that ends amid flushes ends well") {
    (1 to 4).foreach { _ =>
      val ended = OwnJvm.run(EndAmidFlushes.getClass, Seq("-Xmx256m", "-XX:+UseSerialGC"), Nil)
      assert(ended.code == 0, ended.output)
    }
  }
}
