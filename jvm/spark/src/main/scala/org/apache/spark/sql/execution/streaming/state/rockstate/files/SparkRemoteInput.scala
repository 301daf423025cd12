package org.apache.spark.sql.execution.streaming.state.rockstate.files

import java.io.{FilterInputStream, InputStream}

/** A file's bytes; what goes wrong while they are read is told as the rest of storage's failures are. */
private[files] final class SparkRemoteInput(stream: InputStream, folder: String, name: String)
    extends FilterInputStream(stream) {

  override def read(): Int = guard(super.read())

  override def read(bytes: Array[Byte], offset: Int, length: Int): Int = guard(super.read(bytes, offset, length))

  override def close(): Unit = guard(super.close())

  private def guard[A](body: => A): A = StorageFailure.guard(folder, name, s"read $name")(body)
}
