import sbt._

/** The jars of a Spark release that only PyPI has, out of its package `pyspark`. */
object PySparkJars {

  /** Every jar, fetched once into `folder`. */
  def apply(release: String, folder: File): Seq[File] = {
    val jars = folder / s"pyspark-$release"
    if (!jars.isDirectory) fetch(release, jars)
    (jars * "*.jar").get()
  }

  private def fetch(release: String, jars: File): Unit = {
    val command = Seq("bash", "jvm/pyspark_jars", release, jars.getPath)
    if (scala.sys.process.Process(command).! != 0)
      sys.error(s"The jars of Spark $release could not be fetched: ${command.mkString(" ")}")
  }
}
