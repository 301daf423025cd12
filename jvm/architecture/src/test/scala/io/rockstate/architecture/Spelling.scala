package io.rockstate.architecture

/** The product is Rockstate; the provider's class alone keeps the spelling that checkpoints name it by. */
object Spelling {
  private val old = "Rock" + "State"
  private val elsewhere = s"$old(?!StoreProvider)".r

  def problems(text: String): Seq[String] =
    if (text.contains('\u0000')) Nil
    else
      text.linesIterator.zipWithIndex.collect {
        case (line, index) if elsewhere.findFirstIn(line).isDefined =>
          s"line ${index + 1} has $old: ${line.trim.take(100)}"
      }.toSeq
}
