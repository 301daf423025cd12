package org.apache.spark.sql.execution.streaming.state.rockstate.conf

import java.nio.file.Path

import scala.util.Try

import org.apache.spark.network.util.JavaUtils

import io.rockstate.errors.Misuse

/** One option under `spark.sql.streaming.stateStore.rockstate.`.
  *
  * @param default the value as a user would write it
  * @param unit    what the value counts, for the documentation
  * @param rule    what a valid value is, completing "must be ..."
  * @param parse   the value, or none if it breaks the rule
  */
final class ConfEntry[A](
    val name: String,
    val default: String,
    val unit: String,
    val meaning: String,
    val rule: String,
    parse: String => Option[A]
) {
  val key: String = ProviderConf.Prefix + name

  /** The value in `settings` (option names in lower case), or the default; throws `Misuse` if the value breaks the rule. */
  def read(settings: Map[String, String]): A = {
    val text = settings.getOrElse(name.toLowerCase(java.util.Locale.ROOT), default)
    parse(text.trim).getOrElse {
      throw new Misuse(s"$key is '$text', but must be $rule", s"Correct it, or unset it to use the default of $default")
    }
  }
}

object ConfEntry {

  def bytes(name: String, default: String, atLeast: String, meaning: String): ConfEntry[Long] = {
    val least = JavaUtils.byteStringAsBytes(atLeast)
    val rule = s"a size such as $default, and at least $atLeast"
    new ConfEntry(name, default, "bytes; suffixes k, m, g", meaning, rule, parseBytes(_).filter(_ >= least))
  }

  /** None if it is the default's word, which leaves it to what there is. */
  def bytesUnless(
      name: String,
      default: String,
      example: String,
      atLeast: String,
      meaning: String
  ): ConfEntry[Option[Long]] = {
    val least = JavaUtils.byteStringAsBytes(atLeast)
    val rule = s"a size such as $example, and at least $atLeast"
    unless(name, default, "bytes; suffixes k, m, g", meaning, rule)(parseBytes(_).filter(_ >= least))
  }

  /** None if it is the default's word, which leaves it to what there is. */
  def wholeUnless(name: String, default: String, range: Range, unit: String, meaning: String): ConfEntry[Option[Int]] =
    unless(name, default, unit, meaning, s"a whole number from ${range.head} to ${range.last}")(
      _.toIntOption.filter(range.contains)
    )

  private def unless[A](name: String, default: String, unit: String, meaning: String, rule: String)(
      parse: String => Option[A]
  ): ConfEntry[Option[A]] = new ConfEntry(
    name,
    default,
    unit,
    meaning,
    s"$rule, or $default",
    text => if (text == default) Some(None) else parse(text).map(Some(_))
  )

  def whole(name: String, default: Int, range: Range, unit: String, meaning: String): ConfEntry[Int] = {
    val rule = s"a whole number from ${range.head} to ${range.last}"
    new ConfEntry(name, default.toString, unit, meaning, rule, _.toIntOption.filter(range.contains))
  }

  /** An absolute path; none if it is the default's word. */
  def folder(name: String, default: String, meaning: String): ConfEntry[Option[Path]] =
    unless(name, default, "path", meaning, "an absolute path on each machine's own disk")(text =>
      Try(Path.of(text)).toOption.filter(_.isAbsolute)
    )

  private def parseBytes(text: String): Option[Long] = Try(JavaUtils.byteStringAsBytes(text)).toOption
}
