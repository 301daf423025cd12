package io.rockstate.architecture

import java.nio.file.Path

import org.scalatest.funsuite.AnyFunSuite

/** Every source of the repository, main and test, is small, and the product has one spelling. */
class SizesSuite extends AnyFunSuite {
  private val sources = Repository.sources
  private val scala = sources.filter(_.toString.endsWith(".scala"))

  test(s"no source has more than ${Sizes.FileLines} lines") {
    assert(found(sources)(file => Sizes.ofFile(Repository.text(file))).isEmpty)
  }

  test(s"no shim has more than ${Sizes.ShimLines} lines") {
    val shims = scala.filter(isShim)
    val large = shims.filter(file => Repository.text(file).linesIterator.size > Sizes.ShimLines)
    assert(shims.nonEmpty && large.map(Repository.name).isEmpty)
  }

  test(s"no function has more than ${Sizes.FunctionLines} lines, no list more than ${Sizes.Parameters} parameters") {
    val large = found(scala) { file =>
      Sizes.ofCode(Repository.text(file), isShim(file))
    }
    assert(scala.size > 100 && large.isEmpty)
  }

  test("only RockStateStoreProvider is spelled so") {
    val old = found(Repository.tracked)(file => Spelling.problems(Repository.text(file)))
    assert(old.isEmpty)
  }

  private def isShim(file: Path): Boolean = Repository.name(file).contains("src/main/shims/")

  private def found(files: Seq[Path])(problems: Path => Seq[String]): Seq[String] =
    files.flatMap(file => problems(file).map(problem => s"${Repository.name(file)}: $problem"))
}
