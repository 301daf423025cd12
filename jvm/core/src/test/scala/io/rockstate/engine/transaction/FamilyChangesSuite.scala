package io.rockstate.engine.transaction

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.errors.{Misuse, Unsupported}
import io.rockstate.versions.ColumnFamily

class FamilyChangesSuite extends AnyFunSuite {
  private val before =
    Vector(ColumnFamily(0, "default", isInternal = false, 10), ColumnFamily(2, "two", isInternal = true, 5))

  test("a family is created once, with an id above all that were given") {
    val changes = new FamilyChanges(before)
    assert(changes.create("two", isInternal = false) == 2 && changes.find("two").exists(_.isInternal))
    assert(changes.create("new", isInternal = true) == 3 && changes.create("new", isInternal = false) == 3)
    assert(changes.all.map(_.name) == Vector("default", "two", "new"))
  }

  test("an id is not given again, neither of a family that is removed now nor of one before") {
    val changes = new FamilyChanges(before)
    changes.remove("two")
    assert(changes.find("two").isEmpty && changes.create("two", isInternal = false) == 3)
    changes.remove("two")
    val after = changes.after(Array(0L))
    assert(ColumnFamily.living(after).map(_.name) == Vector("default") && after.map(_.id).max == 3)
    val next = new FamilyChanges(after)
    assert(next.all.map(_.name) == Vector("default") && next.create("again", isInternal = false) == 4)
  }

  test("row counts change by family, those beyond the array not at all") {
    val changes = new FamilyChanges(before)
    changes.create("new", isInternal = false)
    assert(changes.after(Array(-3L)).map(f => f.id -> f.rows) == Vector(0 -> 7L, 2 -> 5L, 3 -> 0L))
    assert(changes.after(Array(0L, 9L, -5L, 4L)).map(_.rows) == Vector(10L, 0L, 4L))
  }

  test("a family with fewer than no rows is not committed") {
    val failure = intercept[IllegalStateException](new FamilyChanges(before).after(Array(0L, 0L, -6L)))
    assert(failure.getMessage == "The family 'two' would have -1 rows")
  }

  test("a family needs a name, and one of the ids there are") {
    assertThrows[Misuse](new FamilyChanges(before).create("", isInternal = false))
    val full = new FamilyChanges(before :+ ColumnFamily(ColumnFamily.HighestId, "last", isInternal = false, 0))
    assert(full.create("last", isInternal = false) == ColumnFamily.HighestId)
    assert(intercept[Unsupported](full.create("more", isInternal = false)).problem.contains("more"))
  }
}
