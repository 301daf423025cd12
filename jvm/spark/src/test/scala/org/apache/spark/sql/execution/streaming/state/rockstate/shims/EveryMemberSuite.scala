package org.apache.spark.sql.execution.streaming.state.rockstate.shims

import java.lang.reflect.{Method, Modifier}

import org.apache.xbean.asm9.{ClassReader, ClassVisitor, MethodVisitor, Opcodes, Type}
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.provider.StoreProvider
import org.apache.spark.sql.execution.streaming.state.rockstate.store.{ReadStore, RockstateRocksDBStateStore}

/** What compiles may still lack something: a method that a new Spark adds to its traits has a default that throws or does nothing. */
class EveryMemberSuite extends AnyFunSuite {
  import EveryMemberSuite._

  Seq[(Class[_], Class[_])](
    classOf[StateStoreProvider] -> classOf[StoreProvider],
    classOf[SupportsFineGrainedReplay] -> classOf[StoreProvider],
    classOf[ReadStateStore] -> classOf[ReadStore],
    classOf[StateStore] -> classOf[RockstateRocksDBStateStore]
  ).foreach { case (ofSpark, ours) =>
    test(s"${ours.getSimpleName} has every method of ${ofSpark.getSimpleName}, or a reason not to") {
      val missing = membersOf(ofSpark).filterNot(m => LeftToSpark.contains(nameOf(m))).filter(isLeftToSpark(ours, _))
      assert(missing.map(_.toString).sorted.mkString("\n") == "")
    }
  }

  test("what is left to a trait's default is noticed") {
    val left = membersOf(classOf[WithDefaults]).filter(isLeftToSpark(classOf[LeavesOne], _)).map(_.getName)
    assert(left.toSet == Set("left"))
  }

  test("all that is left to Spark is there, in its newest minor") {
    val spark = Seq(classOf[StateStoreProvider], classOf[StateStore]).flatMap(membersOf).map(nameOf).toSet
    if (BuiltFor.minor == "4.3") assert(LeftToSpark.keySet.diff(spark).isEmpty)
  }
}

object EveryMemberSuite {

  /** Why we need none of our own. */
  private val LeftToSpark: Map[String, String] = Seq("maintenanceLock", "unloaded", "unloaded_$eq", "setUnloaded")
    .map(name =>
      s"StateStoreProvider.$name" -> "a store's place in Spark's own maintenance, which Spark keeps and asks for"
    )
    .toMap + ("StateStore.release" -> "Spark refuses to release what can be written, whichever the provider")

  trait WithDefaults {
    def left: Int = 1
    def taken: Int = 1
    def declared: Int
  }

  class LeavesOne extends WithDefaults {
    override def taken: Int = 2
    override def declared: Int = 3
  }

  private def nameOf(member: Method): String = s"${member.getDeclaringClass.getSimpleName}.${member.getName}"

  /** The methods of a trait that a class can override, those of its parents among them. */
  private def membersOf(ofSpark: Class[_]): Seq[Method] =
    ofSpark.getMethods.toSeq.filterNot { method =>
      Modifier.isStatic(method.getModifiers) || method.getName.contains("$default$") || method.getName.contains(
        "_setter_"
      )
    }

  /** Whether a class has nothing but the forwarder to a trait's default, which the compiler writes into it, and that trait is Spark's. */
  private def isLeftToSpark(ours: Class[_], member: Method): Boolean = {
    val found = ours.getMethod(member.getName, member.getParameterTypes: _*).getDeclaringClass
    if (found.isInterface) !isOurs(Type.getInternalName(found)) else forwardsTo(found, member).exists(!isOurs(_))
  }

  /** `WithDefaults` stands for a trait of Spark's. */
  private def isOurs(internalName: String): Boolean =
    internalName.contains("/rockstate/") && !internalName.endsWith("WithDefaults")

  /** The trait whose default a class's method calls and does nothing else. */
  private def forwardsTo(found: Class[_], member: Method): Option[String] = {
    var calls = Vector.empty[(String, String)]
    val visitor = new ClassVisitor(Opcodes.ASM9) {
      override def visitMethod(
          access: Int,
          name: String,
          descriptor: String,
          signature: String,
          exceptions: Array[String]
      ): MethodVisitor =
        if (name != member.getName || descriptor != Type.getMethodDescriptor(member)) null
        else
          new MethodVisitor(Opcodes.ASM9) {
            override def visitMethodInsn(op: Int, owner: String, name: String, desc: String, isInterface: Boolean)
                : Unit =
              calls :+= owner -> name
          }
    }
    val bytes = found.getResourceAsStream(s"${found.getName.split('.').last}.class")
    try new ClassReader(bytes).accept(visitor, 0)
    finally bytes.close()
    calls match {
      case Vector((owner, name)) if name == s"${member.getName}$$" => Some(owner)
      case _ => None
    }
  }
}
