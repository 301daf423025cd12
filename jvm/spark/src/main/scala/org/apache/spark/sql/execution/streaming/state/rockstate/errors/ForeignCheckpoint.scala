package org.apache.spark.sql.execution.streaming.state.rockstate.errors

import java.nio.charset.StandardCharsets.ISO_8859_1

import scala.util.Using

import org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider

import io.rockstate.errors.{CorruptFile, StateStoreException, Unsupported}
import io.rockstate.files.RemoteFiles

/** Tells a file that Spark's file-based provider has written from a damaged one of ours: both are named `17.delta` and `20.snapshot`. (The
  * names of Spark's RocksDB provider are its own; the engine knows them.)
  */
private[rockstate] object ForeignCheckpoint {

  // That provider's files have no header; what its compression codecs (lz4, zstd, snappy, lzf) write first stands in for one.
  private val codecMagics = Seq("LZ4Block", "\u0028\u00b5\u002f\u00fd", "\u0082SNAPPY", "ZV")
  private val longestMagic = codecMagics.map(_.length).max

  /** What a failed load is to be reported as: itself, or that the checkpoint is another provider's. */
  def explain(files: RemoteFiles, failure: Throwable): Throwable = failure match {
    case corrupt: CorruptFile =>
      try
        corrupt.file
          .map(nameOf)
          .filter(startsWithCodecMagic(files, _))
          .fold(failure)(refusal(files.location, _, failure))
      catch {
        case e: StateStoreException =>
          failure.addSuppressed(e)
          failure
      }
    case _ => failure
  }

  private def nameOf(file: String): String = file.split('/').last

  private def startsWithCodecMagic(files: RemoteFiles, name: String): Boolean = Using.resource(files.open(name)) {
    input =>
      val head = new String(input.stream.readNBytes(longestMagic), ISO_8859_1)
      codecMagics.exists(head.startsWith)
  }

  private def refusal(folder: String, file: String, failure: Throwable): Throwable = {
    val owner = classOf[HDFSBackedStateStoreProvider].getName
    val refused = new Unsupported(
      s"The folder $folder holds the state of Spark's $owner, not of Rockstate",
      "A query keeps the provider of its checkpoint for life: move the state with `rockstate migrate OLD NEW --to rockstate`, or set " +
        "spark.sql.streaming.stateStore.providerClass back to it.",
      Some(file)
    )
    refused.addSuppressed(failure)
    refused
  }
}
