package io.rockstate.benchmarks.lab

import java.util.concurrent.atomic.LongAdder

/** Calls and bytes of the checkpoint's file system in this JVM, those of the task's thread apart from all others. */
object StorageCounters {

  /** What one call asks of a storage service. */
  sealed abstract class Kind(val name: String)
  case object Open extends Kind("open")
  case object Create extends Kind("create")
  case object Rename extends Kind("rename")
  case object Delete extends Kind("delete")
  case object List extends Kind("list")
  case object Status extends Kind("status")
  case object MakeFolder extends Kind("mkdirs")

  val kinds: Seq[Kind] = Seq(Open, Create, Rename, Delete, List, Status, MakeFolder)

  /** Calls of the task's thread by kind, those of all others, and bytes of all threads. Deltas are the changelog files of the batches. */
  final case class Reading(
      taskCalls: Map[Kind, Long],
      otherCalls: Map[Kind, Long],
      bytesWritten: Long,
      deltaBytes: Long,
      bytesRead: Long
  ) {
    def since(before: Reading): Reading = Reading(
      taskCalls.map { case (kind, count) => kind -> (count - before.taskCalls(kind)) },
      otherCalls.map { case (kind, count) => kind -> (count - before.otherCalls(kind)) },
      bytesWritten - before.bytesWritten,
      deltaBytes - before.deltaBytes,
      bytesRead - before.bytesRead
    )
  }

  private val onTask = kinds.map(_ -> new LongAdder).toMap
  private val elsewhere = kinds.map(_ -> new LongAdder).toMap
  private val written = new LongAdder
  private val writtenToDeltas = new LongAdder
  private val read = new LongAdder
  @volatile private var task: Thread = _
  @volatile private var latencyMillis = 0

  /** Names the thread whose calls count as the task's, and how long every call takes at least. */
  def start(taskThread: Thread, latencyMillis: Int): Unit = {
    task = taskThread
    this.latencyMillis = latencyMillis
  }

  def now(): Reading = Reading(
    onTask.map { case (kind, count) => kind -> count.sum },
    elsewhere.map { case (kind, count) => kind -> count.sum },
    written.sum,
    writtenToDeltas.sum,
    read.sum
  )

  private[lab] def called(kind: Kind): Unit = {
    (if (Thread.currentThread eq task) onTask else elsewhere) (kind).increment()
    if (latencyMillis > 0) Thread.sleep(latencyMillis.toLong)
  }

  private[lab] def wrote(bytes: Long, toDelta: Boolean): Unit = {
    written.add(bytes)
    if (toDelta) writtenToDeltas.add(bytes)
  }

  private[lab] def readBytes(bytes: Long): Unit = read.add(bytes)
}
