package org.apache.spark.sql.execution.streaming.state.rockstate.conformance

import java.lang.management.ManagementFactory
import java.util.Base64
import java.util.concurrent.TimeoutException

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import com.fasterxml.jackson.databind.node.JsonNodeFactory

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.execution.streaming.state.rockstate.conformance.command.{Args, UsageException}
import org.apache.spark.sql.execution.streaming.state.rockstate.conformance.storage.{LabFileSystem, LabStorage}
import org.apache.spark.sql.execution.streaming.state.rockstate.conformance.stores.{
  CallsSince41,
  CallsSince42,
  InstanceMetrics,
  LabDisk,
  LabMetrics,
  LabProvider,
  LabRows,
  LabSetup,
  LabSpark,
  LabStore,
  LabTask,
  ReadOfTask
}

/** Drives any state store provider through Spark's own contract, by lists of commands in JSON. What they are and answer is said in
  * `docs/conformance.md`.
  */
final class LabCommands {
  import LabCommands._

  private val providers = mutable.Map.empty[String, LabProvider]
  private val stores = mutable.Map.empty[String, LabStore]

  /** One outcome a command, in their order; a command that fails does not stop the list. */
  def run(requests: String): String = {
    LabSpark.hide()
    val before = Thread.currentThread.getContextClassLoader
    Thread.currentThread.setContextClassLoader(loader(before))
    try {
      val outcomes = Json.arrayNode()
      mapper.readTree(requests).elements.asScala.foreach(command => outcomes.add(outcome(command)))
      mapper.writeValueAsString(outcomes)
    } finally Thread.currentThread.setContextClassLoader(before)
  }

  // The one that sees the jars of --jars, if this thread's does not even see this class.
  private def loader(ofThread: ClassLoader): ClassLoader =
    try {
      ofThread.loadClass(getClass.getName)
      ofThread
    } catch { case _: Exception => getClass.getClassLoader }

  private def outcome(command: JsonNode): JsonNode =
    try Json.objectNode().set[JsonNode]("ok", perform(command.path("op").asText, new Args(command)))
    catch {
      case e: UsageException => error("Usage", s"${e.getMessage}: $command")
      case e: TimeoutException => error("Timeout", e.getMessage)
      case e: VirtualMachineError if !e.isInstanceOf[StackOverflowError] => throw e
      case e: Throwable => error(e.getClass.getName, describe(e))
    }

  private def perform(op: String, args: Args): JsonNode = {
    val seconds = args.long("timeout", DefaultSeconds)
    op match {
      case "provider_open" => open(args, seconds)
      case "provider_close" => close(args.text("provider"), seconds)
      case "custom_metrics" => args.strings(on(args, seconds)(p => LabMetrics.shown(p.supportedCustomMetrics)))
      case "declared_before" => args.strings(LabMetrics.shown(named(args).unopened.supportedCustomMetrics))
      case "local_files" => Json.numberNode(LabDisk.files())
      case "threads" => Json.numberNode(ManagementFactory.getThreadMXBean.getThreadCount)
      case "instance_metrics" => args.strings(on(args, seconds)(p => InstanceMetrics.declared(p, p.stateStoreId)))
      case "begin" =>
        val (empty, snapshot) = (args.boolean("empty"), args.boolean("snapshot"))
        began(args, seconds) { p =>
          val store = CallsSince42.begin(p, args.long("version"), id(args), empty, snapshot)
          if (args.boolean("unload")) LabTask.atEnd(named(args).unload())
          if (args.boolean("unwatched")) store else LabTask.aborting(store)
        }
      case "begin_read" =>
        began(args, seconds)(p => ReadOfTask(p.getReadStore(args.long("version"), id(args))))
      case "upgrade" => upgrade(args, seconds)
      case "replay" =>
        began(args, seconds)(p =>
          CallsSince41.replay(
            replaying(p),
            (args.long("snapshot"), id(args, "snapshot_id")),
            (args.long("version"), id(args)),
            args.boolean("read_only")
          )
        )
      case "replay_read" =>
        val (snapshot, version) = (args.long("snapshot") -> id(args, "snapshot_id"), args.long("version") -> id(args))
        began(args, seconds)(p => CallsSince41.replayToRead(replaying(p), snapshot, version))
      case "changes" => changes(args, seconds)
      case "files" | "read" | "write" | "create" | "delete" | "save" | "restore" | "drop" | "fault" | "calls" |
          "heal" =>
        storage(op, args, LabStorage.of(args.text("lab")))
      case _ if Around(op) => around(op, named(args), args, seconds)
      case _ =>
        val store = openStore(args)
        store.provider(seconds)(_ => store.perform(op, args))
    }
  }

  /** What happens around a provider's stores. */
  private def around(op: String, provider: LabProvider, args: Args, seconds: Long): JsonNode = {
    op match {
      case "maintain" => provider.maintain(seconds)
      case "start_closing" => provider.startClosing()
      case "close_early" => provider(seconds)(_.close())
      case "files_of_others" => provider.requireFilesOfOthers()
      case "conf_of_others" => provider.requireConfOfOthers()
      case "interrupt" => provider.interrupt()
      case "begin_task" => provider(seconds)(_ => LabTask.begin(args.long("attempt", 0).toInt))
      case "fail_task" => provider(seconds)(_ => LabTask.fail())
      case "end_task" => provider(seconds)(_ => LabTask.end())
      case "track_commit" => provider.trackCommit(args.long("version"), seconds)
      case "validate_commit" => provider.validateCommit(args.long("version"), seconds)
    }
    Null
  }

  private def open(args: Args, seconds: Long): JsonNode = {
    val name = args.text("provider")
    if (providers.contains(name)) throw new UsageException(s"provider $name is open")
    val conf = args.optional("conf").toSeq.flatMap(c => c.fieldNames.asScala.map(key => key -> c.get(key).asText)).toMap
    val lab = args.text("lab")
    val setup = LabSetup(
      lab,
      placed(args, lab, conf.get(OneStorageName).contains("true")),
      new LabRows(args.text("encoder", "none")),
      args.boolean("families"),
      args.boolean("multi"),
      conf,
      args.long("threads", 1).toInt
    )
    val other = if (args.boolean("with")) Some(at(args.text("beside"))) else None
    val provider = new LabProvider(setup, other, args.boolean("on_its_thread"))
    provider.open(seconds)
    providers(name) = provider
    Null
  }

  private def placed(args: Args, lab: String, oneName: Boolean): StateStoreId = {
    val storage = LabStorage.of(lab)
    storage.seeded(args.long("seed", 0))
    val folder = (args.optional("folder").map(_.asText) ++ Seq("state")).mkString("/")
    val id = StateStoreId(
      folder,
      args.long("operator", 0),
      args.long("partition", 0).toInt,
      args.text("store_name", StateStoreId.DEFAULT_STORE_NAME)
    )
    val name =
      if (oneName) lab
      else args.optional("beside").fold(storage.newNameFor(id.toString, lab))(other => at(other.asText).storageName)
    id.copy(checkpointRootLocation = s"${LabFileSystem.Scheme}://$name/$folder")
  }

  private def close(name: String, seconds: Long): JsonNode = {
    val provider = providers.remove(name).getOrElse(throw new UsageException(s"no provider $name"))
    stores.filterInPlace((_, store) => store.provider ne provider)
    provider.close(seconds)
    Null
  }

  private def began(args: Args, seconds: Long)(begin: StateStoreProvider => ReadStateStore): JsonNode = {
    val provider = named(args)
    stores(args.text("store")) = new LabStore(provider, provider(seconds)(begin))
    Null
  }

  private def upgrade(args: Args, seconds: Long): JsonNode = {
    val (from, provider) = (openStore(args), named(args))
    val upgraded = if (args.boolean("snapshot")) CallsSince42.upgrade _ else CallsSince41.upgrade _
    val to = provider(seconds)(p => LabTask.aborting(upgraded(p, from.reading, id(args))))
    stores(args.text("as")) = new LabStore(provider, to)
    Null
  }

  private def changes(args: Args, seconds: Long): JsonNode = {
    val rows = args.optional("encoder").fold(named(args).defaultRows)(encoder => new LabRows(encoder.asText))
    on(args, seconds) { provider =>
      val reader = CallsSince41.changes(
        replaying(provider),
        args.long("first"),
        (args.long("last"), id(args)),
        args.optional("family").map(_.asText)
      )
      val all = Json.arrayNode()
      try
        reader.take(args.long("most", Int.MaxValue).toInt).foreach { case (kind, key: UnsafeRow, value, version) =>
          all.add(
            Json
              .arrayNode()
              .add(kind.toString.toLowerCase(java.util.Locale.ROOT))
              .add(rows.keyJson(key))
              .add(rows.valueJson(value))
              .add(version)
          )
        }
      finally reader.closeIfNeeded()
      all
    }
  }

  private def storage(op: String, args: Args, lab: LabStorage): JsonNode = op match {
    case "files" =>
      val all = Json.arrayNode()
      lab.files().foreach { case (path, length) => all.add(Json.arrayNode().add(path).add(length)) }
      all
    case "read" => Json.textNode(Base64.getEncoder.encodeToString(lab.peek(args.text("path"))))
    case "write" =>
      lab.poke(args.text("path"), Some(Base64.getDecoder.decode(args.text("base64"))))
      Null
    case "create" =>
      lab.create(args.text("path"))
      Null
    case "delete" =>
      lab.poke(args.text("path"), None)
      Null
    case "save" =>
      lab.save(args.text("as"))
      Null
    case "restore" =>
      lab.restore(args.text("from"))
      Null
    case "drop" =>
      LabStorage.drop(args.text("lab"))
      Null
    case "fault" =>
      lab.arm(args.long("at"), args.text("mode"))
      Null
    case "calls" =>
      val calls = lab.calls()
      Json
        .objectNode()
        .put("mutations", calls.mutations)
        .put("opens", calls.opens)
        .put("looks", calls.looks)
        .put("open_inputs", calls.openInputs)
        .set[JsonNode]("transcript", args.strings(calls.transcript))
    case "heal" => heal(args.text("lab"), lab)
  }

  /** After a crash, what ran is gone before storage works again: a store that is still open could hold its provider back. */
  private def heal(name: String, lab: LabStorage): JsonNode = {
    if (lab.isCrashed) providers.filter(_._2.lab == name).toVector.foreach { case (id, provider) =>
      stores.values.filter(_.provider eq provider).toVector.foreach(store => quietly(store.abort(DefaultSeconds)))
      quietly(close(id, DefaultSeconds))
    }
    Json.booleanNode(lab.heal())
  }

  private def quietly(body: => Any): Unit =
    try { body; () }
    catch { case _: Exception => () }

  private def on[T](args: Args, seconds: Long)(body: StateStoreProvider => T): T = named(args)(seconds)(body)

  private def named(args: Args): LabProvider = at(args.text("provider"))

  private def at(name: String): LabProvider = providers.getOrElse(name, throw new UsageException("no such provider"))

  private def openStore(args: Args): LabStore =
    stores.getOrElse(args.text("store"), throw new UsageException("no such store"))

  private def id(args: Args, name: String = "id"): Option[String] = args.optional(name).map(_.asText)

  private def replaying(provider: StateStoreProvider): SupportsFineGrainedReplay = provider match {
    case replaying: SupportsFineGrainedReplay => replaying
    case _ => throw new UnsupportedOperationException("The provider does not implement SupportsFineGrainedReplay")
  }
}

private object LabCommands {
  private val DefaultSeconds = 60L

  /** A conf that says that all executors know the storage by one name. */
  private val OneStorageName = "spark.rockstate.conformance.oneStorageName"
  private val Json = JsonNodeFactory.instance
  private val Null: JsonNode = Json.nullNode()
  private val mapper = new ObjectMapper
  private val Around =
    Set(
      "maintain",
      "start_closing",
      "close_early",
      "files_of_others",
      "conf_of_others",
      "interrupt",
      "begin_task",
      "fail_task",
      "end_task",
      "track_commit",
      "validate_commit"
    )

  private def error(kind: String, message: String): JsonNode =
    Json.objectNode().set("error", Json.objectNode().put("class", kind).put("message", message))

  private def describe(e: Throwable): String =
    Iterator
      .iterate(e)(_.getCause)
      .takeWhile(_ != null)
      .take(4)
      .distinctBy(cause => Option(cause.getMessage).getOrElse(cause))
      .map(cause => if (cause ne e) cause.toString else Option(e.getMessage).getOrElse(e.getClass.getName))
      .mkString("; because: ")
      .take(1500)
}
