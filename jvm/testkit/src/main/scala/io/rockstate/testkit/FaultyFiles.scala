package io.rockstate.testkit

import java.io.InputStream

import io.rockstate.errors.{NotFound, Unavailable}
import io.rockstate.files.{FileNames, RemoteFile, RemoteFiles, RemoteInput, RemoteOutput}

/** Storage with faults; calls that none of them is for go to `under`. Cancelling an output never fails, nor does what clean-up does to
  * leftovers.
  */
final class FaultyFiles(under: RemoteFiles, faults: Fault*) extends ForwardingFiles(under) {
  import RemoteOperation._

  private var done = Vector.empty[RemoteCall]
  private val met = new Array[Int](faults.size) // how many calls each fault's could have been
  private var hits = 0
  private val keepsListings = faults.exists(_.isInstanceOf[ListStale])
  @volatile private var before = Map.empty[String, Seq[RemoteFile]] // the listings as of before the last change
  private val isStale = ThreadLocal.withInitial(() => false)

  /** The calls so far, failed ones too. */
  def calls: Vector[RemoteCall] = synchronized(done)

  /** How often a fault has come to pass. */
  def faultsMet: Int = synchronized(hits)

  override def create(name: String): RemoteOutput =
    attempt(Create, name)(new FaultyOutput(name, under.create(name)))(_.cancel())

  override def open(name: String): RemoteInput =
    attempt(Open, name) {
      val input = under.open(name)
      new RemoteInput(new FaultyStream(name, input.stream), input.length)
    }(_.close())

  override def list(folder: String): Seq[RemoteFile] = attempt(List, folder) {
    if (isStale.get) before.getOrElse(folder, Seq.empty) else under.list(folder)
  }(_ => ())

  override def delete(name: String): Unit = attempt(Delete, name)(changing(under.delete(name)))(_ => ())

  /** Runs one call. Where the caller never sees the result, `discard` gets it.
    *
    * @param onLate runs if the effect is still to come
    */
  private def attempt[A](operation: RemoteOperation, name: String, onLate: => Unit = ())(effect: => A)(
      discard: A => Unit
  ): A = {
    val meant = faultsOf(RemoteCall(operation, name, Thread.currentThread.getName))
    meant.foreach {
      case fault: FailBefore => throw failure(fault, name)
      case fault: Interrupt => throw new InterruptedException(fault.toString)
      case fault: Lose => throw new NotFound(fault.toString, "Look for it.", name)
      case fault @ TakeEffectLate(_, gate) if operation == Publish || operation == Delete =>
        onLate
        gate.whenOpened(() => discard(effect))
        throw failure(fault, name)
      case Hold(_, gate) => gate.pass()
      case _: FailAfter | _: ListStale | _: TakeEffectLate =>
    }
    isStale.set(meant.exists(_.isInstanceOf[ListStale]))
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
      case (fault, i) if fault.calls.isAmong(call) && { met(i) += 1; fault.calls.includesNth(met(i)) } =>
        hits += 1
        fault
    }
  }

  private def changing[A](change: => A): A = {
    if (keepsListings) before = Seq("", FileNames.TableFolder).map(folder => folder -> under.list(folder)).toMap
    change
  }

  private def failure(fault: Fault, name: String): Unavailable =
    new Unavailable(s"A fault of the test: $fault", "Try again.", Some(name))

  private final class FaultyOutput(name: String, output: RemoteOutput) extends RemoteOutput {
    override def write(byte: Int): Unit = attempt(Write, name)(output.write(byte))(_ => ())
    override def write(bytes: Array[Byte], offset: Int, length: Int): Unit =
      attempt(Write, name)(output.write(bytes, offset, length))(_ => ())
    private var isUnderWay = false // what is to be published late cannot be taken back

    override def publish(): Unit = publishing(output.publish())
    override def publishIfAbsent(): Boolean = publishing(output.publishIfAbsent())
    override def cancel(): Unit = if (!isUnderWay) output.cancel()

    private def publishing[A](publish: => A): A =
      attempt(Publish, name, onLate = isUnderWay = true)(changing(publish))(_ => ())
  }

  private final class FaultyStream(name: String, stream: InputStream) extends InputStream {
    override def read(): Int = attempt(Read, name)(stream.read())(_ => ())
    override def read(bytes: Array[Byte], offset: Int, length: Int): Int =
      attempt(Read, name)(stream.read(bytes, offset, length))(_ => ())
    override def close(): Unit = stream.close()
  }
}
