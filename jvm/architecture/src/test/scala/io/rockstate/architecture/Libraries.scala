package io.rockstate.architecture

/** What is not ours, by the name that the table of rooms has for it. The JDK's and Scala's own classes are everybody's, and logging. */
object Libraries {
  private val packages: Map[String, Seq[String]] = Map(
    "Spark" -> Seq("org.apache.spark"),
    "Hadoop" -> Seq("org.apache.hadoop"),
    "RocksDB" -> Seq("org.rocksdb"),
    "codecs" -> Seq("net.jpountz", "com.github.luben.zstd", "org.xerial.snappy", "com.ning.compress"),
    "JSON" -> Seq("com.fasterxml.jackson", "org.json4s"),
    "ScalaTest" -> Seq("org.scalatest", "org.scalactic")
  )
  private val everybodys = Seq("java", "javax", "scala", "sun.misc", "org.slf4j")
  private val ours = Seq("io.rockstate", "org.apache.spark.sql.execution.streaming.state.rockstate")

  val names: Set[String] = packages.keySet

  /** What a room's row has to name for the room to use classes of the package; none for what everybody may use. */
  def rowNameOf(packageName: String): Option[String] =
    if (packageName.isEmpty || isIn(packageName, everybodys)) None
    else if (isIn(packageName, ours)) Some(packageName)
    else Some(packages.collectFirst { case (name, all) if isIn(packageName, all) => name }.getOrElse(packageName))

  private def isIn(packageName: String, all: Seq[String]): Boolean =
    all.exists(one => packageName == one || packageName.startsWith(s"$one."))
}
