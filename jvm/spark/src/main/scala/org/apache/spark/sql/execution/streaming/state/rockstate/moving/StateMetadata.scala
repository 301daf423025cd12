package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import java.util.regex.Matcher.quoteReplacement

/** What Spark keeps beside the stores' rows: operators' metadata, as of a batch, and the schemas of their state.
  *
  * @param partitions the new number of them, if there is one
  */
private[rockstate] final class StateMetadata(source: SourceCheckpoint, target: NewCheckpoint, partitions: Option[Int]) {
  import StateMetadata._

  def copy(): Unit = source.list("state").filter(_.forall(_.isDigit)).foreach { operator =>
    val folder = s"state/$operator"
    copied(s"$folder/_stateSchema")
    if (source.list(s"$folder/_metadata").contains("metadata")) rewritten(s"$folder/_metadata/metadata")
    byBatch(s"$folder/_metadata/v2")
    // The schemas of the other partitions' stores are those of the first one.
    copied(s"$folder/0/_metadata")
    source.foldersIn(s"$folder/0").foreach(store => copied(s"$folder/0/$store/_metadata"))
  }

  private def copied(name: String): Unit = target.copy(source.path(name), name)

  private def byBatch(folder: String): Unit = source
    .list(folder)
    .filter(_.toLongOption.exists(_ <= source.batch))
    .foreach(batch => rewritten(s"$folder/$batch"))

  /** These name schema files by their whole path. */
  private def rewritten(name: String): Unit = {
    val named = SchemaFile.replaceAllIn(source.text(name), m => quoteReplacement(s"\"${target.folder}/${m.group(1)}"))
    target.write(name, partitions.fold(named)(withPartitions(named, _)))
  }
}

private[rockstate] object StateMetadata {
  private val SchemaFile = """"[^"]*/(state/\d+/_stateSchema/)""".r
  private val Partitions = """("numPartitions"\s*:\s*)\d+""".r

  /** An operator's metadata with another number of partitions. */
  def withPartitions(metadata: String, partitions: Int): String =
    Partitions.replaceAllIn(metadata, m => s"${m.group(1)}$partitions")
}
