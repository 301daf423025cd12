package io.rockstate.architecture

import scala.jdk.CollectionConverters._

import com.tngtech.archunit.base.DescribedPredicate
import com.tngtech.archunit.core.domain.{JavaClass, JavaClasses}
import com.tngtech.archunit.core.importer.ClassFileImporter
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition
import org.scalatest.funsuite.AnyFunSuite

/** The main classes of all modules against the table of rooms in docs/architecture.md. */
class RoomsSuite extends AnyFunSuite {
  private val table = RoomTable.parse(Repository.text(Repository.root.resolve("docs/architecture.md")))
  private val classes: JavaClasses = new ClassFileImporter().importPaths(Repository.mainClasses.asJava)
  private val packages = classes.asScala.map(_.getPackageName).toSet

  test("the table has no room twice, and each after those that it may use: there is no circle") {
    assert(table.rooms.nonEmpty)
    assert(table.problems.isEmpty)
  }

  test("every class is in a room") {
    assert(table.homeless(packages).isEmpty)
  }

  test("no room is empty") {
    assert(table.empty(packages).isEmpty)
  }

  test("RocksDB is io.rockstate.db's alone, and no room of the engine may use Spark") {
    assert(table.rooms.filter(_.uses("RocksDB")).map(_.name) == Seq("io.rockstate.db"))
    assert(table.rooms.filter(room => room.name.startsWith("io.rockstate.engine") && room.uses("Spark")).isEmpty)
  }

  table.rooms.distinctBy(_.name).foreach { room =>
    test(s"${room.name} uses only what its row names") {
      val rule =
        ArchRuleDefinition.classes().that().resideInAPackage(room.name).should().onlyDependOnClassesThat(named(room))
      assert(rule.allowEmptyShould(true).evaluate(classes).getFailureReport.getDetails.asScala.isEmpty)
    }
  }

  test("a row names nothing that its room does not use") {
    val used = classes.asScala.groupMap(_.getPackageName)(usedBy).map { case (room, all) => room -> all.flatten.toSet }
    val idle =
      for (room <- table.rooms; name <- room.uses if !used.getOrElse(room.name, Set.empty)(name))
        yield s"${room.name}: $name"
    assert(idle.isEmpty)
  }

  private def usedBy(one: JavaClass): Set[String] =
    one.getDirectDependenciesFromSelf.asScala.flatMap(use => Libraries.rowNameOf(packageOf(use.getTargetClass))).toSet

  private def named(room: Room): DescribedPredicate[JavaClass] = DescribedPredicate.describe(
    s"are in ${(room.uses + room.name).toSeq.sorted.mkString(", ")}",
    (used: JavaClass) => Libraries.rowNameOf(packageOf(used)).forall(name => name == room.name || room.uses(name))
  )

  /** Of an array's elements; of a primitive none. */
  private def packageOf(used: JavaClass): String = {
    val element = used.getBaseComponentType
    if (element.isPrimitive) "" else element.getPackageName
  }
}
