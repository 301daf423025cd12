package org.apache.spark.sql.execution.streaming.state.rockstate.errors

import org.apache.spark.sql.execution.streaming.state.StateStoreId

import io.rockstate.errors._

/** Errors of the engine, which knows no partition, told of the store that they happened in. */
private[rockstate] final class InStore(id: StateStoreId) {
  private val place = s"operator ${id.operatorId}, partition ${id.partitionId}, store ${id.storeName}"

  /** For `try body catch inStore.tell`: costs nothing where nothing fails. */
  val tell: PartialFunction[Throwable, Nothing] = { case e: StateStoreException => throw told(e) }

  /** The error with the store in its problem, of the same kind and from the same place in the code; another's as it is. */
  def told(error: Throwable): Throwable = error match {
    case ours: StateStoreException =>
      val told = again(ours, s"${ours.problem} ($place)")
      told.setStackTrace(ours.getStackTrace)
      ours.getSuppressed.foreach(told.addSuppressed)
      told
    case other => other
  }

  private def again(e: StateStoreException, problem: String): StateStoreException = e match {
    case _: CorruptFile => new CorruptFile(problem, e.remedy, e.file.orNull, e.version, e.getCause)
    case _: NotFound => new NotFound(problem, e.remedy, e.file.orNull, e.version, e.getCause)
    case _: Conflict => new Conflict(problem, e.remedy, e.file, e.version)
    case _: Unavailable => new Unavailable(problem, e.remedy, e.file, e.version, e.getCause)
    case _: OutOfMemory => new OutOfMemory(problem, e.remedy, e.getCause)
    case _: Unsupported => new Unsupported(problem, e.remedy, e.file, e.version)
    case _: Misuse => new Misuse(problem, e.remedy, e.version)
  }
}
