package io.rockstate.engine.apart

import java.nio.file.{Files, Path, Paths}
import java.util.Comparator

import scala.jdk.CollectionConverters._
import scala.util.Using

/** A process for what ends or measures a whole JVM. */
object OwnJvm {

  /** @param output of both kinds */
  final case class Ended(code: Int, output: String)

  /** Runs the main class `main` on this JVM's class path, its first argument a folder that is there until it ends.
    *
    * @param within makes of the folder a command that runs the one behind it
    */
  def run(
      main: Class[_],
      options: Seq[String],
      arguments: Seq[String],
      environment: Map[String, String] = Map.empty,
      within: Path => Seq[String] = _ => Nil
  ): Ended = {
    val folder = Files.createTempDirectory(Paths.get("/dev/shm"), "rockstate-apart")
    try {
      val output = folder.resolve("output")
      val java = Paths.get(System.getProperty("java.home"), "bin", "java").toString
      val classPath = Seq("-cp", System.getProperty("java.class.path"), main.getName.stripSuffix("$"))
      val command = (java +: options) ++ classPath ++ (folder.toString +: arguments)
      val builder = new ProcessBuilder((within(folder) ++ command).asJava)
      builder.environment.putAll(environment.asJava)
      val process = builder
        .directory(folder.toFile)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile)
        .start()
      Ended(process.waitFor(), Files.readString(output))
    } finally delete(folder)
  }

  private def delete(folder: Path): Unit =
    Using.resource(Files.walk(folder))(_.sorted(Comparator.reverseOrder[Path]).iterator.asScala.foreach(Files.delete))
}
