package io.rockstate.testkit

import io.rockstate.files.{RemoteFile, RemoteFiles, RemoteInput, RemoteOutput}

/** Storage whose every call is a point of a schedule, once before its effect and once before its answer. An interrupt ends a call there. */
final class ScheduledFiles(under: RemoteFiles, schedule: Schedule) extends ForwardingFiles(under) {
  override def create(name: String): RemoteOutput =
    call(s"create $name")(new ScheduledOutput(name, under.create(name)))
  override def open(name: String): RemoteInput = call(s"open $name")(under.open(name))
  override def list(folder: String): Seq[RemoteFile] = call(s"list $folder")(under.list(folder))
  override def delete(name: String): Unit = call(s"delete $name")(under.delete(name))

  private def call[A](what: String)(effect: => A): A = {
    point(what)
    val result = effect
    point(s"$what is done")
    result
  }

  private def point(what: String): Unit = {
    schedule.point(what)
    if (Thread.interrupted()) throw new InterruptedException(what)
  }

  private final class ScheduledOutput(name: String, output: RemoteOutput) extends RemoteOutput {
    override def write(byte: Int): Unit = output.write(byte)
    override def write(bytes: Array[Byte], offset: Int, length: Int): Unit = output.write(bytes, offset, length)
    override def publish(): Unit = call(s"publish $name")(output.publish())
    override def publishIfAbsent(): Boolean = call(s"publish $name if it is absent")(output.publishIfAbsent())
    override def cancel(): Unit = output.cancel()
  }
}
