package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import java.util.UUID

import org.apache.hadoop.conf.Configuration

import org.apache.spark.sql.execution.streaming.state.{
  KeyStateEncoderSpec,
  StateSchemaProvider,
  StateStore,
  StateStoreColFamilySchema,
  StateStoreConf,
  StateStoreId,
  StateStoreProvider,
  StateStoreProviderId
}
import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderConf
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.{OffsetSeqMetadata, OperatorDetails}
import org.apache.spark.sql.internal.SQLConf

/** One store of an operator, over all its partitions: what it takes to open it outside its query.
  *
  * @param index   which of the operator's stores it is: the place of its checkpoint id in the commit log
  * @param schemas those of the state's earlier forms, of operators that evolve it
  * @param details what else tells how the operator's rows are spread
  */
private[rockstate] final case class StorePlan(
    operator: Long,
    operatorName: String,
    store: String,
    index: Int,
    families: Vector[FamilyPlan],
    schemas: Option[StateSchemaProvider],
    details: OperatorDetails
) {

  /** Whether all rows are in one partition, however many the query has: there is no key to spread them by. */
  def isInOnePartition: Boolean =
    families.forall(_.schema.keySchema.isEmpty) || operatorName == "globalLimit"

  /** Whether Spark takes floating-point numbers in its keys for one where they are equal in SQL: 0.0 and -0.0, and all NaNs. Functions of
    * the user's get keys as they come.
    */
  def hasNormalizedKeys: Boolean =
    Set("stateStoreSave", "sessionWindowStateStoreSaveExec", "dedupe", "dedupeWithinWatermark")(operatorName)

  /** As Spark's own tools tell it: operators that have column families leave the default one alone. */
  val hasColumnFamilies: Boolean = families.exists(!_.isDefault)

  /** Whether it is of `transformWithState`, which Spark runs on some providers only. */
  def hasStateVariables: Boolean = details.properties.nonEmpty

  /** Opens the provider over one partition; whoever opens it closes it. */
  def open(partition: Int, side: StateSide, hadoopConf: Configuration): StateStoreProvider = {
    // Operators that leave the default family alone have no schema for it: any will do.
    val default = families.find(_.isDefault).getOrElse(families.head)
    StateStoreProvider.createAndInit(
      StateStoreProviderId(StateStoreId(side.stateRoot, operator, partition, store), UUID.randomUUID()),
      default.schema.keySchema,
      default.schema.valueSchema,
      default.encoder,
      hasColumnFamilies,
      side.conf,
      new Configuration(hadoopConf),
      useMultipleValuesPerKey = false,
      schemas
    )
  }

  /** Declares the column families to a store, as the operator does at the start of each batch. */
  def declareFamilies(to: StateStore): Unit =
    families.filterNot(family => family.isDefault || family.isFormer).foreach(_.declare(to))
}

/** @param encoder how its keys are stored
  * @param isMultiValued whether a key has a list of values
  * @param isFormer      whether only an earlier program had it: a store may have its rows still
  */
private[rockstate] final case class FamilyPlan(
    schema: StateStoreColFamilySchema,
    encoder: KeyStateEncoderSpec,
    isMultiValued: Boolean,
    isFormer: Boolean = false
) {
  def name: String = schema.colFamilyName
  def isDefault: Boolean = FamilyPlan.isDefault(name)
  def isInternal: Boolean = name.startsWith("$")

  /** Whether Spark keeps it beside the rows of another: `$ttl_visits` beside those of `visits`. */
  def isBeside(other: FamilyPlan): Boolean =
    isInternal && name.dropWhile(_ != '_').stripPrefix("_") == other.name

  def declare(to: StateStore): Unit =
    to.createColFamilyIfAbsent(name, schema.keySchema, schema.valueSchema, encoder, isMultiValued, isInternal)
}

private[rockstate] object FamilyPlan {
  def isDefault(family: String): Boolean = family == StateStore.DEFAULT_COL_FAMILY_NAME
}

/** Where one checkpoint keeps its state, and with which provider.
  *
  * @param stateRoot its folder `state`
  * @param conf      with the provider, as the query's tasks have it
  * @param version   the version of all its stores: the batch's number and one
  * @param ids       the checkpoint ids of that version, by operator and partition those of its stores; none in format 1
  */
private[rockstate] final case class StateSide(
    stateRoot: String,
    conf: StateStoreConf,
    version: Long,
    ids: Option[Map[Long, Array[Array[String]]]]
) {
  def idOf(plan: StorePlan, partition: Int): Option[String] = ids.map(_(plan.operator)(partition)(plan.index))
}

private[rockstate] object StateSide {

  /** Spark's RocksDB provider looks every row up that it loads from a changelog, to count rows: that is half of the time.
    * Ours takes nothing from local databases: that the files are whole is what reading shows.
    */
  private[moving] val ReadsOnly = Map(
    "spark.sql.streaming.stateStore.rocksdb.trackTotalNumberOfRows" -> "false",
    ProviderConf.warmRestartDisk.key -> "0"
  )

  /** Where the checkpoint keeps its state as after the batch.
    *
    * @param conf of the session that reads it
    */
  def read(source: SourceCheckpoint, conf: SQLConf): StateSide =
    of(source, source.folder.toString, source.provider, LogEntry.format(source.committed), conf, ReadsOnly)

  /** @param root of the checkpoint
    * @param session whose conf `own` is added to
    */
  private[moving] def of(
      source: SourceCheckpoint,
      root: String,
      provider: String,
      format: Int,
      session: SQLConf,
      own: Map[String, String]
  ): StateSide = {
    val conf = session.clone()
    own.foreach { case (key, value) => conf.setConfString(key, value) }
    val pinned = source.conf
    // As at the start of a query: what the log does not name is Spark's default, whatever the session has.
    OffsetSeqMetadata.setSessionConf(OffsetSeqMetadata(conf = pinned), conf)
    pinned.foreach { case (key, value) => conf.setConfString(key, value) }
    conf.setConfString(MoveGoal.ProviderKey, provider)
    conf.setConfString(SQLConf.STATE_STORE_CHECKPOINT_FORMAT_VERSION.key, format.toString)
    StateSide(s"$root/state", StateStoreConf(conf), source.batch + 1, LogEntry.idsIn(source.committed))
  }
}
