package io.rockstate.architecture

import scala.meta._

/** What is too large in a source, and where. */
object Sizes {
  val FileLines = 350
  val ShimLines = 60
  val FunctionLines = 45
  val Parameters = 6

  def ofFile(text: String): Seq[String] = {
    val lines = text.linesIterator.size
    if (lines > FileLines) Seq(s"$lines lines, more than $FileLines") else Nil
  }

  /** @param isShim whether its constructors repeat Spark's */
  def ofCode(text: String, isShim: Boolean): Seq[String] = {
    val parsed = dialects.Scala213(Input.String(text)).parse[Source].get
    parsed.collect {
      case function: Defn.Def =>
        functionLines(function) ++ parameters(function, function.name.value, function.mods, function.paramClauseGroups)
      case declared: Decl.Def => parameters(declared, declared.name.value, declared.mods, declared.paramClauseGroups)
      case one: Defn.Class if !isShim && !one.mods.exists(_.is[Mod.Case]) => constructor(one.ctor, one.name.value)
      case one: Ctor.Secondary => tooMany(one, "this", one.paramClauses)
    }.flatten
  }

  private def functionLines(function: Defn.Def): Seq[String] = {
    val lines = function.pos.endLine - function.pos.startLine + 1
    if (lines > FunctionLines)
      Seq(s"${at(function)}: ${function.name.value} has $lines lines, more than $FunctionLines")
    else Nil
  }

  /** Who overrides takes what there is. */
  private def parameters(tree: Tree, name: String, mods: List[Mod], groups: Seq[Member.ParamClauseGroup]): Seq[String] =
    if (mods.exists(_.is[Mod.Override])) Nil else tooMany(tree, name, groups.flatMap(_.paramClauses))

  private def constructor(primary: Ctor.Primary, name: String): Seq[String] =
    tooMany(primary, name, primary.paramClauses)

  private def tooMany(tree: Tree, name: String, lists: Seq[Term.ParamClause]): Seq[String] =
    lists
      .map(_.values.size)
      .filter(_ > Parameters)
      .map(count => s"${at(tree)}: $name takes $count parameters, more than $Parameters")

  private def at(tree: Tree): String = s"line ${tree.pos.startLine + 1}"
}
