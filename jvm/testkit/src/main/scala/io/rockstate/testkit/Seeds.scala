package io.rockstate.testkit

/** The seeds of a test that takes its inputs at random. `ROCKSTATE_SEED=17` runs that one alone, `ROCKSTATE_TIMES=20` twenty times as many. */
object Seeds {
  def first(usual: Int): Seq[Long] =
    sys.env.get("ROCKSTATE_SEED").fold[Seq[Long]](1L to usual.toLong * times)(seed => Seq(seed.toLong))

  /** The same, one half for each of two forms of a test that take as long; both halves for both where everything is run. */
  def half(usual: Int, second: Boolean): Seq[Long] = {
    val all = first(usual)
    if (isOne || times > 1 || sys.env.contains("ROCKSTATE_EVERY_MOVE")) all
    else all.filter(_ % 2 == (if (second) 0 else 1))
  }

  /** Whether only one was asked for. */
  def isOne: Boolean = sys.env.contains("ROCKSTATE_SEED")

  def times: Int = sys.env.get("ROCKSTATE_TIMES").fold(1)(_.toInt)
}
