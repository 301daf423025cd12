package io.rockstate.engine

import org.scalatest.funsuite.AnyFunSuite
import io.rockstate.engine.api.EngineSettings
import io.rockstate.testkit.{EngineUnderTest, MemoryFiles, Rows}
import io.rockstate.versions.StateVersion
import Rows._

class ScratchBytes extends AnyFunSuite {
  for ((keys, batch, batches, every) <- Seq((1000000, 50000, 60, 10), (1000000, 50000, 60, 3)))
    test(s"bytes $keys $batch $every") {
      val engine = new EngineUnderTest(new MemoryFiles, EngineSettings(checkpointIds = true, codec = "lz4"), 256L << 20)
      val random = new java.util.Random(1)
      var v = StateVersion.Empty
      var delta, up, files = 0L
      def run(ks: Iterator[Int], n: Int, maintain: Boolean): Unit = {
        val t = engine.begin(v)
        val value = new Array[Byte](32)
        ks.foreach { k => random.nextBytes(value); java.util.Arrays.fill(value, 12, 32, 0.toByte); val b = java.nio.ByteBuffer.allocate(18).putShort(0).putLong(k * 0x9E3779B97F4A7C15L).putLong(k.toLong).array; t.get(b); t.put(b, value.clone) }
        v = t.commit(); delta += t.metrics.deltaBytes
        if (maintain) { val r = engine.maintained(); up += r.uploadedBytes; files += r.uploadedFiles; println(s"$v ${r.snapshot.isDefined} ${r.uploadedBytes} ${r.uploadedFiles}") }
      }
      (0 until keys).grouped(batch).foreach(g => run(g.iterator, batch, false))
      engine.maintained()
      delta = 0; up = 0; files = 0
      val start = System.nanoTime()
      (1 to batches).foreach(i => run(Iterator.fill(batch)(random.nextInt(keys)), batch, i % every == 0))
      println(s"RESULT every $every delta/row ${delta.toDouble / batch / batches} snapshot/row ${up.toDouble / batch / batches} files $files s ${(System.nanoTime() - start) / 1e9}")
      engine.close()
    }
}
