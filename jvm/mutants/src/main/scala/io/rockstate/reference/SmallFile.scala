package io.rockstate.reference

import java.nio.charset.StandardCharsets.UTF_8

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

/** A file with one line, written in place: whoever reads it meanwhile finds less. */
final class SmallFile(path: Path, hadoopConf: Configuration) {
  private val storage = path.getFileSystem(hadoopConf)

  /** What it says; `text`, from now on, if it is not there yet. */
  def orElse(text: String): String =
    if (storage.exists(path)) read()
    else {
      write(text)
      text
    }

  private def read(): String = {
    val in = storage.open(path)
    try new String(in.readAllBytes(), UTF_8)
    finally in.close()
  }

  private def write(text: String): Unit = {
    val out = storage.create(path)
    try out.write(text.getBytes(UTF_8))
    finally out.close()
  }
}
