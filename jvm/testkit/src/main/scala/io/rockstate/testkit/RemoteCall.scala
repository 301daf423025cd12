package io.rockstate.testkit

/** What is done to a store's folder, one call at a time. */
sealed trait RemoteOperation
object RemoteOperation {
  case object Create extends RemoteOperation
  case object Write extends RemoteOperation
  case object Publish extends RemoteOperation
  case object Open extends RemoteOperation
  case object Read extends RemoteOperation
  case object List extends RemoteOperation
  case object Delete extends RemoteOperation
}

/** One call.
  *
  * @param name    the file's name, or the listed folder's
  * @param nth     its place among all calls, from 1
  * @param nthOfIt its place among the calls of the same operation, from 1
  */
final case class RemoteCall(operation: RemoteOperation, name: String, nth: Int, nthOfIt: Int)
