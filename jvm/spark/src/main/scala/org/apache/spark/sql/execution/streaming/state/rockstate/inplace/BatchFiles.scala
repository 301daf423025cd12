package org.apache.spark.sql.execution.streaming.state.rockstate.inplace

import java.nio.charset.StandardCharsets.UTF_8

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileAlreadyExistsException, Path}

import org.apache.spark.sql.execution.streaming.state.rockstate.shims.CheckpointFileManager

import io.rockstate.errors.OnFailure

/** Small files of a checkpoint, each written whole or not at all, by the manager that a query writes its logs with. Names are relative to
  * the checkpoint.
  */
private[inplace] final class BatchFiles(checkpoint: Path, hadoopConf: Configuration) {
  private val manager = CheckpointFileManager.create(checkpoint, hadoopConf)

  /** Writes it if it is not there yet; whether it was not. */
  def add(name: String, text: String): Boolean =
    !manager.exists(path(name)) && {
      try {
        write(name, text, replaces = false)
        true
      } catch { case _: FileAlreadyExistsException => false }
    }

  /** Writes it, whatever was there. That is deleted first: where a manager renames by `FileSystem.rename`, it may leave it as it is. */
  def put(name: String, text: String): Unit = {
    delete(Vector(name))
    write(name, text, replaces = true)
  }

  def delete(names: Vector[String]): Unit = names.foreach(name => manager.delete(path(name)))

  private def write(name: String, text: String, replaces: Boolean): Unit = {
    val output = manager.createAtomic(path(name), overwriteIfPossible = replaces)
    OnFailure(output.cancel()) {
      output.write(text.getBytes(UTF_8))
      output.close()
    }
  }

  private def path(name: String): Path = new Path(checkpoint, name)
}
