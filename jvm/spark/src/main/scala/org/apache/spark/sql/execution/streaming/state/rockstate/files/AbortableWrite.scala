package org.apache.spark.sql.execution.streaming.state.rockstate.files

import org.apache.hadoop.fs.{FSDataOutputStream, FileSystem, Path}

/** To a file system whose streams show nothing until they are closed, as S3's, under a name that nobody else writes: nothing is looked at. */
private[files] final class AbortableWrite(files: FileSystem, path: Path) extends WriteByClosing {

  // S3A looks at what has the name, and what its folder is, else: four requests where one writes the file.
  override val stream: FSDataOutputStream =
    files.createFile(path).recursive().overwrite(true).opt("fs.s3a.create.performance", true).build()

  /** To close what was aborted publishes nothing, and lets go of what the stream holds. */
  override def cancel(): Unit = {
    stream.abort()
    stream.close()
  }
}
