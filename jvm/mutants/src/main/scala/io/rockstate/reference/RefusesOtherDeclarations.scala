package io.rockstate.reference

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import io.rockstate.reference.ReferenceStore.Declared

/** A mutant that keeps in storage what each family was declared as first, and refuses to have it declared as anything else. */
abstract class RefusesOtherDeclarations extends ReferenceStoreProvider {
  @volatile private var keptOf: String => SmallFile = _

  /** What is kept of a family, empty for one that may be declared as anything. */
  protected def told(family: String, order: KeyOrder): String

  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles = {
    keptOf = family => new SmallFile(new Path(folder, s"$family.declared"), hadoopConf)
    super.filesIn(folder, hadoopConf)
  }

  override def declare(family: String, as: Declared): Unit = {
    val now = told(family, as.order)
    if (now.nonEmpty && keptOf(family).orElse(now) != now) throw new IllegalArgumentException(s"$family is another")
    super.declare(family, as)
  }
}
