package io.rockstate.mutants

import org.apache.spark.sql.execution.streaming.state.StateStore

import io.rockstate.reference._

/** A store whose columns have got other names, or must not be null any more, is refused. */
class RefusesOtherNamesOfColumns extends RefusesOtherDeclarations {
  override protected def told(family: String, order: KeyOrder): String =
    if (family == StateStore.DEFAULT_COL_FAMILY_NAME) order.schema.json else ""
}

/** A family whose columns have got other names, or must not be null any more, is refused. */
class RefusesOtherNamesOfAFamilysColumns extends RefusesOtherDeclarations {
  override protected def told(family: String, order: KeyOrder): String =
    if (family == StateStore.DEFAULT_COL_FAMILY_NAME) "" else order.schema.json
}

/** A store whose default family has got other types of columns, or another key encoder, is refused. */
class RefusesAnotherDefaultFamily extends RefusesOtherDeclarations {
  override protected def told(family: String, order: KeyOrder): String =
    if (family == StateStore.DEFAULT_COL_FAMILY_NAME) {
      s"${order.schema.map(_.dataType)} ${order.supportsPrefixScan} ${order.supportsRangeScan}"
    } else ""
}
