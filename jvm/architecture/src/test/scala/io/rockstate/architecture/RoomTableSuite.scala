package io.rockstate.architecture

import org.scalatest.funsuite.AnyFunSuite

class RoomTableSuite extends AnyFunSuite {
  private def table(rows: String*): RoomTable =
    RoomTable.parse(
      (Seq(
        "# Page",
        "| `not.ours` | x | |",
        RoomTable.Heading,
        "",
        "| room | what is in it | may use |",
        "|---|---|---|"
      ) ++ rows ++
        Seq("", "## Next", "| `not.ours` | x | |")).mkString("\n")
    )

  private val sound = Seq("| `a.low` | words | |", "| `…rockstate.high` | more | `a.low`, `Spark` |")

  test("rooms and what they may use are read from the one section") {
    val high = "org.apache.spark.sql.execution.streaming.state.rockstate.high"
    assert(table(sound: _*).rooms == Seq(Room("a.low", Set.empty), Room(high, Set("a.low", "Spark"))))
    assert(table(sound: _*).problems.isEmpty)
  }

  test("a room that uses one below its own row is found, and so is every circle") {
    assert(table("| `a` | x | `b` |", "| `b` | x | `a` |").problems == Seq("a may use b, whose row comes no earlier"))
    assert(table("| `a` | x | `a` |").problems.size == 1)
  }

  test("a room with two rows, and one that nobody knows, are found") {
    assert(table(sound :+ sound.head: _*).problems == Seq("a.low has 2 rows"))
    assert(table("| `a` | x | `b.c` |").problems.exists(_.startsWith("a may use b.c, which is neither a room")))
  }

  test("packages without a row and rows without a package are found, sub-packages being rooms of their own") {
    assert(table(sound.head).homeless(Set("a.low", "a.low.sub")) == Set("a.low.sub"))
    assert(table(sound.head).empty(Set("a.low.sub")) == Set("a.low"))
  }

  test("a package is one of ours, a named library's, everybody's or a stranger") {
    val ours = "org.apache.spark.sql.execution.streaming.state.rockstate.store"
    assert(Libraries.rowNameOf(ours).contains(ours))
    assert(Libraries.rowNameOf("org.apache.spark.sql").contains("Spark"))
    assert(Libraries.rowNameOf("java.util").isEmpty)
    assert(Libraries.rowNameOf("com.stranger").contains("com.stranger"))
  }
}
