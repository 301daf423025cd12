package io.rockstate.mutants

import java.io.IOException

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import io.rockstate.reference._

/** A delta that was cut short is taken for one without changes. */
class SkipsTornDelta extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override def delta(version: Version): Delta =
        try super.delta(version)
        catch {
          case damaged: IOException if damaged.getCause.isInstanceOf[TornFile] =>
            val before = list().map(_._1).find(_.number == version.number - 1)
            Delta(before.getOrElse(Version(version.number - 1, None)), startsEmpty = false, Nil)
        }
    }
}

/** Checksums are written and never compared. */
class IgnoresChecksum extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override protected def isRight(checksum: Long, file: Array[Byte]): Boolean = true
    }
}

/** Files are written under their own names: a crash leaves half of one in place of what was there. */
class PublishesWithoutRename extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override protected def publish(path: Path, bytes: Array[Byte]): Unit = {
        val out = path.getFileSystem(hadoopConf).create(path, true)
        try out.write(bytes)
        finally out.close()
      }
    }
}
