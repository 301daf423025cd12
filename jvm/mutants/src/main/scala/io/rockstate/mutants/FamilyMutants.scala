package io.rockstate.mutants

import scala.collection.concurrent.TrieMap

import org.apache.spark.sql.execution.streaming.state.{KeyStateEncoderSpec, StateStore}
import org.apache.spark.sql.types.StructType

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.Opening

/** A column family that is created again has the rows that it had when it was removed. */
class RemoveFamilyKeepsRows extends ReferenceStoreProvider {
  private val removed = TrieMap.empty[String, Family]

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override def removeColFamilyIfExists(family: String): Boolean = {
        contents.families.get(family).foreach(removed(family) = _)
        super.removeColFamilyIfExists(family)
      }

      override def createColFamilyIfAbsent(
          family: String,
          keySchema: StructType,
          valueSchema: StructType,
          spec: KeyStateEncoderSpec,
          useMultipleValuesPerKey: Boolean,
          isInternal: Boolean
      ): Unit = {
        super.createColFamilyIfAbsent(family, keySchema, valueSchema, spec, useMultipleValuesPerKey, isInternal)
        for (kept <- removed.remove(family); (key, values) <- kept.rows) write(Put(family, key, values))
      }
    }
}

/** All column families have their rows in one place. */
class FamiliesShareKeys
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def place(family: String): String = StateStore.DEFAULT_COL_FAMILY_NAME
    })

/** The delta does not tell which column families there are. */
class ForgetsFamiliesOnRestart extends ReferenceStoreProvider {
  override protected def recorded(store: ReferenceStore): Seq[Change] =
    super.recorded(store).filterNot(_.isInstanceOf[CreateFamily])
}
