package org.apache.spark.sql.execution.streaming.state.rockstate.errors

import java.io.{DataOutputStream, File, FileOutputStream}

import scala.util.Using

import org.apache.spark.SparkException
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.streaming.state.{NoPrefixKeyStateEncoderSpec, StateStoreId}
import org.apache.spark.sql.execution.streaming.state.rockstate.provider.{ProviderTest, StoreProvider, TestRows}
import org.apache.spark.sql.types.{LongType, StructType}

import io.rockstate.errors.{Unavailable, Unsupported}

/** State that was begun with the columns of its key in another order, as the schema beside the first partition says. */
class KeyOrderSuite extends ProviderTest {
  private val begun = Seq("a", "b", "c", "d", "e")

  private def schemaOf(columns: Seq[String]): StructType =
    columns.foldLeft(new StructType)((schema, column) => schema.add(column, LongType))

  private def schemaFile(id: StateStoreId): File =
    new File(id.copy(partitionId = 0).storeCheckpointLocation().toUri.getPath, "_metadata/schema")

  /** As Spark writes it when a query starts: its version 2, of one default column family. */
  private def writeSchema(id: StateStoreId, columns: Seq[String]): Unit = {
    schemaFile(id).getParentFile.mkdirs()
    Using.resource(new DataOutputStream(new FileOutputStream(schemaFile(id)))) { out =>
      out.writeUTF("v2")
      Seq(schemaOf(columns), TestRows.valueSchema).foreach { schema =>
        out.writeInt(1)
        out.writeUTF(schema.json)
      }
    }
  }

  private def keyOf(columns: Seq[String]): UnsafeRow =
    UnsafeProjection.create(schemaOf(columns)).apply(InternalRow.fromSeq(columns.indices.map(_.toLong))).copy()

  private def withQuery[A](id: StateStoreId, columns: Seq[String])(body: StoreProvider => A): A =
    withProvider(id, encoderSpec = NoPrefixKeyStateEncoderSpec(schemaOf(columns)))(body)

  /** State of one version under these columns, with Spark's file of them. */
  private def stateOf(columns: Seq[String]): StateStoreId = {
    val id = newId()
    writeSchema(id, columns)
    withQuery(id, columns) { provider =>
      val store = provider.getStore(0)
      store.put(keyOf(columns), TestRows.dataToValueRow(1))
      store.commit()
    }
    id
  }

  private def assertReads(id: StateStoreId, columns: Seq[String]): Unit = withQuery(id, columns) { provider =>
    Seq(provider.getReadStore(1, None), provider.getStore(1)).foreach { store =>
      assert(TestRows.valueRowToData(store.get(keyOf(columns))) == 1)
      store.abort()
    }
  }

  private def refusalOf(id: StateStoreId, columns: Seq[String]): SparkException = withQuery(id, columns) { provider =>
    val failure = intercept[SparkException](provider.getStore(1))
    assert(intercept[SparkException](provider.getReadStore(1, None)).getMessage == failure.getMessage)
    failure
  }

  test(
    "five columns in another order are refused to readers and writers, with both orders, the file and Spark's conf"
  ) {
    val failure = refusalOf(stateOf(begun), Seq("e", "a", "b", "c", "d"))
    assert(failure.getCause.isInstanceOf[Unsupported])
    Seq(
      "(e, a, b, c, d)",
      "(a, b, c, d, e)",
      "0/0/_metadata/schema",
      "spark.sql.dropDuplicates.deterministicKeyOrder.enabled=true",
      "operator 0, partition 3, store default"
    ).foreach(text => assert(failure.getMessage.contains(text)))
  }

  test("so are two columns of one name with another between them") {
    assert(refusalOf(stateOf(Seq("a", "b", "a")), Seq("a", "a", "b")).getMessage.contains("(a, b, a)"))
  }

  test("the same columns in the same order go on") {
    assertReads(stateOf(begun), begun)
  }

  test("columns that were renamed go on") {
    assertReads(stateOf(begun), Seq("b", "a", "c", "d", "x"))
  }

  test("four columns are not compared: Spark keeps the order they are given in") {
    assertReads(stateOf(begun.take(4)), begun.take(4).reverse)
  }

  test("state without a schema there goes on") {
    val id = stateOf(begun)
    assert(schemaFile(id).delete())
    assertReads(id, begun.reverse)
  }

  test("before its first commit it is refused, too, when nothing is lost yet") {
    val id = newId()
    writeSchema(id, begun)
    withQuery(id, begun.reverse)(provider => intercept[SparkException](provider.getStore(0)))
    assert(filesOf(id).isEmpty)
  }

  test("a schema that cannot be read is an error with the file, until it is restored") {
    val id = stateOf(begun)
    Using.resource(new FileOutputStream(schemaFile(id)))(_.write(7))
    withQuery(id, begun) { provider =>
      val failure = intercept[SparkException](provider.getStore(1))
      assert(failure.getCause.isInstanceOf[Unavailable])
      assert(failure.getMessage.contains("0/0/_metadata/schema"))
      writeSchema(id, begun)
      provider.getStore(1).abort()
    }
  }

  test("the schema is read once, not again for each batch") {
    val id = stateOf(begun)
    withQuery(id, begun) { provider =>
      provider.getStore(1).commit()
      writeSchema(id, begun.reverse)
      provider.getStore(2).abort()
    }
  }
}
