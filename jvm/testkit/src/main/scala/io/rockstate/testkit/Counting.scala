package io.rockstate.testkit

import java.nio.file.{Files, Path, Paths}

import scala.collection.mutable

import org.scalatest.{BeforeAndAfterAll, Outcome, TestSuite, TestSuiteMixin}

/** A suite that tells how much it has tried, in `target/reliability`: docs/reliability.md is made of that. Only where all its tests were run and
  * passed.
  */
trait Counting extends TestSuiteMixin with BeforeAndAfterAll { this: TestSuite =>
  private val counted = mutable.LinkedHashMap.empty[String, Long]
  private val started = System.nanoTime()
  private var passed = 0

  /** @param what in the plural */
  protected def count(what: String, n: Long = 1): Unit = counted(what) = counted.getOrElse(what, 0L) + n

  abstract override def withFixture(test: NoArgTest): Outcome = {
    val outcome = super.withFixture(test)
    if (outcome.isSucceeded) passed += 1
    outcome
  }

  override protected def afterAll(): Unit =
    try super.afterAll()
    finally if (passed == testNames.size && !Seeds.isOne) root.foreach(write)

  private def write(root: Path): Unit = {
    val seconds = math.max((System.nanoTime() - started) / 1000000000L, 1)
    val figures = (counted.toSeq :+ ("seconds" -> seconds)).map { case (what, n) => s""""$what": $n""" }
    val folder = Files.createDirectories(root.resolve("target/reliability"))
    Files.writeString(
      folder.resolve(s"$suiteName.json"),
      s"""{"suite": "$suiteName", "times": ${Seeds.times}, "figures": {${figures.mkString(", ")}}}\n"""
    )
    ()
  }

  private def root: Option[Path] =
    Iterator
      .iterate(Paths.get("").toAbsolutePath)(_.getParent)
      .takeWhile(_ != null)
      .find(p => Files.exists(p.resolve("build.sbt")))
}
