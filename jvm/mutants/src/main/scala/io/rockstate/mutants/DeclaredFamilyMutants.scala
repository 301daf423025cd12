package io.rockstate.mutants

import scala.collection.concurrent.TrieMap

import org.apache.spark.sql.execution.streaming.state.StateStore

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.{Committed, Declared, Opening}

/** An abort forgets which families its transaction has declared. */
class AbortForgetsDeclaredFamilies extends ReferenceStoreProvider {
  private val undecided = TrieMap.empty[String, Declared]

  override def declare(family: String, as: Declared): Unit =
    if (family == StateStore.DEFAULT_COL_FAMILY_NAME) super.declare(family, as) else undecided(family) = as

  override def declared(family: String): Declared = undecided.getOrElse(family, super.declared(family))

  override def commit(store: ReferenceStore): Committed = {
    undecided.foreach { case (family, as) => super.declare(family, as) }
    super.commit(store)
  }

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override def abort(): Unit = {
        super.abort()
        undecided.clear()
      }
    }
}

/** A family that the executor was never told of cannot be removed: it is said not to be there. */
class RemovesOnlyDeclaredFamilies extends ReferenceStoreProvider {
  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override def removeColFamilyIfExists(family: String): Boolean =
        (isDeclared(family) || !contents.families.contains(family)) && super.removeColFamilyIfExists(family)
    }
}
