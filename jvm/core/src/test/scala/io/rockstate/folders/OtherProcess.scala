package io.rockstate.folders

import java.nio.file.{Files, Path}
import java.util.concurrent.TimeUnit.HOURS

import io.rockstate.engine.apart.OwnJvm

/** A JVM that opens a store on the same machine and prints what it finds. Arguments: a folder that it does not use, the machine's folder, the
  * store.
  */
object OtherProcess {
  val Booted: Long = System.currentTimeMillis() - HOURS.toMillis(3)
  val Start: MachineStart = MachineStart("start", Some(Booted))

  def finds(root: Path, store: String): Option[String] = {
    val ended = OwnJvm.run(getClass, Seq("-Xmx64m", "-XX:+UseSerialGC"), Seq(root.toString, store))
    assert(ended.code == 0, ended.output)
    ended.output.linesIterator.collectFirst { case s"found: $content" => content }
  }

  def main(arguments: Array[String]): Unit = {
    val folder = MachineFolders.in(Path.of(arguments(1)), 1L << 30, Start).open(arguments(2))
    val content = folder.path.resolve("content")
    if (Files.exists(content)) println(s"found: ${Files.readString(content)}")
  }
}
