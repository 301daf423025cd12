package org.apache.spark.sql.execution.streaming.state.rockstate.extension

import java.util.ServiceLoader

import scala.jdk.CollectionConverters._

import org.apache.spark.SparkConf
import org.apache.spark.sql.{Dataset, SparkSessionExtensions, SparkSessionExtensionsProvider}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, ProjectExec, SparkPlan}
import org.apache.spark.sql.execution.streaming.operators.stateful.transformwithstate.TransformWithStateExec
import org.apache.spark.sql.execution.streaming.runtime.{MemoryStream, StreamExecution}
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.internal.{SQLConf, StaticSQLConf}
import org.apache.spark.sql.streaming._

import io.rockstate.{RockStateStoreProvider, RockstateExtensions}

class RockstateExtensionsSuite extends StreamTest {
  import testImplicits._

  private val providerKey = SQLConf.STATE_STORE_PROVIDER_CLASS.key
  private val ours = classOf[RockStateStoreProvider].getName

  // Between two extensions that rebuild the plan, and twice: as if both the jar and the conf named it.
  override protected def sparkConf: SparkConf = super.sparkConf
    .set(
      StaticSQLConf.SPARK_SESSION_EXTENSIONS.key,
      Seq(classOf[RebuildsPlan], classOf[RockstateExtensions], classOf[RockstateExtensions], classOf[RebuildsPlan])
        .map(_.getName)
        .mkString(",")
    )
    .set(providerKey, ours)
    .set(SQLConf.SHUFFLE_PARTITIONS.key, "2")

  override def afterAll(): Unit = {
    StateStore.stop()
    super.afterAll()
  }

  /** The batches in which each key occurred so far. */
  private def counts(input: Dataset[String]): Dataset[(String, String)] =
    input
      .groupByKey(identity)
      .transformWithState(new RunningCountStatefulProcessor, TimeMode.None(), OutputMode.Update())

  private def operatorOf(query: StreamExecution): TransformWithStateExec =
    query.lastExecution.executedPlan.collectFirst { case operator: TransformWithStateExec => operator }.get

  test("a query on Rockstate runs, in each of its starts with the provider of its checkpoint") {
    withTempDir { checkpoint =>
      val input = MemoryStream[String]
      def run(data: String*)(answer: (String, String)*) = testStream(counts(input.toDS()), OutputMode.Update())(
        StartStream(checkpointLocation = checkpoint.getAbsolutePath),
        AddData(input, data: _*),
        CheckNewAnswer(answer.head, answer.tail: _*),
        Execute(query => assert(operatorOf(query).isInstanceOf[RockstateTransformWithStateExec]))
      )
      run("a", "b", "a")("a" -> "1", "b" -> "1")
      run("a")("a" -> "2")
      withSQLConf(providerKey -> classOf[HDFSBackedStateStoreProvider].getName)(run("b", "c")("b" -> "2", "c" -> "1"))
    }
  }

  test("a query on Spark's RocksDB provider has Spark's own operator") {
    withSQLConf(providerKey -> classOf[RocksDBStateStoreProvider].getName) {
      val input = MemoryStream[String]
      testStream(counts(input.toDS()), OutputMode.Update())(
        AddData(input, "a"),
        CheckNewAnswer("a" -> "1"),
        Execute(query => assert(operatorOf(query).getClass == classOf[TransformWithStateExec]))
      )
    }
  }

  test("a query on another provider is refused by Spark") {
    withSQLConf(providerKey -> classOf[HDFSBackedStateStoreProvider].getName) {
      val input = MemoryStream[String]
      testStream(counts(input.toDS()), OutputMode.Update())(
        AddData(input, "a"),
        ExpectFailure[StateStoreBackendNotSupportedForTWSException]()
      )
    }
  }

  test("a batch query runs, with Spark's own operator") {
    val result = counts(Seq("a", "b", "a").toDS())
    assert(result.collect().toSet == Set("a" -> "1", "b" -> "1"))
    assert(!result.queryExecution.executedPlan.exists(_.isInstanceOf[AcceptsRockstate]))
  }

  test("the operator stays itself however Spark rebuilds it, and is not equal to Spark's") {
    val input = MemoryStream[String]
    testStream(counts(input.toDS()), OutputMode.Update())(
      AddData(input, "a"),
      CheckNewAnswer("a" -> "1"),
      Execute { query =>
        val operator = operatorOf(query)
        val sparks = operator.copy()
        assert(operator != sparks && sparks != operator && operator == RockstateTransformWithStateExec(sparks))
        val rebuilt = Seq[SparkPlan](
          operator.clone(),
          operator.canonicalized,
          operator.transformUp { case leaf if leaf.children.isEmpty => ProjectExec(leaf.output, leaf) },
          operator.transformExpressions { case expression => expression.mapChildren(_.clone()) },
          operator.makeCopy(operator.productIterator.map(_.asInstanceOf[AnyRef]).toArray)
        )
        rebuilt.foreach(plan => assert(plan.isInstanceOf[RockstateTransformWithStateExec]))
      }
    )
  }

  test("Spark finds the extension by the jar's service file") {
    val found = ServiceLoader.load(classOf[SparkSessionExtensionsProvider]).asScala
    assert(found.count(_.isInstanceOf[RockstateExtensions]) == 1)
  }
}

/** An extension whose rule gives every operator new children. */
class RebuildsPlan extends SparkSessionExtensionsProvider {
  override def apply(extensions: SparkSessionExtensions): Unit = extensions.injectColumnar { _ =>
    new ColumnarRule {
      override def preColumnarTransitions: Rule[SparkPlan] = _.transformUp {
        case leaf if leaf.children.isEmpty => ProjectExec(leaf.output, leaf)
      }
    }
  }
}
