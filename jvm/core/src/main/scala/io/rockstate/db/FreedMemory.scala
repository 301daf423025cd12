package io.rockstate.db

import java.lang.management.ManagementFactory
import java.util.concurrent.TimeUnit.SECONDS
import java.util.concurrent.atomic.AtomicLong
import javax.management.{JMException, JMRuntimeException, ObjectName}

/** Has the C library give the operating system back what RocksDB has freed: glibc keeps that, for each thread by itself, and a container counts
  * it. With 1,000 small stores it was a quarter of their native memory.
  *
  * The JVM has a command for it since 17.0.9, on Linux with glibc; another JVM is left as it is.
  */
private[db] final class FreedMemory {
  import FreedMemory._

  private val notBefore = new AtomicLong(System.nanoTime())

  /** Does so, unless it was done a few seconds ago: it takes some milliseconds, for which the JVM's garbage collector may have to wait. */
  def giveBack(): Unit = {
    val due = notBefore.get
    val now = System.nanoTime()
    if (now - due >= 0 && notBefore.compareAndSet(due, now + SECONDS.toNanos(EverySeconds))) trim()
  }

  private def trim(): Unit =
    try {
      ManagementFactory.getPlatformMBeanServer.invoke(Commands, Trim, Array.empty[AnyRef], Array.empty[String])
      ()
    } catch { case _: JMException | _: JMRuntimeException => }
}

private object FreedMemory {
  private val EverySeconds = 10L
  private val Commands = new ObjectName("com.sun.management:type=DiagnosticCommand")
  private val Trim = "systemTrimNativeHeap"
}
