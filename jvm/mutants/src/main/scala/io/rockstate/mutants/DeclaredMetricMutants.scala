package io.rockstate.mutants

import java.util.concurrent.CountDownLatch

import org.apache.spark.sql.execution.streaming.state.{
  StateStoreCustomMetric,
  StateStoreCustomSumMetric,
  StateStoreInstanceMetric,
  StateStoreMetrics,
  StateStoreSnapshotLastUploadInstanceMetric
}

import io.rockstate.reference._
import io.rockstate.reference.ReferenceStore.Opening

/** Stores report a metric of their own that the provider does not declare for its instances. */
class ReportsUndeclaredInstanceMetric
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def metrics: StateStoreMetrics = {
        val metric = StateStoreSnapshotLastUploadInstanceMetric(Some(id.partitionId), id.storeName)
        super.metrics.copy(instanceMetrics = Map(metric -> base.number))
      }
    })

/** What stores report is not equal to what the provider declares, though it has its name. */
class ReportsMetricsThatEqualNone
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def metrics: StateStoreMetrics =
        super.metrics.copy(instanceMetrics = Map(new UnequalMetric(Some(id.partitionId), id.storeName) -> base.number))
    }) {
  override def supportedInstanceMetrics: Seq[StateStoreInstanceMetric] = Seq(new UnequalMetric(None, ""))
}

/** The provider declares the metrics of its stores once it has been opened. */
class DeclaresInstanceMetricsWhenItIsOpened extends ReportsUndeclaredInstanceMetric {
  override def supportedInstanceMetrics: Seq[StateStoreInstanceMetric] =
    if (conf == null) Nil else Seq(StateStoreSnapshotLastUploadInstanceMetric())
}

/** The metric that the provider declares for its instances cannot be sent to a task. */
class DeclaresAMetricThatCannotBeSent extends ReferenceStoreProvider {
  override def supportedInstanceMetrics: Seq[StateStoreInstanceMetric] = Seq(new UnsendableMetric(None, ""))
}

/** The provider declares its metrics once it has been opened. */
class DeclaresMetricsWhenItIsOpened extends ReferenceStoreProvider {
  override def supportedCustomMetrics: Seq[StateStoreCustomMetric] =
    if (conf == null) Nil else super.supportedCustomMetrics
}

/** A store with families reports a metric that the provider does not declare. */
class ReportsUndeclaredMetricOfFamilies
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def metrics: StateStoreMetrics =
        Undeclared.added(super.metrics, isReported = contents.families.values.exists(_.isInternal))
    })

/** A commit that makes a snapshot reports a metric that the provider does not declare. */
class ReportsUndeclaredMetricOfASnapshot
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def metrics: StateStoreMetrics = Undeclared.added(super.metrics, isReported = opening.takesSnapshot)
    })

/** An executor that has loaded a version reports a metric that the provider does not declare. */
class ReportsUndeclaredMetricOfALoad extends ReferenceStoreProvider {
  @volatile private var hasBegun, hasLoaded = false

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore = {
    if (!hasBegun) hasLoaded = base.number > 0
    hasBegun = true
    new ReferenceStore(this, base, before, opening) {
      override def metrics: StateStoreMetrics = Undeclared.added(super.metrics, isReported = hasLoaded)
    }
  }
}

/** Each instance has a thread from its beginning, which ends when it is closed. */
class StartsAThreadWhenItIsMade extends ReferenceStoreProvider {
  private val closed = new CountDownLatch(1)
  private val thread = new Thread(() => closed.await(), "mutant-of-threads")
  thread.setDaemon(true)
  thread.start()

  override def close(): Unit = {
    super.close()
    closed.countDown()
  }
}

/** A batch that removes a key reports a metric that the provider does not declare. */
class ReportsUndeclaredMetricOfRemoves
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def metrics: StateStoreMetrics =
        Undeclared.added(super.metrics, isReported = changes.exists(_.isInstanceOf[Remove]))
    })

/** A batch without a change reports a metric that the provider does not declare. */
class ReportsUndeclaredMetricOfNoChange
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override def metrics: StateStoreMetrics = Undeclared.added(super.metrics, isReported = changes.isEmpty)
    })

/** A metric has the name of one that operators have. */
class DeclaresAMetricOfOperators extends ReferenceStoreProvider {
  override def supportedCustomMetrics: Seq[StateStoreCustomMetric] =
    super.supportedCustomMetrics :+ StateStoreCustomSumMetric("commitTimeMs", "time to commit")
}
