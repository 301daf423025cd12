package org.apache.spark.sql.execution.streaming.state.rockstate.moving

import org.apache.hadoop.conf.Configuration
import org.json4s.{DefaultFormats, Formats, JArray, JBool, JNothing, JObject, JString}
import org.json4s.jackson.JsonMethods

import org.apache.spark.sql.execution.streaming.state.{
  InMemoryStateSchemaProvider,
  KeyStateEncoderSpec,
  NoPrefixKeyStateEncoderSpec,
  PrefixKeyScanStateEncoderSpec,
  StateSchemaMetadata,
  StateSchemaProvider,
  StateStoreColFamilySchema
}
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.{CheckpointFiles, OperatorFiles, StoreForm}
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.CheckpointFiles.{Damaged, Readable}
import org.apache.spark.sql.execution.streaming.state.rockstate.shims.{OperatorDetails, WholeStores}
import org.apache.spark.sql.internal.SQLConf

import io.rockstate.errors.{CorruptFile, NotFound, Unsupported}

/** How a checkpoint's stores are opened outside its query, by what Spark wrote of its operators.
  *
  * @param batch whose state it is about
  * @param conf  what the query is pinned to
  */
private[moving] final class PlanReader(
    files: CheckpointFiles,
    batch: Long,
    conf: Map[String, String],
    hadoopConf: Configuration
) {
  import PlanReader._

  def storesOf(operator: Long): Vector[StorePlan] = {
    val own = new OperatorFiles(files, operator, batch)
    val name = own.name.getOrElse(throw unreadable(operator))
    own.forms.zipWithIndex.map { case (form, index) =>
      val now = familiesOf(own, form)
      val former = own.formerFamilies(form, now)
      val properties = own.properties.filter(isOfStateVariables).map(withVariables(_, former))
      val lists = properties.fold(Set.empty[String])(listVariables) ++ WholeStores.joinsWithLists
      def plans(schemas: Vector[StateStoreColFamilySchema], isFormer: Boolean) = schemas.map { schema =>
        FamilyPlan(schema, encoder(form, schema), lists(schema.colFamilyName), isFormer)
      }
      val families = plans(now, isFormer = false) ++ plans(former, isFormer = true)
      val details = OperatorDetails(conf.get(SQLConf.STREAMING_JOIN_STATE_FORMAT_VERSION.key).map(_.toInt), properties)
      StorePlan(operator, name, form.name, index, families, own.properties.map(_ => schemas(form)), details)
    }
  }

  private def familiesOf(own: OperatorFiles, form: StoreForm): Vector[StateStoreColFamilySchema] = {
    val file = form.schemaFiles.lastOption.getOrElse("state")
    own.families(form) match {
      case Readable(families) if families.nonEmpty => families.toVector
      case Damaged(why) => throw new CorruptFile(s"The schema of the state cannot be read: $why", Verify, pathOf(file))
      case _ => throw new NotFound("The schema of the state is not there", Verify, pathOf(file))
    }
  }

  private def encoder(form: StoreForm, schema: StateStoreColFamilySchema): KeyStateEncoderSpec =
    schema.keyStateEncoderSpec.getOrElse {
      if (form.prefixColumns > 0) PrefixKeyScanStateEncoderSpec(schema.keySchema, form.prefixColumns)
      else NoPrefixKeyStateEncoderSpec(schema.keySchema)
    }

  private def schemas(form: StoreForm): StateSchemaProvider =
    new InMemoryStateSchemaProvider(
      StateSchemaMetadata.createStateSchemaMetadata(pathOf("state"), hadoopConf, form.schemaFiles.map(pathOf).toList)
    )

  private def unreadable(operator: Long): Unsupported = new Unsupported(
    s"Operator $operator has no metadata for batch $batch that tell how its state is kept",
    "Spark 4.0 and later write them in a query's first batch. " + Verify,
    Some(pathOf(s"state/$operator/_metadata"))
  )

  private def pathOf(name: String): String = files.path(name).toString
}

private object PlanReader {
  private implicit val formats: Formats = DefaultFormats
  private val Verify = "See what `rockstate verify` says of the checkpoint."

  /** Other operators whose schema evolves have properties too, which are empty. */
  private def isOfStateVariables(properties: String): Boolean =
    properties.nonEmpty && JsonMethods.parse(properties) \ "stateVariables" != JNothing

  /** With the state variables that only an earlier program had. What kind they are of Spark keeps for some batches only, but it shows in
    * their column families.
    */
  private def withVariables(properties: String, former: Vector[StateStoreColFamilySchema]): String = {
    val families = former.map(_.colFamilyName).toSet
    val variables = former.filterNot(_.colFamilyName.startsWith("$")).map { family =>
      val name = family.colFamilyName
      val kind =
        if (families(s"$$rowCounter_$name")) "ListState"
        else if (family.userKeyEncoderSchema.isDefined) "MapState"
        else "ValueState"
      JObject(
        "stateName" -> JString(name),
        "stateVariableType" -> JString(kind),
        "ttlEnabled" -> JBool(families(s"$$ttl_$name"))
      )
    }
    val all = JsonMethods.parse(properties).transformField { case ("stateVariables", now) =>
      "stateVariables" -> JArray(now.children ++ variables)
    }
    JsonMethods.compact(all)
  }

  /** The state variables that are lists, by the properties of `transformWithState`. */
  private def listVariables(properties: String): Set[String] =
    (JsonMethods.parse(properties) \ "stateVariables").children
      .filter(variable => (variable \ "stateVariableType").extract[String] == "ListState")
      .map(variable => (variable \ "stateName").extract[String])
      .toSet
}
