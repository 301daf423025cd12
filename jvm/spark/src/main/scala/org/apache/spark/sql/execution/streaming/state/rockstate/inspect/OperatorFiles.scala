package org.apache.spark.sql.execution.streaming.state.rockstate.inspect

import scala.util.Try

import org.apache.hadoop.fs.Path
import org.json4s.{DefaultFormats, Formats}
import org.json4s.jackson.JsonMethods

import org.apache.spark.sql.execution.streaming.state.{
  OperatorStateMetadata,
  OperatorStateMetadataUtils,
  OperatorStateMetadataV1,
  OperatorStateMetadataV2,
  StateSchemaCompatibilityChecker,
  StateStoreColFamilySchema,
  StateStoreId,
  StateStoreMetadata
}
import org.apache.spark.sql.execution.streaming.state.StateStore.DEFAULT_COL_FAMILY_NAME
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles._

import io.rockstate.inspect.FileProblem

/** What Spark keeps of a stateful operator beside its stores: its metadata, and the schemas of its state. Spark writes both before the
  * first batch that needs them.
  *
  * @param upTo the batch whose metadata count, where they are kept by batch
  */
private[rockstate] final class OperatorFiles(files: CheckpointFiles, operator: Long, upTo: Long = Long.MaxValue) {
  import OperatorFiles._

  private val folder = s"state/$operator"

  /** Of operators that evolve their schema Spark keeps the metadata by batch, and does without neither. */
  private val evolves: Boolean = files.exists(s"$folder/$Evolved") || files.exists(s"$folder/$ByBatch")

  private val metadataFile: String =
    if (!evolves) s"$folder/_metadata/metadata"
    else
      files
        .numbersIn(s"$folder/$ByBatch")
        .filter(_ <= upTo)
        .lastOption
        .fold(s"$folder/$ByBatch")(batch => s"$folder/$ByBatch/$batch")

  private val content: Content[OperatorStateMetadata] =
    if (metadataFile.endsWith(ByBatch)) Gone
    else files.read(metadataFile)(in => OperatorStateMetadataUtils.readMetadata(in, if (evolves) 2 else 1).get)

  private val metadata: Option[OperatorStateMetadata] = content.toOption

  private val stores: Vector[StateStoreMetadata] = metadata match {
    case Some(v1: OperatorStateMetadataV1) => v1.stateStoreInfo.toVector
    case Some(v2: OperatorStateMetadataV2) => v2.stateStoreInfo.toVector
    case _ => Vector.empty
  }

  def name: Option[String] = metadata.map(_.operatorInfo.operatorName)

  /** The names of its stores, none if the metadata does not tell. */
  def storeNames: Vector[String] = stores.map(_.storeName)

  /** Its stores as the metadata has them, in that order, with what Spark keeps of the form of their rows. */
  def forms: Vector[StoreForm] = metadata match {
    case Some(v1: OperatorStateMetadataV1) =>
      v1.stateStoreInfo.toVector.map(s =>
        StoreForm(s.storeName, s.numColsPrefixKey, Vector(ofFirstPartition(s.storeName)))
      )
    case Some(v2: OperatorStateMetadataV2) =>
      v2.stateStoreInfo.toVector.map { s =>
        StoreForm(s.storeName, s.numColsPrefixKey, s.stateSchemaFilePaths.toVector.map(evolved(s.storeName, _)))
      }
    case _ => Vector.empty
  }

  /** What the operator says of itself, as JSON, if it does. */
  def properties: Option[String] = metadata.collect { case v2: OperatorStateMetadataV2 => v2.operatorPropertiesJson }

  /** The names of its state variables, if a user's processor has declared some. */
  def variables: Vector[String] = {
    implicit val formats: Formats = DefaultFormats
    properties.fold(Vector.empty[String]) { json =>
      Try((JsonMethods.parse(json) \ "stateVariables").children.map(each => (each \ "stateName").extract[String]))
        .fold(_ => Vector.empty, _.toVector)
    }
  }

  /** Of a join the column families that it keeps both sides in, if it does not have a store for each. */
  def joinFamilies: Vector[String] = forms match {
    case Vector(only) if name.contains("symmetricHashJoin") =>
      families(only).toOption.toVector.flatten.map(_.colFamilyName).filterNot(_ == DEFAULT_COL_FAMILY_NAME)
    case _ => Vector.empty
  }

  /** The column families of a store by its newest schema file. */
  def families(form: StoreForm): Content[List[StateStoreColFamilySchema]] =
    form.schemaFiles.lastOption.fold[Content[List[StateStoreColFamilySchema]]](Gone)(schema)

  /** Those that only an earlier program had, as it had them last: their rows stay until a program deletes them.
    *
    * @param now those of the newest schema file
    */
  def formerFamilies(form: StoreForm, now: Vector[StateStoreColFamilySchema]): Vector[StateStoreColFamilySchema] = {
    val known = now.map(_.colFamilyName).toSet
    val earlier = form.schemaFiles.dropRight(1).reverse.flatMap(schema(_).toOption).flatten
    earlier.distinctBy(_.colFamilyName).filterNot(family => known(family.colFamilyName))
  }

  /** How many partitions it has, as far as that can be told. Without a key all rows are in one, whatever the metadata says.
    *
    * @param listed how many it has at least
    */
  def partitions(listed: Int): Int =
    if (isInOnePartition(listed)) 1 else stores.map(_.numPartitions).maxOption.getOrElse(listed)

  /** Whether all its rows are in one partition, however many the query has. */
  def isInOnePartition(listed: Int): Boolean = {
    val keys = schemaFiles.map(schema).flatMap(_.toOption).flatten.map(_.keySchema)
    listed <= 1 && (keys.forall(_.isEmpty) || name.contains("globalLimit"))
  }

  /** What is damaged, and if so what is missing.
    *
    * @param isComplete whether all of it must be there: a batch was committed, by a Spark that writes it
    */
  def problems(isComplete: Boolean): Vector[FileProblem] =
    problem(metadataFile, content, "The operator's metadata", isComplete)(withoutIt, withoutIt).toVector ++
      schemaFiles.flatMap { file =>
        problem(file, schema(file), "The schema of the operator's state", isComplete)(withoutIt, DoesNotStart)
      } ++
      moved.map { path =>
        val what =
          if (files.isThere(path))
            "which is another checkpoint's: the query writes there, and does not start without it"
          else s"which is not there: $DoesNotStart"
        FileProblem(metadataFile, None, s"It names the schema file $path, $what", MovedRemedy)
      }

  private def withoutIt: String = if (evolves) DoesNotStart else Unread

  private def problem(file: String, content: Content[_], what: String, isComplete: Boolean)(
      ifGone: String,
      ifDamaged: String
  ): Option[FileProblem] = content match {
    case Readable(_) => None
    case Gone => Option.when(isComplete)(FileProblem(file, None, s"$what is not there: $ifGone", Remedy))
    case Damaged(why) => Some(FileProblem(file, None, s"$what cannot be read ($why): $ifDamaged", Remedy))
  }

  private def schema(file: String): Content[List[StateStoreColFamilySchema]] =
    files.read(file)(StateSchemaCompatibilityChecker.readSchemaFile)

  /** Of each store of the first partition; operators that evolve their schema list the files of all its forms. */
  private lazy val schemaFiles: Vector[String] = forms.flatMap(_.schemaFiles)

  /** A schema file that is in the checkpoint, where the metadata names one in another folder. */
  private def moved: Option[String] = metadata.toVector
    .collect { case v2: OperatorStateMetadataV2 =>
      for {
        store <- v2.stateStoreInfo.toVector
        path <- store.stateSchemaFilePaths
        own = evolved(store.storeName, path)
        if !files.isNamed(own, path) && files.exists(own)
      } yield path
    }
    .flatten
    .headOption

  /** The metadata has the whole path, which is another one if the checkpoint was moved. */
  private def evolved(store: String, path: String): String = s"$folder/$Evolved/$store/${new Path(path).getName}"

  private def ofFirstPartition(store: String): String =
    if (store == StateStoreId.DEFAULT_STORE_NAME) s"$folder/0/_metadata/schema"
    else s"$folder/0/$store/_metadata/schema"
}

/** What Spark keeps of the form of a store's rows.
  *
  * @param prefixColumns how many of the key's columns can be scanned by; 0 if none
  * @param schemaFiles   by their names in the checkpoint, the newest last
  */
private[rockstate] final case class StoreForm(name: String, prefixColumns: Int, schemaFiles: Vector[String])

private object OperatorFiles {
  private val Evolved = "_stateSchema"
  private val ByBatch = "_metadata/v2"
  private val DoesNotStart = "the query does not start"
  private val Unread =
    "`rockstate rows` and Spark's state data source cannot read the state; the query starts, but checks its state's form against nothing"
  private val Remedy = "Restore the file from a backup."
  private val MovedRemedy = "Put the checkpoint back in the folder that it was in, or move it with `rockstate migrate`."
}
