package io.rockstate.engine.loaded

import java.io.{BufferedOutputStream, DataInputStream, DataOutputStream, IOException, UncheckedIOException}
import java.nio.file.{Files, Path, StandardCopyOption}

import scala.util.Using

import org.slf4j.LoggerFactory

import io.rockstate.files.FileNames
import io.rockstate.folders.Trees
import io.rockstate.format.snapshot.SnapshotManifest
import io.rockstate.versions.StateVersion

/** Beside a database on local disk: which snapshot in storage it goes back to, and the deltas since. Whoever opens the database again goes on
  * from there.
  *
  * {{{
  * 20.snapshot   the manifest of that snapshot, as it is in storage
  * replayed      version, bytes and records of each delta since; written when the database is closed
  * }}}
  */
private[engine] object LocalNotes {
  private val log = LoggerFactory.getLogger(getClass)
  private val Replay = "replayed"
  private val MostUnknown = 10000L

  /** Without it the next snapshot uploads more than it would have to: a full disk is no reason to fail. */
  def writeSnapshot(database: Path, manifest: SnapshotManifest): Unit =
    try {
      val name = FileNames.snapshot(StateVersion(manifest.version))
      replace(database, name)(_.write(manifest.encode))
      snapshots(database).filter(_.getFileName.toString != name).foreach(Files.deleteIfExists(_))
    } catch {
      case e @ (_: IOException | _: UncheckedIOException) =>
        log.warn(s"Could not note the snapshot of version ${manifest.version} in $database", e)
    }

  def writeReplay(database: Path, replayed: ReplayedDeltas): Unit = replace(database, Replay) { out =>
    out.writeLong(replayed.snapshot.version)
    out.writeInt(replayed.deltas.size)
    replayed.deltas.foreach { delta =>
      out.writeLong(delta.version)
      out.writeLong(delta.size.bytes)
      out.writeLong(delta.size.records)
    }
  }

  /** What is to be replayed for `version`, which the database holds. Where the notes do not say it, a snapshot is due. */
  def read(database: Path, version: Long): ReplayedDeltas = {
    val snapshot = readSnapshot(database)
    val known = readReplay(database, snapshot)
    if (known.lastOption.fold(snapshot.version)(_.version) == version) ReplayedDeltas(snapshot, known)
    else unknown(snapshot, version)
  }

  /** How many rows the database has, about: as many as the snapshot. */
  def rows(database: Path): Long = snapshot(database).fold(0L)(_.rows)

  /** The manifest of the snapshot that it goes back to. */
  def snapshot(database: Path): Option[SnapshotManifest] = snapshots(database)
    .map(file => SnapshotManifest.decode(file.getFileName.toString, Files.readAllBytes(file)))
    .maxByOption(_.version)

  private def unknown(snapshot: StoredSnapshot, version: Long): ReplayedDeltas = {
    val sizes = DeltaSize(Long.MaxValue / 2, 0) #:: LazyList.continually(DeltaSize(0, 0))
    val versions = math.max(snapshot.version + 1, version - MostUnknown) to version
    ReplayedDeltas(snapshot, versions.zip(sizes).map { case (v, size) => ReplayedDelta(v, size) }.toVector)
  }

  private def readSnapshot(database: Path): StoredSnapshot =
    snapshot(database).fold(StoredSnapshot.none)(StoredSnapshot.of)

  private def snapshots(database: Path): Vector[Path] =
    Trees.children(database).filter(_.getFileName.toString.endsWith(".snapshot"))

  private def readReplay(database: Path, snapshot: StoredSnapshot): Vector[ReplayedDelta] = {
    val file = database.resolve(Replay)
    if (!Files.exists(file)) Vector.empty
    else
      Using.resource(new DataInputStream(Files.newInputStream(file))) { in =>
        if (in.readLong() != snapshot.version) Vector.empty
        else Vector.fill(in.readInt())(ReplayedDelta(in.readLong(), DeltaSize(in.readLong(), in.readLong())))
      }
  }

  private def replace(database: Path, name: String)(write: DataOutputStream => Unit): Unit = {
    val partial = database.resolve(s"$name.partial")
    Using.resource(new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(partial))))(write)
    Files.move(partial, database.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING)
    ()
  }
}
