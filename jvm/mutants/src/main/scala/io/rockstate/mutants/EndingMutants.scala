package io.rockstate.mutants

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.KeyStateEncoderSpec
import org.apache.spark.sql.types.StructType

import io.rockstate.reference._

/** A store that has ended takes merges, and loses them. */
class AllowsMergeAfterTheEnd
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def mergeList(key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit =
        if (isOpen) super.mergeList(key, values, family)
    })

/** A store that has ended takes lists of values, and loses them. */
class AllowsPutListAfterTheEnd
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def putList(key: UnsafeRow, values: Array[UnsafeRow], family: String): Unit =
        if (isOpen) super.putList(key, values, family)
    })

/** A store that has ended takes deletes of ranges, and loses them. */
class AllowsDeleteRangeAfterTheEnd
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def deleteRange(begin: UnsafeRow, end: UnsafeRow, family: String): Unit =
        if (isOpen) super.deleteRange(begin, end, family)
    })

/** A store that has ended takes new families, and loses them. */
class AllowsNewFamiliesAfterTheEnd
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def createColFamilyIfAbsent(
          family: String,
          keySchema: StructType,
          valueSchema: StructType,
          spec: KeyStateEncoderSpec,
          useMultipleValuesPerKey: Boolean,
          isInternal: Boolean
      ): Unit =
        if (isOpen) {
          super.createColFamilyIfAbsent(family, keySchema, valueSchema, spec, useMultipleValuesPerKey, isInternal)
        }
    })

/** A store that has ended removes families, and forgets it. */
class AllowsRemovingFamiliesAfterTheEnd
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def removeColFamilyIfExists(family: String): Boolean =
        if (isOpen) super.removeColFamilyIfExists(family) else false
    })
