package io.rockstate.localfiles

import java.io.{FilterOutputStream, IOException, OutputStream}
import java.nio.file.{Files, Paths}

import scala.collection.mutable.ArrayBuffer
import scala.util.matching.Regex

import org.apache.hadoop.fs.Path

/** A process that ends amid its calls to the file system, for tests. What it does to files below one folder is counted, and from some
  * call on nothing is done there any more: the call throws, as does every later one, or it does not return, so that the process can be
  * killed there.
  */
object CutOff {
  @volatile private var watched = fromProperties
  @volatile private var isInterrupted = false

  /** From now on so many calls that change a file below the folder are done, and no more. */
  def after(calls: Int, folder: String): Unit = watched = Some(new Watched(folder, Left(calls), thrown))

  /** The calls since then, as `create offsets/0`; then all are done again. */
  def end(): String = {
    val seen = watched.fold("")(_.calls)
    watched = None
    seen
  }

  private[localfiles] def change(call: String, path: Path): Unit = watched.foreach(_.seen(call, path, isChange = true))
  private[localfiles] def open(path: Path): Unit = watched.foreach(_.seen("open", path, isChange = false))

  private[localfiles] def output(path: Path, to: OutputStream): OutputStream =
    if (watched.isEmpty) to
    else
      new FilterOutputStream(to) {
        override def write(bytes: Array[Byte], offset: Int, length: Int): Unit = {
          change("write", path)
          to.write(bytes, offset, length)
        }
      }

  /** Of a process that is to be killed: the folder, patterns of calls that come one after the other, with `then` between them, and a file
    * that is written when the last of them is about to be done.
    */
  private def fromProperties: Option[Watched] = Option(System.getProperty("rockstate.cutOff.folder")).map { folder =>
    val steps = System.getProperty("rockstate.cutOff.at").split(" then ").toList.map(_.r)
    val sign = Paths.get(System.getProperty("rockstate.cutOff.sign"))
    new Watched(folder, Right(steps), () => waited(sign))
  }

  /** Until the process is killed, the thread is interrupted, or the sign is taken away: then all goes on as if nothing had been. */
  private def waited(sign: java.nio.file.Path): Unit = {
    if (watched.isDefined && !Files.exists(sign)) Files.createFile(sign): Unit
    try while (!isInterrupted && Files.exists(sign)) Thread.sleep(20)
    catch { case _: InterruptedException => isInterrupted = true }
    if (isInterrupted) thrown() else watched = None // for those, too, who wait for this one
  }

  private def thrown: () => Unit = () => throw new IOException("the process has ended")

  private final class Watched(folder: String, var left: Either[Int, List[Regex]], end: () => Unit) {
    private val done = ArrayBuffer.empty[String]

    def calls: String = synchronized(done.mkString("\n"))

    def seen(call: String, path: Path, isChange: Boolean): Unit = {
      val name = path.toUri.getPath
      if (name == folder || name.startsWith(s"$folder/"))
        synchronized {
          count(s"$call ${name.drop(folder.length + 1)}", isChange)
          if (isOver && (isChange || left.isRight)) end()
          else if (isChange) done += s"$call ${name.drop(folder.length + 1)}"
        }
    }

    private def count(text: String, isChange: Boolean): Unit = left = left match {
      case Left(calls) if isChange => Left(calls - 1)
      case Right(step :: rest) if step.matches(text) => Right(rest)
      case other => other
    }

    private def isOver: Boolean = left.fold(_ < 0, _.isEmpty)
  }
}
