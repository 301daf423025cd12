package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import scala.util.control.NonFatal

import org.apache.spark.TaskContext
import org.apache.spark.sql.execution.streaming.state.StateStore

/** The task of Spark's that a thread is at work for. */
private[conformance] object LabTask {

  def begin(): Unit = TaskContext.setTaskContext(TaskContext.empty())

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

  private def quietly(body: => Unit): Unit =
    try body
    catch { case NonFatal(_) => }
}
