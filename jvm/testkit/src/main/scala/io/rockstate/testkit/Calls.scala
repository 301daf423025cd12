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
  val all: Seq[RemoteOperation] = Seq(Create, Write, Publish, Open, Read, List, Delete)
}

/** One call.
  *
  * @param name   the file's name, or the listed folder's
  * @param thread the name of the thread that made it
  */
final case class RemoteCall(operation: RemoteOperation, name: String, thread: String)

/** Some of the calls to a store's folder, such as `Calls.of(Open).named("*.delta").nth(2)`: those of one operation on files with certain names
  * by one thread, and of these the ones from a first to a last, counted from 1.
  */
final case class Calls private (
    operation: Option[RemoteOperation],
    name: Option[String],
    thread: Option[String],
    first: Int,
    last: Int
) {

  /** @param pattern `*` stands for any characters, also for none */
  def named(pattern: String): Calls = copy(name = Some(pattern))
  def onThread(name: String): Calls = copy(thread = Some(name))
  def nth(n: Int): Calls = copy(first = n, last = n)
  def from(n: Int): Calls = copy(first = n)

  /** Whether it is one of them, wherever it stands among them. */
  def isAmong(call: RemoteCall): Boolean =
    operation.forall(_ == call.operation) && thread.forall(_ == call.thread) && name.forall(matches(_, call.name))

  def includesNth(n: Int): Boolean = first <= n && n <= last

  override def toString: String = {
    val number = if (first == last) s"$first" else if (first > 1) s"$first and later ones" else "each"
    s"${operation.getOrElse("call")} ($number)" + name.fold("")(pattern => s" of $pattern") +
      thread.fold("")(name => s" on thread $name")
  }

  private def matches(pattern: String, name: String): Boolean =
    pattern.split("\\*", -1).map(java.util.regex.Pattern.quote).mkString(".*").r.matches(name)
}

object Calls {
  val all: Calls = Calls(None, None, None, 1, Int.MaxValue)
  def of(operation: RemoteOperation): Calls = Calls(Some(operation), None, None, 1, Int.MaxValue)
}
