package io.rockstate.architecture

import org.scalatest.funsuite.AnyFunSuite

/** The rules about sizes and spelling find what breaks them, and nothing else. */
class RulesSuite extends AnyFunSuite {
  private def code(text: String, isShim: Boolean = false): Seq[String] = Sizes.ofCode(text, isShim)

  private def function(lines: Int): String = s"object A {\n  def f(): Unit = {\n${"    g()\n" * (lines - 2)}  }\n}\n"

  private val many = (1 to 7).map(n => s"p$n: Int").mkString(", ")

  test("a file may have as many lines as the limit says, and no more") {
    assert(Sizes.ofFile("x\n" * Sizes.FileLines).isEmpty)
    assert(Sizes.ofFile("x\n" * (Sizes.FileLines + 1)) == Seq("351 lines, more than 350"))
  }

  test("so may a function") {
    assert(code(function(Sizes.FunctionLines)).isEmpty)
    assert(code(function(Sizes.FunctionLines + 1)) == Seq("line 2: f has 46 lines, more than 45"))
  }

  test("a long list of parameters is found in a function, a declaration and a class") {
    Seq(s"object A { def f($many): Unit = () }", s"trait A { def f(a: Int)($many): Unit }", s"class f($many)").foreach {
      text =>
        assert(code(text) == Seq("line 1: f takes 7 parameters, more than 6"), text)
    }
    assert(code("class A(a: Int) { def this(" + many + ") = this(p1) }").size == 1)
  }

  test("a case class's fields, an override's parameters and what a shim repeats of Spark's are not ours to shorten") {
    assert(code(s"case class A($many)").isEmpty)
    assert(code(s"class A { override def f($many): Unit = () }").isEmpty)
    assert(code(s"class A($many)", isShim = true).isEmpty)
  }

  test("the old spelling is found wherever it is not the provider's name") {
    val old = "Rock" + "State"
    assert(Spelling.problems(s"io.rockstate.${old}StoreProvider and Rockstate").isEmpty)
    assert(Spelling.problems(s"fine\n${old}Extensions").map(_.take(6)) == Seq("line 2"))
    assert(Spelling.problems(s"\u0000$old").isEmpty, "no text")
  }
}
