package io.rockstate.testkit.apart

import org.scalatest.funsuite.AnyFunSuite

/** What a process holds, and how it ends. */
class SmallStoresSuite extends AnyFunSuite {
  test("200 stores of 50 rows keep to a budget of 64 MB, with 32 MB for what each store takes beside its rows") {
    val found = ManyStores.measure(stores = 200, rows = 50, batchRows = 20, budget = 64L << 20)
    info(found.toString)
    assert(found.bytes <= (64L << 20) + (32L << 20))
  }

  test("a JVM that ends amid flushes ends well") {
    (1 to 4).foreach { _ =>
      val ended = OwnJvm.run(EndAmidFlushes.getClass, Seq("-Xmx256m", "-XX:+UseSerialGC"), Nil)
      assert(ended.code == 0, ended.output)
    }
  }
}
