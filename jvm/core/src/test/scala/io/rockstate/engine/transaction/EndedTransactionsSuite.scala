package io.rockstate.engine.transaction

import java.lang.reflect.Modifier
import java.util.{Collections, IdentityHashMap}

import scala.collection.mutable
import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite

import io.rockstate.engine.api.{EngineSettings, Transaction}
import io.rockstate.testkit.{ClosesHandles, EngineUnderTest, MemoryFiles, Rows}
import io.rockstate.versions.StateVersion

import Rows._

/** Spark holds a task's transactions until the task ends, which may compute many partitions one after the other. */
class EndedTransactionsSuite extends AnyFunSuite with ClosesHandles {
  private val rows = 4000 // of a kilobyte

  private def ended(end: Transaction => Unit): Transaction =
    Using.resource(new EngineUnderTest(new MemoryFiles, EngineSettings(minDeltasForSnapshot = 1))) { engine =>
      val transaction = engine.begin(StateVersion.Empty)
      (1 to rows).foreach(n => transaction.putRow(s"row$n", s"$n" * 250))
      assert(heldBytes(transaction) > rows * 500L)
      end(transaction)
      engine.maintain() // its snapshot takes all layers into the database
      transaction
    }

  /** All byte arrays that can be reached by fields of classes of ours and of Scala's. */
  private def heldBytes(root: AnyRef): Long = {
    val seen = Collections.newSetFromMap(new IdentityHashMap[AnyRef, java.lang.Boolean])
    val found = mutable.ArrayDeque(root)
    var bytes = 0L
    while (found.nonEmpty) {
      val next = found.removeHead()
      if (next != null && seen.add(next)) next match {
        case array: Array[Byte] => bytes += array.length
        case array: Array[AnyRef] => found ++= array
        case _: MemoryFiles => // storage
        case _ => found ++= fieldsOf(next)
      }
    }
    bytes
  }

  private def fieldsOf(owner: AnyRef): Iterator[AnyRef] = for {
    of <- Iterator.iterate[Class[_]](owner.getClass)(_.getSuperclass).takeWhile(_ != null)
    if of.getName.startsWith("io.rockstate.") || of.getName.startsWith("scala.")
    field <- of.getDeclaredFields.iterator
    if !field.getType.isPrimitive && !Modifier.isStatic(field.getModifiers)
  } yield {
    field.setAccessible(true)
    field.get(owner)
  }

  Seq[(String, Transaction => Unit)]("committed" -> (_.commit(): Unit), "aborted" -> (_.abort())).foreach {
    case (how, end) =>
      test(s"a transaction that has $how holds none of its writes, and still tells how many they were") {
        val transaction = ended(end)
        assert(transaction.metrics.pendingBytes > rows * 500L)
        assert(heldBytes(transaction) < rows * 100L) // a buffer of its delta is left
      }
  }
}
