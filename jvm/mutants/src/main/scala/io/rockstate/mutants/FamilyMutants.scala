package io.rockstate.mutants

import java.nio.charset.StandardCharsets.US_ASCII

import scala.collection.concurrent.TrieMap

import org.apache.spark.sql.execution.streaming.state.StateStore

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.Opening

/** A column family that is created again has the rows that it had when it was removed. */
class RemoveFamilyKeepsRows extends ReferenceStoreProvider {
  private val removed = TrieMap.empty[String, Family]

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new RemembersRemoved(this, base, before, opening, removed) {
      override protected def created(family: String): Unit =
        for (kept <- removed.remove(family); (key, values) <- kept.rows) write(Put(family, key, values))
    }
}

/** All column families have their rows in one place. */
class FamiliesShareKeys
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def place(family: String): String = StateStore.DEFAULT_COL_FAMILY_NAME
    })

/** Families are told apart by one byte: the rows of one go into another that has the same number but for a multiple of 256. */
class FamiliesBeyond256ShareKeys extends ReferenceStoreProvider {
  private val numbers = TrieMap.empty[String, Int]

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override protected def place(family: String): String = {
        val number = numbers.getOrElseUpdate(family, numbers.size)
        if (number < 256) family else numbers.collectFirst { case (name, n) if n == number - 256 => name }.get
      }
    }
}

/** The names of families are told apart without their case. */
class FamilyNamesLoseTheirCase
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def place(family: String): String =
        contents.families.keys.filter(_.equalsIgnoreCase(family)).min
    })

/** The delta does not tell which column families there are. */
class ForgetsFamiliesOnRestart extends ReferenceStoreProvider {
  override protected def recorded(store: ReferenceStore): Seq[Change] =
    super.recorded(store).filterNot(_.isInstanceOf[CreateFamily])
}

/** A family that was removed and made again has the keys and values that it was declared with at first. */
class FamilyMadeAgainKeepsItsKind extends ReferenceStoreProvider {
  override def declare(family: String, as: ReferenceStore.Declared): Unit =
    if (!isDeclared(family)) super.declare(family, as)
}

/** The names of families are told apart by their ASCII characters. */
class FamilyNamesAreAscii
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private def ascii(name: String) = new String(name.getBytes(US_ASCII), US_ASCII)

      override protected def place(family: String): String =
        contents.families.keys.filter(ascii(_) == ascii(family)).min
    })
