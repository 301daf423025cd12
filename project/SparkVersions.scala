/** The one table of Spark minors: which release is built against, and which shim folders go into its jar. */
object SparkVersions {

  /** @param minor    as in the jar's name
    * @param full     the release compiled and tested against
    * @param scala    the Scala that it runs with
    * @param hasTests whether its modules, and their tests, are in the usual repository; else its jars come out of PyPI's pyspark
    * @param shims    what the names of its folders under `jvm/spark/src/main/shims` have after `spark-`
    */
  final case class SparkVersion(minor: String, full: String, scala: String, hasTests: Boolean, shims: Seq[String])

  val all: Seq[SparkVersion] = Seq(
    SparkVersion("4.0", "4.0.4", "2.13.16", hasTests = true, Seq("4.0", "4.0-4.1", "4.0-4.2")),
    SparkVersion("4.1", "4.1.3", "2.13.17", hasTests = true, Seq("4.1", "4.0-4.1", "4.0-4.2", "4.1-4.2", "4.1-4.3")),
    SparkVersion("4.2", "4.2.0", "2.13.18", hasTests = true, Seq("4.2", "4.0-4.2", "4.1-4.2", "4.1-4.3", "4.2-4.3")),
    SparkVersion("4.3", "4.3.0", "2.13.18", hasTests = false, Seq("4.3", "4.1-4.3", "4.2-4.3"))
  )

  /** What is tested in full, and built unless another is asked for: the newest with tests. */
  val default: SparkVersion = all.filter(_.hasTests).last

  /** Core runs with every minor: it is compiled with the oldest Scala. */
  val oldestScala: String = all.head.scala

  /** The release to build for: `-Drockstate.spark=4.1`, or the default. */
  def selected: SparkVersion = sys.props.get("rockstate.spark") match {
    case None => default
    case Some(minor) =>
      all.find(_.minor == minor).getOrElse {
        sys.error(s"rockstate.spark=$minor is not in project/SparkVersions.scala: ${all.map(_.minor).mkString(", ")}")
      }
  }
}
