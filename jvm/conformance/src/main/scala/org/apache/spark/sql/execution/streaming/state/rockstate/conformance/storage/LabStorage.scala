package org.apache.spark.sql.execution.streaming.state.rockstate.conformance.storage

import java.io.{FileNotFoundException, IOException}
import java.util.concurrent.ConcurrentHashMap

import scala.collection.immutable.TreeMap
import scala.collection.mutable.ArrayBuffer
import scala.util.Random

import org.apache.hadoop.fs.{FileAlreadyExistsException, ParentNotDirectoryException, PathIsNotEmptyDirectoryException}

import org.apache.spark.sql.execution.streaming.state.rockstate.conformance.command.UsageException

/** The storage of one lab: a tree of files in memory that fails on demand. Paths are absolute, `/` is the root.
  *
  * Mutating calls are numbered: create, close (of a file written), rename, delete, mkdirs. So are opens, and looks: listings and statuses.
  * A fault is armed for one call. After a crash every call fails until `heal`, and a stream from before it fails for ever: the process that
  * held it is gone.
  */
private[conformance] final class LabStorage {
  import LabStorage._

  private var nodes: TreeMap[String, Node] = Empty
  private var saves = Map.empty[String, TreeMap[String, Array[Byte]]]
  private var fault: Option[Fault] = None
  private var struck = false
  private var process = 0 // counts crashes: streams of an earlier one are dead
  private var crashed = false
  private var mutations = 0L
  private var opens = 0L
  private var looks = 0L
  private var openInputs = 0L
  private var seed = 0L
  private var writes = 0L
  private var machines = Map.empty[String, Int]
  // All files have one: a storage that tells seconds may, too.
  private val modified = System.currentTimeMillis()
  private val transcript = ArrayBuffer.empty[String]

  // --- what file systems ask

  def create(path: String, overwrite: Boolean): Writer = synchronized {
    mutate(s"create $path") { _ =>
      parentsOf(path).foreach { parent =>
        if (nodes.get(parent).exists(!_.isFolder)) throw new ParentNotDirectoryException(parent)
      }
      nodes.get(path).foreach { old =>
        if (old.isFolder || !overwrite) throw new FileAlreadyExistsException(path)
      }
      makeFolders(parentsOf(path))
      val node = new Node(Some(Array.emptyByteArray), next())
      nodes += path -> node
      new Writer(path, node, process)
    }
  }

  def read(path: String): Opened = synchronized {
    alive()
    opens += 1
    val mode = strike(Opens, opens)
    if (mode.contains("fail_read_once")) throw failed(s"open $path")
    val node = nodes.getOrElse(path, throw new FileNotFoundException(path))
    val bytes = node.bytes.getOrElse(throw new FileNotFoundException(s"$path is a folder"))
    openInputs += 1
    Opened(path, bytes, mode.map(_ => bytes.length / 2), seed)
  }

  def closedInput(): Unit = synchronized {
    openInputs -= 1
  }

  def rename(from: String, to: String, overwrite: Boolean): Unit = synchronized {
    mutate(s"rename $from $to") { _ =>
      if (!nodes.contains(from)) throw new FileNotFoundException(from)
      parentsOf(to).headOption.filterNot(nodes.contains).foreach(parent => throw new FileNotFoundException(parent))
      nodes.get(to).foreach { old =>
        if (!overwrite) throw new FileAlreadyExistsException(to)
        if (old.isFolder && below(to).nonEmpty) throw new PathIsNotEmptyDirectoryException(to)
      }
      val moved = (from -> nodes(from)) +: below(from).toVector
      nodes = nodes -- moved.map(_._1) ++ moved.map { case (path, node) => (to + path.drop(from.length)) -> node }
    }
  }

  def delete(path: String, recursive: Boolean): Boolean = synchronized {
    mutate(s"delete $path") { _ =>
      val under = below(path)
      if (under.nonEmpty && !recursive) throw new PathIsNotEmptyDirectoryException(path)
      val isThere = nodes.contains(path)
      if (path != "/") nodes = nodes -- under.keys - path
      isThere
    }
  }

  def makeFolders(path: String): Unit = synchronized {
    val missing = (path +: parentsOf(path)).filterNot(nodes.contains)
    (path +: parentsOf(path)).find(p => nodes.get(p).exists(!_.isFolder)).foreach { file =>
      throw new ParentNotDirectoryException(file)
    }
    if (missing.isEmpty) alive()
    else mutate(s"mkdirs $path")(_ => makeFolders(missing))
  }

  def status(path: String): Status = synchronized {
    look(s"status $path")
    statusOf(path)
  }

  /** Part of another call: it is not counted. */
  def isFolder(path: String): Boolean = synchronized {
    alive()
    nodes.get(path).exists(_.isFolder)
  }

  /** In an order that the seed decides: Hadoop promises none. */
  def list(path: String): Vector[Status] = synchronized {
    look(s"list $path")
    val own = statusOf(path)
    if (!own.isFolder) Vector(own)
    else {
      val prefix = if (path == "/") "/" else path + "/"
      val children = below(path).toVector.collect {
        case (child, node) if !child.drop(prefix.length).contains('/') => statusOf(child, node)
      }
      new Random((seed, path, writes).hashCode).shuffle(children)
    }
  }

  /** A file that is being written: visible under its name from the start, with what was flushed. */
  final class Writer private[LabStorage] (path: String, node: Node, openedBy: Int) {
    def flushed(bytes: Array[Byte]): Unit = LabStorage.this.synchronized {
      stillOurs()
      node.bytes = Some(bytes)
    }

    def closed(bytes: Array[Byte]): Unit = LabStorage.this.synchronized {
      stillOurs()
      mutate(s"close $path") { isTorn =>
        node.bytes = Some(if (isTorn) bytes.take(bytes.length / 2) else bytes)
        node.written = next()
      }
    }

    private def stillOurs(): Unit = if (openedBy != process) throw failed(s"write $path")
  }

  // --- what checks ask

  /** How the storage is called by a new executor: by a name that no executor of this store has used, so that what a provider keeps in its
    * process by a store's place is not found.
    */
  def newNameFor(store: String, lab: String): String = synchronized {
    val machine = machines.getOrElse(store, 0)
    machines += store -> (machine + 1)
    if (machine == 0) lab else s"$lab$Again$machine"
  }

  /** Which reads give fewer bytes than they were asked for, and how many, depends on the seed. */
  def seeded(by: Long): Unit = synchronized {
    seed = by
  }

  /** @param mode one of `Modes` */
  def arm(at: Long, mode: String): Unit = synchronized {
    if (!Modes.contains(mode)) throw new UsageException(s"no fault mode $mode, there are ${Modes.mkString(", ")}")
    resetCounters()
    struck = false
    fault = Some(Fault(at, mode))
  }

  /** Storage works again; says whether the armed fault had struck. */
  def heal(): Boolean = synchronized {
    resetCounters()
    fault = None
    crashed = false
    struck
  }

  def isCrashed: Boolean = synchronized(crashed)

  def calls(): Calls = synchronized {
    val answer = Calls(mutations, opens, looks, openInputs, transcript.toVector)
    resetCounters()
    answer
  }

  /** Every file with its length, in the order of writing. */
  def files(): Vector[(String, Long)] = synchronized {
    nodes.toVector.sortBy(_._2.written).collect { case (path, Node(bytes)) => (path.drop(1), bytes.length.toLong) }
  }

  /** Beside the faults and the count: hands of the check, not of the provider. */
  def peek(path: String): Array[Byte] = synchronized {
    nodes.get("/" + path).flatMap(_.bytes).getOrElse(throw new UsageException(s"no file $path"))
  }

  def poke(path: String, bytes: Option[Array[Byte]]): Unit = synchronized {
    peek(path)
    bytes.fold(nodes -= "/" + path)(content => nodes += ("/" + path) -> new Node(Some(content), next()))
  }

  /** An empty file, of somebody else's, with the folders above it. */
  def create(path: String): Unit = synchronized {
    parentsOf("/" + path).filterNot(nodes.contains).foreach(folder => nodes += folder -> new Node(None, next()))
    nodes += ("/" + path) -> new Node(Some(Array.emptyByteArray), next())
  }

  def save(as: String): Unit = synchronized {
    saves += as -> nodes.map { case (path, node) => path -> node.bytes.orNull }
  }

  /** Also heals: a tree of then is one of a storage that works. */
  def restore(from: String): Unit = synchronized {
    val saved = saves.getOrElse(from, throw new UsageException(s"nothing was saved as $from"))
    process += 1
    heal()
    nodes = saved.map { case (path, bytes) => path -> new Node(Option(bytes), next()) }
  }

  // --- underneath

  private def look(call: String): Unit = {
    alive()
    looks += 1
    strike(Looks, looks).foreach(_ => throw failed(call))
  }

  private def mutate[T](call: String)(effect: Boolean => T): T = {
    alive()
    mutations += 1
    transcript += call
    strike(Mutations, mutations) match {
      case None => effect(false)
      case Some("crash_after") =>
        effect(false)
        throw failed(call)
      case Some("crash_torn") if call.startsWith("close ") =>
        effect(true)
        throw failed(call)
      case Some(_) => throw failed(call)
    }
  }

  /** The mode of the fault, if it is this call that it was armed for. */
  private def strike(kind: String, count: Long): Option[String] =
    fault.filter(f => !struck && f.at == count && f.counts == kind).map { f =>
      struck = true
      if (f.isCrash) {
        crashed = true
        process += 1
      }
      f.mode
    }

  private def alive(): Unit = if (crashed) throw new IOException("The storage is gone: this process has crashed")

  private def failed(call: String) = new IOException(s"Fault injected at: $call")

  private def resetCounters(): Unit = {
    mutations = 0
    opens = 0
    looks = 0
    transcript.clear()
  }

  private def makeFolders(paths: Seq[String]): Unit =
    paths.filterNot(nodes.contains).foreach(path => nodes += path -> new Node(None, next()))

  private def below(path: String): TreeMap[String, Node] = {
    val prefix = if (path == "/") "/" else path + "/"
    nodes.rangeFrom(prefix).takeWhile(_._1.startsWith(prefix)).removed("/")
  }

  private def statusOf(path: String): Status =
    statusOf(path, nodes.getOrElse(path, throw new FileNotFoundException(path)))

  private def statusOf(path: String, node: Node): Status =
    Status(path, node.bytes.fold(0L)(_.length.toLong), node.isFolder, modified)

  private def next(): Long = {
    writes += 1
    writes
  }
}

private[conformance] object LabStorage {
  val Modes: Set[String] =
    Set(
      "crash_before",
      "crash_after",
      "crash_torn",
      "fail_once",
      "fail_read_once",
      "fail_read_midway",
      "fail_look_once"
    )
  private val Mutations = "mutations"
  private val Opens = "opens"
  private val Looks = "looks"
  private val Again = ".m" // a host's last label begins with a letter

  /** An open file; it fails where it `breaksAt`. */
  final case class Opened(path: String, bytes: Array[Byte], breaksAt: Option[Int], seed: Long)

  /** The calls since they were counted last: how many of each kind, and those that change something; and how many files are being read. */
  final case class Calls(mutations: Long, opens: Long, looks: Long, openInputs: Long, transcript: Vector[String])

  final case class Status(path: String, length: Long, isFolder: Boolean, modified: Long)

  /** A folder has no bytes. Arrays are replaced, never changed. Nodes are numbered in the order of writing. */
  final class Node(var bytes: Option[Array[Byte]], var written: Long) {
    def isFolder: Boolean = bytes.isEmpty
  }

  private object Node {
    def unapply(node: Node): Option[Array[Byte]] = node.bytes
  }

  private final case class Fault(at: Long, mode: String) {
    def isCrash: Boolean = mode.startsWith("crash")
    def counts: String = mode match {
      case "fail_read_once" | "fail_read_midway" => Opens
      case "fail_look_once" => Looks
      case _ => Mutations
    }
  }

  private def Empty = TreeMap("/" -> new Node(None, 0))

  private def parentsOf(path: String): Vector[String] =
    Iterator
      .iterate(path)(p => if (p.lastIndexOf('/') > 0) p.take(p.lastIndexOf('/')) else "/")
      .drop(1)
      .takeWhile(_ != "/")
      .toVector

  private val labs = new ConcurrentHashMap[String, LabStorage]

  /** The storage of a lab, made when it is first asked for. */
  def of(lab: String): LabStorage = labs.computeIfAbsent(lab, _ => new LabStorage)

  /** The same by any of its names. */
  def seenAs(name: String): LabStorage = of(name.takeWhile(_ != Again.head))

  def drop(lab: String): Unit = { labs.remove(lab); () }
}
