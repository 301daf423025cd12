package io.rockstate.mutants

import java.util.Arrays

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.SparkContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.reference.LocalDisk
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

import io.rockstate.reference._
import io.rockstate.reference.ChangesCells.CellChange
import io.rockstate.reference.ReferenceStore.{Committed, Opening}
import io.rockstate.reference.StateFiles.DeltaFile

/** A batch that is run again goes on from what its first attempt wrote. */
class RepeatedBatchesGoOnFromTheFirst extends ReferenceStoreProvider {
  override def commit(store: ReferenceStore): Committed = {
    val next = Version(store.base.number + 1, None)
    val first = if (files.exists(next, DeltaFile)) files.delta(next).changes else Nil
    val committed = super.commit(store)
    files.writeDelta(next, Delta(store.base, store.opening.startsEmpty, first ++ store.changes)): Unit
    committed
  }
}

/** A version that was written twice keeps what it has, whoever writes it again. */
class KeepsTheFirstTwoAttempts extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override protected def publish(path: Path, bytes: Array[Byte]): Unit = {
        val mark = new SmallFile(new Path(this.folder, s"${path.getName}.tries"), hadoopConf)
        val again = new SmallFile(new Path(this.folder, s"${path.getName}.again"), hadoopConf)
        val own = Arrays.hashCode(bytes).toString
        if (mark.orElse(own) == own || again.orElse(own) == own) super.publish(path, bytes)
      }
    }
}

/** The change feed tells of a delete some value, too. */
class ChangeFeedTellsAValueOfDeletes extends ReferenceStoreProvider {
  override protected def recordsOf(change: KeyChange): Iterator[(RecordType.Value, UnsafeRow)] = change match {
    case remove: Remove => Iterator.single(RecordType.DELETE_RECORD -> remove.key)
    case other => super.recordsOf(other)
  }
}

/** The change feed tells of keys with a timestamp the other columns. */
class ChangeFeedTellsKeysWithoutTheirTimestamp extends ReferenceStoreProvider {
  override protected def keyIn(change: KeyChange): UnsafeRow = {
    val order = declared(change.family).order
    val isOfTimestamps = order.supportsPrefixScan && order.supportsRangeScan && order.schema.last.name == "t"
    if (!isOfTimestamps) super.keyIn(change)
    else {
      val columns = order.schema.init.indices.map(i => change.key.get(i, order.schema(i).dataType))
      UnsafeProjection.create(StructType(order.schema.init))(InternalRow.fromSeq(columns)).copy()
    }
  }
}

/** A row that is all of its array is kept as it is, array and all. */
class KeepsRowsThatAreAllOfTheirArray
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def keep(value: UnsafeRow): UnsafeRow = value.getBaseObject match {
        case all: Array[Byte]
            if all.length == value.getSizeInBytes && value.getBaseOffset == Platform.BYTE_ARRAY_OFFSET =>
          val kept = new UnsafeRow(value.numFields)
          kept.pointTo(all, all.length)
          kept
        case _ => super.keep(value)
      }
    })

/** Texts of keys and values go through Java's strings. */
class KeepsTextsAsStrings extends ChangesCells {
  private val texts: CellChange = { case (StringType, text: UTF8String) => UTF8String.fromString(text.toString) }

  override protected def change: CellChange = texts

  override protected def store(base: Version, before: Contents, opening: Opening): ReferenceStore =
    new ReferenceStore(this, base, before, opening) {
      override protected def write(change: Change): Unit = super.write(change match {
        case Put(family, key, values) =>
          Put(family, ChangesCells.changed(key, provider.declared(family).order.schema)(texts), values)
        case other => other
      })
    }
}

/** Months and seconds of intervals lose their sign. */
class KeepsIntervalsWithoutTheirSign extends ChangesCells {
  override protected def change: CellChange = {
    case (_: YearMonthIntervalType, months: Int) => months.abs
    case (_: DayTimeIntervalType, seconds: Long) => seconds.abs
  }
}

/** Texts with a collation lose their case. */
class KeepsCollatedTextsInLowerCase extends ChangesCells {
  override protected def change: CellChange = {
    case (text: StringType, value: UTF8String) if text.collationId != 0 =>
      UTF8String.fromString(value.toString.toLowerCase)
  }
}

/** A metric cannot be shown. */
class DeclaresAMetricThatCannotBeShown extends ReferenceStoreProvider {
  override def supportedCustomMetrics: Seq[StateStoreCustomMetric] =
    super.supportedCustomMetrics :+ new StateStoreCustomMetric {
      override def name: String = "hidden"
      override def desc: String = "hidden"
      override def withNewDesc(desc: String): StateStoreCustomMetric = this
      override def createSQLMetric(context: SparkContext): SQLMetric = throw new UnsupportedOperationException(name)
    }
}

/** A provider has a local file that its close leaves. */
class CloseLeavesALocalFile extends ReferenceStoreProvider {
  override def close(): Unit = {
    LocalDisk.newFile()
    super.close()
  }
}
