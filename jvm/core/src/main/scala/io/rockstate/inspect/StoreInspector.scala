package io.rockstate.inspect

import scala.annotation.tailrec

import io.rockstate.errors.{NotFound, OutOfMemory, StateStoreException, Unavailable}
import io.rockstate.files.{DeltaName, FileNames, Parallel, RemoteFile, RemoteFiles, SnapshotName, StoreFile}
import io.rockstate.format.delta.{NewTable, SameTable}
import io.rockstate.format.snapshot.TableFile
import io.rockstate.history.RecoveryPlan
import io.rockstate.versions.{ColumnFamily, StateVersion, VersionRange}

/** Looks into a store's folder from outside: reads files, opens no database, changes nothing. A query may be writing there meanwhile.
  *
  * @param threads  files that are read at a time
  * @param progress told the name and size of each file that was read whole
  */
final class StoreInspector(files: RemoteFiles, threads: Int = 4, progress: (String, Long) => Unit = (_, _) => ()) {
  import StoreInspector._

  private val read = new FileReader(files)

  /** What names and manifests tell, and the newest version's row counts.
    *
    * @param logged what must be loadable by the query's commit log, oldest first
    */
  def inspect(logged: Vector[LoggedCommit] = Vector.empty): StoreReport = {
    val folder = new Folder(logged.lastOption)
    val (snapshots, problems) = folder.readSnapshots()
    val loadable = RecoveryPlan.loadable(folder.storeFiles)
    val (newest, newestProblem) = newestOf(folder, snapshots, loadable.lastOption.map(_.last))
    val names = folder.names.filter(name => loadable.exists(_.contains(name.version)))
    val found = problems ++ newestProblem
    folder.report(snapshots, loadable, newest, found ++ unloadable(logged, names, found), isVerified = false)
  }

  /** Reads every file of the store and checks all checksums and the chain.
    *
    * @param logged what must be loadable by the query's commit log, oldest first
    */
  def verify(logged: Vector[LoggedCommit] = Vector.empty): StoreReport = {
    val folder = new Folder(logged.lastOption)
    val (snapshots, snapshotProblems) = folder.readSnapshots()
    val (deltas, deltaProblems) = folder.readDeltas()
    val (damaged, tableProblems) = folder.readTables(snapshots)
    val sound = snapshots.filterNot(_.manifest.tableFiles.exists(table => damaged(table.remoteName)))
    val damagedDeltas = folder.deltaNames.diff(deltas.map(_.name)).map(name => name -> read.commitIdOf(name)).toMap
    val chain = new Chain(sound, deltas, damagedDeltas, folder.modifiedMillis)
    val last = logged.lastOption
    // What is beyond the last committed batch is wanted by nobody: the query goes on from there, whatever it did once.
    val gaps = chain.gaps.filter(gap => last.forall(commit => gap.version.forall(_ <= commit.version)))
    val found = snapshotProblems ++ deltaProblems ++ tableProblems ++ gaps
    val problems = found ++ unloadable(logged, chain.loadable, found)
    folder.report(snapshots, chain.ranges, chain.newest(last), problems, isVerified = true)
  }

  /** What it takes to load a version: table files as its snapshot's manifest has them, rows as its newest file does. */
  def sizeOf(target: StateVersion): VersionSize =
    new Folder(Some(LoggedCommit(target.version, target.checkpointId.toSet))).sizeOf(target)

  private def unloadable(
      logged: Vector[LoggedCommit],
      loadable: Seq[StateVersion],
      found: Vector[FileProblem]
  ): Vector[FileProblem] = LoggedCommit.problems(logged, loadable, found.flatMap(_.version).toSet)

  private def newestOf(
      folder: Folder,
      snapshots: Vector[SnapshotFacts],
      version: Option[Long]
  ): (Option[VersionReport], Option[FileProblem]) =
    try (version.map(v => folder.versionReport(snapshots, v)), None)
    catch { case e: StateStoreException if tellsOfFiles(e) => (None, Some(problemOf(e, ""))) }

  /** One listing of the store's folder, and what follows from it. */
  private final class Folder(last: Option[LoggedCommit]) {
    private val listing = files.list("").toVector
    private val tables = files.list(FileNames.TableFolder).toVector
    private val byName = named(listing, tables)
    val storeFiles: Vector[StoreFile] = listing.flatMap(f => FileNames.parse(f.name))
    val deltaNames: Vector[StateVersion] = storeFiles.collect { case DeltaName(v) => v }
    private val snapshotNames = storeFiles.collect { case SnapshotName(v) => v }
    val names: Vector[StateVersion] = (deltaNames ++ snapshotNames).distinct

    def modifiedMillis(file: String): Long = byName.get(file).fold(0L)(_.modifiedMillis)

    def readSnapshots(): (Vector[SnapshotFacts], Vector[FileProblem]) =
      readAll(snapshotNames.map(FileNames.snapshot))(read.snapshot, snapshotNames)

    def readDeltas(): (Vector[DeltaFacts], Vector[FileProblem]) =
      readAll(deltaNames.map(FileNames.delta))(read.delta, deltaNames)

    /** The names of damaged and missing table files, and what is wrong with them. */
    def readTables(snapshots: Vector[SnapshotFacts]): (Set[String], Vector[FileProblem]) = {
      val named = snapshots.flatMap(_.manifest.tableFiles).distinct
      val (_, problems) = readAll(named.map(_.remoteName))((table: TableFile) => read.table(table), named)
      (problems.map(_.file).toSet, problems)
    }

    def sizeOf(target: StateVersion): VersionSize = {
      val found = FilesByName.of(storeFiles.map(file => file -> byName(file.name).length), target)
      val snapshot = found.snapshot.map(read.snapshot).toVector
      val rows = Option.when(names.exists(_.version == target.version)) {
        ColumnFamily.living(versionReport(snapshot, target.version).columnFamilies).map(_.rows).sum
      }
      VersionSize(found.bytes + snapshot.flatMap(_.manifest.tableFiles).map(_.length).sum, rows)
    }

    /** Row counts come from the attempt that counts, or else was written last, and where its delta names no families, from those before
      * it.
      */
    def versionReport(snapshots: Vector[SnapshotFacts], version: Long): VersionReport = {
      val name = names.filter(_.version == version).maxBy { candidate =>
        val written = Seq(FileNames.delta(candidate), FileNames.snapshot(candidate)).map(modifiedMillis).max
        (last.exists(_.isNamed(candidate)), written)
      }
      VersionReport(version, name.checkpointId, families(snapshots, name))
    }

    /** @param later deltas that go on from the version, oldest first: there may be thousands */
    @tailrec
    private def families(
        snapshots: Vector[SnapshotFacts],
        name: StateVersion,
        later: List[DeltaFacts] = Nil
    ): Vector[ColumnFamily] = {
      def after(known: Vector[ColumnFamily], deltas: List[DeltaFacts]) =
        deltas.foldLeft(known)((before, delta) => delta.footer.columnFamilies(before))
      val stored = snapshots.find(_.name == name)
      if (stored.isDefined) after(stored.get.families, later)
      else {
        val delta = read.delta(name)
        delta.table match {
          case NewTable(table) => after(table, later)
          case SameTable(_) if delta.isFirst => after(ColumnFamily.initial, delta :: later)
          case SameTable(_) => families(snapshots, baseOf(delta), delta :: later)
        }
      }
    }

    private def baseOf(delta: DeltaFacts): StateVersion = {
      val withId = StateVersion(delta.version - 1, Some(delta.header.baseCommitId))
      if (byName.contains(FileNames.delta(withId)) || byName.contains(FileNames.snapshot(withId))) withId
      else StateVersion(delta.version - 1)
    }

    def report(
        snapshots: Vector[SnapshotFacts],
        loadable: Vector[VersionRange],
        newest: Option[VersionReport],
        problems: Vector[FileProblem],
        isVerified: Boolean
    ): StoreReport = {
      val named = snapshots.flatMap(_.manifest.tableFiles.map(_.remoteName)).toSet
      val (used, orphans) = tables.partition(table => named(FileNames.inTableFolder(table.name)))
      // What a recovery begins with.
      val wrong = problems.map(_.file).toSet
      val usable = snapshots.filter { snapshot =>
        newest.forall(snapshot.version <= _.version) &&
        !snapshot.manifest.tableFiles.exists(table => wrong(table.remoteName))
      }
      val ours = (deltaNames.map(FileNames.delta) ++ snapshotNames.map(FileNames.snapshot)).toSet
      StoreReport(
        files.location,
        FileTotals.of(deltaNames.map(name => byName(FileNames.delta(name)).length)),
        FileTotals.of(snapshotNames.map(name => byName(FileNames.snapshot(name)).length)),
        FileTotals.of(used.map(_.length)),
        FileTotals.of((orphans ++ files.leftovers()).map(_.length)),
        FileTotals.of(listing.filterNot(file => ours(file.name)).map(_.length)),
        loadable,
        newest.map(version => version.copy(columnFamilies = ColumnFamily.living(version.columnFamilies))),
        usable.map(_.version).maxOption,
        problems.sortBy(problem => (problem.version, problem.file)),
        isVerified
      )
    }

    /** Reads each file; what is wrong with one does not keep the others from being read. A file that was listed and is gone has been
      * cleaned up meanwhile. What cannot be read now need not be wrong: then nothing can be said of the store.
      */
    private def readAll[A, B](names: Vector[String])(
        readOne: A => B,
        items: Vector[A]
    ): (Vector[B], Vector[FileProblem]) = {
      val outcomes = Parallel
        .map(threads, names.zip(items)) { case (name, item) =>
          try {
            val facts = readOne(item)
            progress(name, byName.get(name).fold(0L)(_.length))
            Some(Right(facts))
          } catch {
            case _: NotFound if byName.contains(name) && !isStillThere(name) => None
            case e: StateStoreException if tellsOfFiles(e) => Some(Left(problemOf(e, name)))
          }
        }
        .flatten
      (outcomes.collect { case Right(facts) => facts }, outcomes.collect { case Left(problem) => problem })
    }

    private def isStillThere(name: String): Boolean =
      named(files.list(""), files.list(FileNames.TableFolder)).contains(name)

    /** By their names relative to the store's folder. */
    private def named(top: Seq[RemoteFile], inTables: Seq[RemoteFile]): Map[String, RemoteFile] =
      (top.map(file => file.name -> file) ++ inTables.map(table => FileNames.inTableFolder(table.name) -> table)).toMap
  }
}

private object StoreInspector {

  /** Whether it is the files that are not as they should be: of storage that does not answer, or memory that does not suffice, they are not
    * to blame.
    */
  def tellsOfFiles(error: StateStoreException): Boolean = error match {
    case _: Unavailable | _: OutOfMemory => false
    case _ => true
  }

  /** @param file what was being read, should the error not say */
  def problemOf(error: StateStoreException, file: String): FileProblem =
    FileProblem(if (file.isEmpty) error.file.getOrElse("") else file, error.version, error.problem, error.remedy)
}
