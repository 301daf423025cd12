package org.apache.spark.sql.execution.streaming.state.rockstate.conf

import java.util.Locale

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.unsafe.types.UTF8String

import io.rockstate.errors.Misuse

/** Which conf keys are meant for us, and which of them exist. */
private[rockstate] object OptionNames {

  /** What Spark hands to providers; this part of a key must be written so, ours matches whatever its case. */
  private val StateStore = "spark.sql.streaming.stateStore."

  /** As someone would write a key who has not looked it up. */
  private val Guessed = "spark.rockstate."

  /** Confs of Spark's that stand for options: they have no key under our prefix. */
  private val honoured: Seq[String] = Seq(
    SQLConf.STATE_STORE_MIN_DELTAS_FOR_SNAPSHOT,
    SQLConf.MIN_BATCHES_TO_RETAIN,
    SQLConf.STATE_STORE_COMPRESSION_CODEC,
    SQLConf.STREAMING_MAINTENANCE_INTERVAL,
    SQLConf.STATE_STORE_CHECKPOINT_FORMAT_VERSION
  ).map(_.key)

  /** Throws `Misuse` that names each of `keys` which is meant for us and does not exist, as it is written, and the nearest that does. */
  def refuseUnknown(keys: Iterable[String]): Unit = {
    val unknown = keys.filter(key => isOurs(key) && !exists(key)).toSeq.sorted
    if (unknown.nonEmpty) {
      throw new Misuse(
        s"Unknown option ${unknown.map(withHint).mkString(", ")}",
        s"Unset it or correct its name; the options of this release are ${ProviderConf.entries.map(_.key).mkString(", ")}"
      )
    }
  }

  private def isOurs(key: String): Boolean = Seq(ProviderConf.Prefix, Guessed).exists(lower(key) startsWith lower(_))

  private def exists(key: String): Boolean =
    key.startsWith(StateStore) && ProviderConf.entries.exists(entry => lower(entry.key) == lower(key))

  private def withHint(key: String): String = nearest(key).fold(key)(near => s"$key (did you mean $near?)")

  private def nearest(key: String): Option[String] = {
    val name = particular(key)
    val (distance, near) =
      (ProviderConf.entries.map(_.key) ++ honoured).map(known => distanceOf(known, name) -> known).min
    Option.when(distance <= math.max(1, name.length / 3))(near)
  }

  private def distanceOf(known: String, name: String): Int =
    UTF8String.fromString(particular(known)).levenshteinDistance(UTF8String.fromString(name))

  /** What tells one key from another. */
  private def particular(key: String): String =
    Seq(ProviderConf.Prefix, Guessed, StateStore, "spark.sql.streaming.").foldLeft(lower(key)) { (rest, prefix) =>
      rest.stripPrefix(lower(prefix))
    }

  private def lower(text: String): String = text.toLowerCase(Locale.ROOT)
}
