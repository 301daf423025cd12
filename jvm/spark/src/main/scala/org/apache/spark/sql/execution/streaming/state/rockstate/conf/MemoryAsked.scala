package org.apache.spark.sql.execution.streaming.state.rockstate.conf

import org.apache.spark.{SparkConf, SparkEnv}
import org.apache.spark.internal.config.{
  EXECUTOR_MEMORY,
  EXECUTOR_MEMORY_OVERHEAD,
  EXECUTOR_MEMORY_OVERHEAD_FACTOR,
  EXECUTOR_MIN_MEMORY_OVERHEAD,
  MEMORY_FRACTION
}
import org.apache.spark.util.Utils

/** How much memory a query's options ask for, for all stores of a JVM together.
  *
  * @param budgetBytes      all of it; as much as the JVM has to give if it is not said
  * @param heapSharePercent how much of it is the JVM's heap; three quarters of a budget that is given, if it is not said
  */
private[rockstate] final case class MemoryAsked(budgetBytes: Option[Long], heapSharePercent: Option[Int]) {

  /** What that is in a JVM. */
  def in(jvm: JvmMemory): MemorySizes = {
    val least = MemorySizes(MemoryAsked.Least / 2, MemorySizes.of(MemoryAsked.Least, jvm).heapBytes)
    budgetBytes match {
      case None =>
        val heap = if (heapSharePercent.contains(0)) 0 else math.max(least.heapBytes, jvm.spareHeapBytes)
        MemorySizes(math.max(least.nativeBytes, jvm.spareNativeBytes), heap)
      case Some(bytes) =>
        heapSharePercent.fold(MemorySizes.of(bytes, jvm))(MemorySizes.of(bytes, _, jvm))
    }
  }

  override def toString: String = {
    val budget = budgetBytes.fold(ProviderConf.memoryBudget.default)(Utils.bytesToString(_))
    s"${ProviderConf.memoryBudget.name} $budget" +
      heapSharePercent.fold("")(share => s" with ${ProviderConf.heapShare.name} $share")
  }
}

private[rockstate] object MemoryAsked {

  /** What every JVM has to give, however small: the most that this budget would come to, of heap and of native memory. */
  private val Least = 512L << 20
}

/** @param nativeBytes for block cache and write buffers
  * @param heapBytes   for change layers and read caches
  */
private[rockstate] final case class MemorySizes(nativeBytes: Long, heapBytes: Long)

private[rockstate] object MemorySizes {

  /** A quarter of a smaller budget is too little for RocksDB. */
  private val ForThreeQuarters = 64L << 20

  /** Heap first: with more than it needs RocksDB does nothing but keep rows, and to read one there costs ten times as much. What a small heap does
    * not have is RocksDB's, up to half of the budget.
    */
  def of(budgetBytes: Long, jvm: JvmMemory): MemorySizes = {
    val share = if (budgetBytes < ForThreeQuarters) budgetBytes / 2 else budgetBytes / 4 * 3
    val heap = math.min(share, jvm.heapBytes / 4)
    MemorySizes(math.min(budgetBytes - heap, budgetBytes / 2), heap)
  }

  /** Of a small heap no more than a quarter. */
  def of(budgetBytes: Long, heapSharePercent: Int, jvm: JvmMemory): MemorySizes = {
    val heap = (budgetBytes * (heapSharePercent / 100.0)).toLong
    MemorySizes(budgetBytes - heap, math.min(heap, jvm.heapBytes / 4))
  }
}

/** @param spareHeapBytes   of its heap, what state may take unless it is told otherwise
  * @param spareNativeBytes of its memory outside the heap, likewise
  */
private[rockstate] final case class JvmMemory(heapBytes: Long, spareHeapBytes: Long, spareNativeBytes: Long)

private[rockstate] object JvmMemory {
  private val Mebibyte = 1L << 20

  /** Half of the heap that Spark leaves to others than its own execution and storage. */
  def apply(heapBytes: Long, conf: SparkConf, isExecutor: Boolean): JvmMemory = {
    val spareHeap = (heapBytes * (1 - conf.get(MEMORY_FRACTION)) / 2).toLong
    JvmMemory(heapBytes, spareHeap, if (isExecutor) overheadBytes(conf) / 2 else 0)
  }

  /** Of this JVM. What a driver may take outside its heap nothing says. */
  def here: JvmMemory = {
    val env = Option(SparkEnv.get)
    val isExecutor = env.exists(_.executorId != "driver")
    apply(Runtime.getRuntime.maxMemory, env.fold(new SparkConf)(_.conf), isExecutor)
  }

  /** What cluster managers grant an executor outside its heap: its Python workers and Spark itself need some of it, too. */
  private def overheadBytes(conf: SparkConf): Long = conf
    .get(EXECUTOR_MEMORY_OVERHEAD)
    .getOrElse {
      val share = (conf.get(EXECUTOR_MEMORY) * conf.get(EXECUTOR_MEMORY_OVERHEAD_FACTOR)).toLong
      math.max(share, conf.get(EXECUTOR_MIN_MEMORY_OVERHEAD))
    } * Mebibyte
}
