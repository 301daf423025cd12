package io.rockstate.engine.storage

import io.rockstate.errors.{StateStoreException, Unsupported}
import io.rockstate.files.{FileNames, RemoteFile, RemoteFiles, StoreFile}

/** The files of a store's folder at one moment. */
private[engine] final class StoreListing(files: RemoteFiles) {
  val all: Seq[RemoteFile] = files.list("")
  lazy val storeFiles: Vector[StoreFile] = all.flatMap(file => FileNames.parse(file.name)).toVector

  private lazy val lengths = all.map(file => file.name -> file.length).toMap

  /** The length of a file of this name, 0 if there is none. */
  def bytesOf(name: String): Long = lengths.getOrElse(name, 0L)

  /** When the last of them was written, by storage's clock, in epoch milliseconds. */
  def newestMillis: Long = all.map(_.modifiedMillis).maxOption.getOrElse(0L)

  /** Names another provider as the reason, if its files lie here; otherwise `missing` as it is. */
  def explain(missing: StateStoreException): StateStoreException = {
    val foreign = all.map(_.name).find(name => name.endsWith(".zip") || name.endsWith(".changelog"))
    foreign.fold(missing) { name =>
      new Unsupported(
        s"The folder holds the state of Spark's RocksDBStateStoreProvider ($name), not of Rockstate",
        "A query keeps the provider of its checkpoint for life: move the state with `rockstate migrate OLD NEW --to rockstate`, or set " +
          "spark.sql.streaming.stateStore.providerClass back to it.",
        Some(s"${files.location}/$name"),
        missing.version
      )
    }
  }
}
