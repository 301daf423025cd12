package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import java.util.regex.Matcher.quoteReplacement

/** What Spark keeps beside the stores' rows: operators' metadata, as of a batch, and the schemas of their state. */
private[moving] final class StateMetadata(source: SourceCheckpoint, target: NewCheckpoint) {
  import StateMetadata._

  def copy(): Unit = source.list("state").filter(_.forall(_.isDigit)).foreach { operator =>
    val folder = s"state/$operator"
    copied(s"$folder/_stateSchema")
    copied(s"$folder/_metadata/metadata")
    byBatch(s"$folder/_metadata/v2")
    // The schemas of the other partitions' stores are those of the first one.
    copied(s"$folder/0/_metadata")
    source.foldersIn(s"$folder/0").foreach(store => copied(s"$folder/0/$store/_metadata"))
  }

  private def copied(name: String): Unit = target.copy(source.path(name), name)

  /** These name other files by their whole path. */
  private def byBatch(folder: String): Unit =
    source.list(folder).filter(_.toLongOption.exists(_ <= source.batch)).foreach { batch =>
      val text = source.text(s"$folder/$batch")
      target.write(
        s"$folder/$batch",
        SchemaFile.replaceAllIn(text, m => quoteReplacement(s"\"${target.folder}/${m.group(1)}"))
      )
    }
}

private object StateMetadata {
  private val SchemaFile = """"[^"]*/(state/\d+/_stateSchema/)""".r
}
