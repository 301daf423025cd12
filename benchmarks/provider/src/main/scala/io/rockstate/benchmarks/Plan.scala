package io.rockstate.benchmarks

import java.nio.file.{Path, Paths}

/** What this process is to do.
  *
  * @param contender  name in the results
  * @param provider   class of the provider under test
  * @param confs      Spark confs for its store
  * @param sizes      how much of everything
  * @param budgetBytes Rockstate's memory budget in this question; what it means for others is in their confs
  * @param work       folder of this process alone: checkpoints are made there
  */
final case class Plan(
    contender: String,
    provider: String,
    confs: Map[String, String],
    questions: Seq[String],
    round: Int,
    sizes: Sizes,
    latencyMillis: Int,
    budgetBytes: Long,
    work: Path,
    out: Path
)

/** How much of everything.
  *
  * @param keys             keys of the loaded store
  * @param batchRows        rows of a batch; loads use it too
  * @param firstRows        the same where a JVM's first batches are asked about
  * @param warmup           batches before those that are timed
  * @param warmupSeconds    how long these last at least, where batches follow each other for their speed's sake
  * @param batches          batches that are timed
  * @param smallBatches     the same for batches of `smallRows`
  * @param trials           repetitions of what is not a batch: scans, recoveries, aborts
  * @param maintenanceEvery batches between two runs of maintenance
  * @param soakKeys         keys of all stores where a process is watched for long
  * @param soakSeconds      how long that is
  */
final case class Sizes(
    keys: Int = 1000000,
    batchRows: Int = 50000,
    firstRows: Int = 64000,
    warmup: Int = 4,
    warmupSeconds: Int = 0,
    batches: Int = 10,
    smallRows: Int = 500,
    smallBatches: Int = 200,
    trials: Int = 3,
    maintenanceEvery: Int = 10,
    soakKeys: Int = 10000000,
    soakSeconds: Int = 1800
) {
  def warmUp: Workload.WarmUp = Workload.WarmUp(warmup, warmupSeconds)

  /** The same for the first ten batches of a JVM: nothing has been compiled before them. */
  def first: Sizes = copy(batchRows = firstRows, warmup = 0, warmupSeconds = 0, batches = 10)

  def asMap: Map[String, Int] = productElementNames
    .map(Sizes.underscored)
    .zip(productIterator)
    .map { case (k, v) =>
      k -> v.asInstanceOf[Int]
    }
    .toMap
}

object Sizes {
  private def underscored(name: String): String = name.replaceAll("([A-Z])", "_$1").toLowerCase
}

object Plan {

  /** Reads `--name value` pairs; `IllegalArgumentException` says what is wrong. */
  def parse(arguments: Seq[String]): Plan = {
    require(arguments.size % 2 == 0, s"arguments are pairs of --name and value: ${arguments.mkString(" ")}")
    val pairs = arguments.grouped(2).map(pair => pair.head -> pair.last).toSeq
    val unknown = pairs.map(_._1).filterNot(Known.contains)
    require(unknown.isEmpty, s"unknown: ${unknown.mkString(", ")}; there are ${Known.mkString(", ")}")
    def all(name: String): Seq[String] = pairs.collect { case (`name`, value) => value }
    def one(name: String): String =
      all(name).lastOption.getOrElse(throw new IllegalArgumentException(s"$name is missing"))
    Plan(
      contender = one("--contender"),
      provider = one("--provider"),
      confs = all("--conf").map(keyAndValue).toMap,
      questions = one("--questions").split(',').toSeq,
      round = one("--round").toInt,
      sizes = sizes(all("--size").map(keyAndValue).map { case (key, value) => key -> value.toInt }.toMap),
      latencyMillis = one("--latency-ms").toInt,
      budgetBytes = one("--budget-bytes").toLong,
      work = Paths.get(one("--work")).toAbsolutePath,
      out = Paths.get(one("--out")).toAbsolutePath
    )
  }

  private val Known = Seq(
    "--contender",
    "--provider",
    "--conf",
    "--questions",
    "--round",
    "--size",
    "--latency-ms",
    "--budget-bytes",
    "--work",
    "--out"
  )

  private def sizes(chosen: Map[String, Int]): Sizes = {
    val defaults = Sizes()
    val unknown = chosen.keySet.diff(defaults.asMap.keySet)
    require(unknown.isEmpty, s"unknown sizes: ${unknown.mkString(", ")}")
    def size(name: String): Int = chosen.getOrElse(name, defaults.asMap(name))
    Sizes(
      keys = size("keys"),
      batchRows = size("batch_rows"),
      warmup = size("warmup"),
      warmupSeconds = size("warmup_seconds"),
      batches = size("batches"),
      smallRows = size("small_rows"),
      smallBatches = size("small_batches"),
      trials = size("trials"),
      maintenanceEvery = size("maintenance_every"),
      soakKeys = size("soak_keys"),
      soakSeconds = size("soak_seconds")
    )
  }

  private def keyAndValue(text: String): (String, String) = {
    val parts = text.split("=", 2)
    require(parts.length == 2, s"not of the form key=value: $text")
    parts(0) -> parts(1)
  }
}
