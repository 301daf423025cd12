package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import java.util.Properties
import java.util.concurrent.atomic.AtomicLong

import scala.util.control.NonFatal

import org.apache.spark.{TaskContext, TaskContextImpl}
import org.apache.spark.executor.TaskMetrics
import org.apache.spark.sql.execution.streaming.state.StateStore

/** The task of Spark's that a thread is at work for. */
private[conformance] object LabTask {

  private val attempts = new AtomicLong

  /** Of a partition that is none of the stores', as a union's are not those of its aggregations.
    *
    * @param attempt how many of the task's attempts were before
    */
  def begin(attempt: Int): Unit = TaskContext.setTaskContext(
    new TaskContextImpl(
      0, // stage
      0, // its attempt
      Partition,
      attempts.incrementAndGet(),
      attempt,
      Partition + 1, // partitions
      null, // memory
      new Properties,
      null, // Spark's metrics
      TaskMetrics.empty,
      1 // CPU, whose type and name differ among Spark minors
    )
  )

  /** Does what Spark does in a task, in one of its own if the thread has none. */
  def during[T](body: => T): T =
    if (TaskContext.get() != null) body
    else {
      begin(attempt = 0)
      try body
      finally end()
    }

  /** A transaction, which Spark aborts if its task ends before its commit. Stores for reading it leaves as they are. */
  def aborting(store: StateStore): StateStore = {
    Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit](_ => if (!store.hasCommitted) store.abort()))
    store
  }

  /** Has this done at the task's end, after what is asked for later. */
  def atEnd(work: => Unit): Unit = TaskContext.get().addTaskCompletionListener[Unit](_ => work): Unit

  /** The task has failed, and those who asked for it are told; what they throw Spark logs. */
  def fail(): Unit = {
    val task = TaskContext.get()
    val failure = new RuntimeException("The task has failed")
    try {
      quietly(task.markTaskFailed(failure))
      quietly(task.markTaskCompleted(Some(failure)))
    } finally TaskContext.unset()
  }

  /** The task has done its work. What those throw who asked to be told fails it all the same. */
  def end(): Unit =
    try TaskContext.get().markTaskCompleted(None)
    finally TaskContext.unset()

  private val Partition = 1 << 20

  private def quietly(body: => Unit): Unit =
    try body
    catch { case NonFatal(_) => }
}
