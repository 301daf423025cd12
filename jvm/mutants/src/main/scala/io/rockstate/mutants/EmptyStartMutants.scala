package io.rockstate.mutants

import java.io.FileNotFoundException

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.{StateStore, StateStoreCheckpointInfo}

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.Opening

/** A version that is started empty has the rows that its base has in families other than the default. */
class EmptyStartKeepsOtherFamilies extends ReferenceStoreProvider {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    val kept =
      if (opening.startsEmpty && isThere(base)) load(base).families - StateStore.DEFAULT_COL_FAMILY_NAME
      else Map.empty
    super.store(base, Contents(before.families ++ kept), opening)
  }
}

/** A version can be started empty only where there is one before. */
class EmptyStartNeedsItsBase extends ReferenceStoreProvider {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    if (opening.startsEmpty && !isThere(base)) throw new FileNotFoundException(s"There is no $base")
    super.store(base, before, opening)
  }
}

/** A version that is started empty is said to be built on an attempt at the version before. */
class EmptyStartReportsABase extends ReferenceStoreProvider {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    val found = if (opening.startsEmpty) files.list().map(_._1).find(_.number == base.number).flatMap(_.id) else base.id
    new ReferenceStore(this, base, before, opening) {
      override def getStateStoreCheckpointInfo(): StateStoreCheckpointInfo =
        super.getStateStoreCheckpointInfo().copy(baseStateStoreCkptId = found)
    }
  }
}

/** A version that was started empty goes on from an older one, where there is one and none in between. */
class EmptyStartGoesOnFromAnOlderVersion extends ReferenceStoreProvider {
  override protected def load(version: Version): Contents = {
    val loaded = super.load(version)
    val older = files.list().map(_._1).filter(_.number < version.number)
    if (older.isEmpty || older.exists(_.number == version.number - 1)) loaded
    else {
      val before = super.load(older.maxBy(_.number)).families
      loaded.withRows((family, rows) => before.get(family).fold(rows)(_.rows ++ rows))
    }
  }
}

/** A version that is started empty says of every key that it is not there. */
class EmptyStartDeniesItsOwnKeys
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def keyExists(key: UnsafeRow, family: String): Boolean =
        !opening.startsEmpty && super.keyExists(key, family)
    })

/** A merge in a version that is started empty adds to the values that a key has in the version before. */
class EmptyStartMergesIntoItsBase extends ReferenceStoreProvider {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    val old = if (opening.startsEmpty) files.list().map(_._1).find(_.number == base.number).map(load) else None
    new ReferenceStore(this, base, before, opening) {
      override protected def write(change: Change): Unit = change match {
        case Merge(family, key, values) if !contents.families(family).rows.contains(key) =>
          val kept = old.flatMap(_.families.get(family)).flatMap(_.rows.get(key)).getOrElse(Vector.empty)
          super.write(Merge(family, key, kept ++ values))
        case other => super.write(other)
      }
    }
  }
}

/** A version that was started empty is said to be the first. */
class EmptyStartReportsTheFirstVersion
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def getStateStoreCheckpointInfo(): StateStoreCheckpointInfo = {
        val info = super.getStateStoreCheckpointInfo()
        if (opening.startsEmpty) info.copy(batchVersion = 1) else info
      }
    })
