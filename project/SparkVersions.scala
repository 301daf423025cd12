/** The one table of Spark minors: which release is built against, and which shim folders go into its jar. */
object SparkVersions {

  /** @param minor  as in the jar's name
    * @param full   the release compiled and tested against
    * @param shims  folders under `jvm/spark/src/main/shims`
    */
  final case class SparkVersion(minor: String, full: String, shims: Seq[String])

  val all: Seq[SparkVersion] = Seq(
    SparkVersion("4.2", "4.2.0", Seq("spark-4.2"))
  )

  /** The release to build for: `-Drockstate.spark=4.2`, or the newest in the table. */
  val selected: SparkVersion = sys.props.get("rockstate.spark") match {
    case None => all.last
    case Some(minor) =>
      all.find(_.minor == minor).getOrElse {
        sys.error(s"rockstate.spark=$minor is not in project/SparkVersions.scala: ${all.map(_.minor).mkString(", ")}")
      }
  }
}
