package io.rockstate.testkit

import scala.util.Random

import io.rockstate.engine.api.Transaction
import io.rockstate.versions.ColumnFamily

import Rows._

/** One thing that a batch does to a store, said so that it can be done to the model, too. */
sealed trait Operation {

  /** Does it, and says what the store answered: the model must answer alike. */
  final def perform(transaction: Transaction): Any = performIn(transaction, ColumnFamily.DefaultId)

  private[testkit] def performIn(transaction: Transaction, family: Int): Any
}

object Operation {
  final case class Put(name: String, value: String) extends Operation {
    private[testkit] override def performIn(transaction: Transaction, family: Int): Any =
      transaction.put(key(name, family), bytes(value))
    override def toString: String = s"Put($name,${if (value.length > 40) s"${value.length} characters" else value})"
  }

  final case class Merge(name: String, operand: String) extends Operation {
    private[testkit] override def performIn(transaction: Transaction, family: Int): Any =
      transaction.merge(key(name, family), bytes(operand))
  }

  final case class Remove(name: String) extends Operation {
    private[testkit] override def performIn(transaction: Transaction, family: Int): Any =
      transaction.remove(key(name, family))
  }

  final case class Get(name: String) extends Operation {
    private[testkit] override def performIn(transaction: Transaction, family: Int): Any =
      text(transaction.get(key(name, family)))
  }

  final case class Contains(name: String) extends Operation {
    private[testkit] override def performIn(transaction: Transaction, family: Int): Any =
      transaction.contains(key(name, family))
  }

  final case class ScanPrefix(prefix: String) extends Operation {
    private[testkit] override def performIn(transaction: Transaction, family: Int): Any =
      drained(transaction.scan(key(prefix, family), key(prefix, family) :+ 0xff.toByte))
  }

  case object ScanAndRemoveHalf extends Operation {
    private[testkit] override def performIn(transaction: Transaction, family: Int): Any = {
      val scan = transaction.scan(key("", family), key("", family + 1))
      Iterator.continually(scan).takeWhile(_.next()).zipWithIndex.foreach { case (s, i) =>
        if (i % 2 == 0) transaction.remove(s.key)
      }
    }
  }

  case object ScanUnorderedAndRemoveSome extends Operation {
    private[testkit] override def performIn(transaction: Transaction, family: Int): Any = {
      val scan = transaction.scanUnordered(key("", family), key("", family + 1))
      val rows = Iterator.continually(scan).takeWhile(_.next()).map { s =>
        if (s.key.last % 3 == 0) transaction.remove(s.key)
        text(s.key.drop(2)) -> text(s.value)
      }
      rows.toVector.sorted
    }
  }

  /** In a column family of that name, which is made if there is none. */
  final case class InFamily(name: String, operation: Operation) extends Operation {
    private[testkit] override def performIn(transaction: Transaction, family: Int): Any =
      operation.performIn(transaction, transaction.createColumnFamily(name, isInternal = false))
  }

  final case class RemoveFamily(name: String) extends Operation {
    private[testkit] override def performIn(transaction: Transaction, family: Int): Any =
      transaction.removeColumnFamily(name)
  }

  /** Mostly writes, on few keys, so that they meet. */
  def random(random: Random): Operation = random.nextInt(17) match {
    case n if n < 3 => InFamily(if (random.nextBoolean()) "blue" else "red", inFamily(random))
    case 3 => RemoveFamily(if (random.nextBoolean()) "blue" else "red")
    case _ => inFamily(random)
  }

  private def inFamily(random: Random): Operation = {
    val name = f"k${random.nextInt(3)}/${random.nextInt(10)}%02d"
    random.nextInt(16) match {
      case n if n < 7 => Put(name, s"value${random.nextInt(1000)}")
      case n if n < 10 => Merge(name, s"+${random.nextInt(10)}")
      case n if n < 12 => Remove(name)
      case 12 => Get(name)
      case 13 => ScanPrefix(s"k${random.nextInt(3)}")
      case 14 => ScanAndRemoveHalf
      case _ => ScanUnorderedAndRemoveSome
    }
  }
}
