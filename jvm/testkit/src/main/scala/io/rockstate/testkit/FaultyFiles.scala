package io.rockstate.testkit

import java.io.InputStream

import io.rockstate.errors.{NotFound, Unavailable}
import io.rockstate.files.{RemoteFile, RemoteFiles, RemoteInput, RemoteOutput}

/** Storage with faults; calls that none of them is for go to `under`. Cancelling an output never fails, nor does what clean-up does to
  * leftovers.
  */
final class FaultyFiles(under: RemoteFiles, faults: Fault*) extends ForwardingFiles(under) {
  import RemoteOperation._

  private var done = Vector.empty[RemoteCall]
  private val met = new Array[Int](faults.size) // how many calls each fault's could have been

  /** The calls so far, failed ones too. */
  def calls: Vector[RemoteCall] = synchronized(done)

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
    val meant = faultsOf(RemoteCall(operation, name, Thread.currentThread.getName))
    meant.foreach {
      case fault: FailBefore => throw failure(fault, name)
      case fault: Interrupt => throw new InterruptedException(fault.toString)
      case fault: Lose => throw new NotFound(fault.toString, "Look for it.", name)
      case Hold(_, gate) => gate.pass()
      case _: FailAfter =>
    }
    val result = effect
    meant.collectFirst { case fault: FailAfter => fault }.foreach { fault =>
      discard(result)
      throw failure(fault, name)
    }
    result
  }

  /** Counts the call, and says which faults are for it. */
  private def faultsOf(call: RemoteCall): Seq[Fault] = synchronized {
    done = done :+ call
    faults.zipWithIndex.collect {
      case (fault, i) if fault.calls.isAmong(call) && { met(i) += 1; fault.calls.includesNth(met(i)) } => fault
    }
  }

  private def failure(fault: Fault, name: String): Unavailable =
    new Unavailable(s"A fault of the test: $fault", "Try again.", Some(name))

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
