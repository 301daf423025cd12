package io.rockstate.testkit

import io.rockstate.errors.Unavailable
import io.rockstate.files.{RemoteFile, RemoteFiles, RemoteInput, RemoteOutput}
import java.io.InputStream

/** When a failing call fails: nothing has happened yet, or all of it has and only the caller does not know. */
sealed trait FaultMoment
object FaultMoment {
  case object BeforeEffect extends FaultMoment
  case object AfterEffect extends FaultMoment
}

/** Lets calls fail with `Unavailable`, as `rule` says; the others go to `under`. Cancelling an output never fails. */
final class FaultyFiles(under: RemoteFiles, rule: RemoteCall => Option[FaultMoment]) extends RemoteFiles {
  import RemoteOperation._

  private var done = Vector.empty[RemoteCall]
  private var ofOperation = Map.empty[RemoteOperation, Int].withDefaultValue(0)

  /** The calls so far, failed ones too. */
  def calls: Vector[RemoteCall] = synchronized(done)

  override def location: String = under.location
  override def leftovers(): Seq[RemoteFile] = under.leftovers()
  override def deleteLeftover(file: RemoteFile): Unit = under.deleteLeftover(file)

  override def create(name: String): RemoteOutput =
    attempt(Create, name)(new FaultyOutput(name, under.create(name)))(_.cancel())

  override def open(name: String): RemoteInput =
    attempt(Open, name) {
      val input = under.open(name)
      new RemoteInput(new FaultyStream(name, input.stream), input.length)
    }(_.close())

  override def list(folder: String): Seq[RemoteFile] = attempt(List, folder)(under.list(folder))(_ => ())

  override def delete(name: String): Unit = attempt(Delete, name)(under.delete(name))(_ => ())

  /** Runs one call. Where it fails after its effect, `discard` gets the result that the caller never sees. */
  private def attempt[A](operation: RemoteOperation, name: String)(effect: => A)(discard: A => Unit): A = {
    val call = count(operation, name)
    val fault = rule(call)
    if (fault.contains(FaultMoment.BeforeEffect)) throw failure(call, "before")
    val result = effect
    if (fault.contains(FaultMoment.AfterEffect)) {
      discard(result)
      throw failure(call, "after")
    }
    result
  }

  private def count(operation: RemoteOperation, name: String): RemoteCall = synchronized {
    ofOperation += operation -> (ofOperation(operation) + 1)
    val call = RemoteCall(operation, name, done.size + 1, ofOperation(operation))
    done = done :+ call
    call
  }

  private def failure(call: RemoteCall, moment: String): Unavailable =
    new Unavailable(
      s"Call ${call.nth}, ${call.operation}, is made to fail $moment its effect",
      "Try again.",
      Some(call.name)
    )

  private final class FaultyOutput(name: String, output: RemoteOutput) extends RemoteOutput {
    override def write(byte: Int): Unit = attempt(Write, name)(output.write(byte))(_ => ())
    override def write(bytes: Array[Byte], offset: Int, length: Int): Unit =
      attempt(Write, name)(output.write(bytes, offset, length))(_ => ())
    override def publish(): Unit = attempt(Publish, name)(output.publish())(_ => ())
    override def publishIfAbsent(): Boolean = attempt(Publish, name)(output.publishIfAbsent())(_ => ())
    override def cancel(): Unit = output.cancel()
  }

  private final class FaultyStream(name: String, stream: InputStream) extends InputStream {
    override def read(): Int = attempt(Read, name)(stream.read())(_ => ())
    override def read(bytes: Array[Byte], offset: Int, length: Int): Int =
      attempt(Read, name)(stream.read(bytes, offset, length))(_ => ())
    override def close(): Unit = stream.close()
  }
}

object FaultyFiles {

  /** Only the `n`-th call of all fails. */
  def failing(under: RemoteFiles, n: Int, moment: FaultMoment): FaultyFiles =
    new FaultyFiles(under, call => Option.when(call.nth == n)(moment))

  /** Only the `n`-th call of one operation fails. */
  def failing(under: RemoteFiles, operation: RemoteOperation, n: Int, moment: FaultMoment): FaultyFiles =
    new FaultyFiles(under, call => Option.when(call.operation == operation && call.nthOfIt == n)(moment))
}
