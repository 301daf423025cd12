package io.rockstate.db

import java.util.concurrent.TimeUnit.SECONDS

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Try

/** The databases that are open in this JVM. When it ends, their background work ends first: RocksDB's threads go on while the process takes
  * down what they use, and a flush that was under way then crashed it.
  */
private[db] object OpenDatabases {

  /** A disk that does not answer must not keep the JVM from ending. */
  private val PatienceSeconds = 5L

  private val open = mutable.Set.empty[LocalDb]
  private val last = mutable.Set.empty[() => Unit]
  private var isEnding = false

  Runtime.getRuntime.addShutdownHook(new Thread(() => end(), "rockstate-end"))

  /** False if the JVM is ending: the database must not be used then. */
  def add(db: LocalDb): Boolean = synchronized {
    if (!isEnding) open += db
    !isEnding
  }

  def remove(db: LocalDb): Unit = synchronized { open -= db; () }

  def count: Int = synchronized(open.size)

  def addLast(action: () => Unit): Unit = synchronized { last += action; () }

  def removeLast(action: () => Unit): Unit = synchronized { last -= action; () }

  /** Tells all of them before it waits for any. Who closes one meanwhile has its background work ended, too. */
  private def end(): Unit = {
    patiently(synchronized(last.toVector).asJava.parallelStream.forEach(action => Try(action())))
    val all = synchronized {
      isEnding = true
      open.toVector
    }
    patiently(Seq(false, true).foreach(waiting => all.foreach(_.endBackgroundWork(waiting))))
  }

  private def patiently(work: => Unit): Unit = {
    val ending = new Thread(() => work)
    ending.setDaemon(true)
    ending.start()
    ending.join(SECONDS.toMillis(PatienceSeconds))
  }
}
