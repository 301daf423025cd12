package io.rockstate.reference

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

/** A mutant whose fault is in what its snapshots hold. */
abstract class WithSnapshots extends ReferenceStoreProvider {
  protected def inSnapshot(contents: Contents): Contents

  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override def writeSnapshot(version: Version, contents: Contents): Int =
        super.writeSnapshot(version, inSnapshot(contents))
    }
}
