package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores

import java.io.IOException
import java.nio.file.{FileVisitResult, Files, Path, Paths, SimpleFileVisitor}
import java.nio.file.attribute.BasicFileAttributes

import org.apache.spark.SparkEnv
import org.apache.spark.util.Utils

/** The local disk of this process, where providers keep what they need for themselves. */
private[conformance] object LabDisk {

  /** How many files and folders there are in the folders that Spark has made there, and in that for temporary files; what goes meanwhile
    * does not count.
    */
  def files(): Long = {
    var count = 0L
    val counting = new SimpleFileVisitor[Path] {
      override def visitFile(file: Path, attributes: BasicFileAttributes): FileVisitResult = {
        if (attributes.isRegularFile) count += 1
        FileVisitResult.CONTINUE
      }
      override def visitFileFailed(file: Path, failure: IOException): FileVisitResult = FileVisitResult.CONTINUE
      override def postVisitDirectory(folder: Path, failure: IOException): FileVisitResult = {
        count += 1
        FileVisitResult.CONTINUE
      }
    }
    val roots = Utils.getOrCreateLocalRootDirs(SparkEnv.get.conf) :+ System.getProperty("java.io.tmpdir")
    roots.foreach(root => Files.walkFileTree(Paths.get(root), counting))
    count
  }
}
