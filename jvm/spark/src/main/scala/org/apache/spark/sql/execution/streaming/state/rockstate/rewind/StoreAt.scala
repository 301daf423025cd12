package org.apache.spark.sql.execution.streaming.state.rockstate.rewind

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import org.apache.spark.sql.execution.streaming.state.rockstate.conf.ProviderClass
import org.apache.spark.sql.execution.streaming.state.rockstate.files.SparkRemoteFiles
import org.apache.spark.sql.execution.streaming.state.rockstate.inspect.{OperatorReport, StoreFolder}
import org.apache.spark.sql.execution.streaming.state.rockstate.moving.{LogEntry, SourceCheckpoint}

import io.rockstate.errors.NotFound
import io.rockstate.files.{FileNames, RemoteFile, RemoteFiles}
import io.rockstate.inspect.{LoggedCommit, StoreInspector, VersionFiles}

/** One store of one partition, and what the commit log says of it after a batch.
  *
  * @param folder relative to the checkpoint
  */
private[rewind] final case class StoreAt(operator: Long, partition: Int, folder: String, commit: LoggedCommit) {

  /** The files that make it, if Rockstate wrote them; else none, and names must tell that it can be loaded. `NotFound` or `CorruptFile`
    * if it cannot.
    *
    * @param isWhole whether they are read
    */
  def files(root: String, provider: String, isWhole: Boolean, hadoopConf: Configuration): Vector[RemoteFile] =
    if (ProviderClass.isOurs(provider)) new VersionFiles(in(root, hadoopConf), isWhole).of(commit)
    else {
      val location = new Path(root, folder)
      val report = new StoreFolder(location.toString, Some(provider), hadoopConf).report(verify = false, Vector(commit))
      report.problems.headOption.foreach { found =>
        throw new NotFound(found.problem, found.remedy, s"$location/${found.file}", found.version)
      }
      Vector.empty
    }

  /** Its folder in a checkpoint, as Rockstate reads and writes it. */
  def in(root: String, hadoopConf: Configuration): RemoteFiles =
    new SparkRemoteFiles(new Path(root, folder), hadoopConf)

  /** How many rows the version has in a folder of Rockstate's; none if its files are gone.
    *
    * @param made the files that make it
    */
  def rows(folder: RemoteFiles, made: Vector[RemoteFile]): Option[Long] = {
    val name = made.flatMap(file => FileNames.parse(file.name)).map(_.version).find(_.version == commit.version)
    try name.flatMap(new StoreInspector(folder).sizeOf(_).rows)
    catch { case _: NotFound => None }
  }
}

private[rewind] object StoreAt {

  /** Every store that the batch committed. */
  def all(source: SourceCheckpoint): Vector[StoreAt] =
    all(source.folder, source.operators, source.batch, source.committed, source.partitions)

  /** @param committed  the batch's entry of the commit log
    * @param partitions the batch's number of shuffle partitions
    */
  def all(
      checkpoint: Path,
      operators: Vector[OperatorReport],
      batch: Long,
      committed: String,
      partitions: Option[Int]
  ): Vector[StoreAt] = {
    val ids = LogEntry.idsIn(committed)
    for {
      operator <- operators
      place <- operator.stores
      // In format 2 the commit names each partition; in format 1 all that are there count, but those that other batches had more of.
      own <- ids.fold(Option.when(partitions.forall(place.partition < _))(Set.empty[String]))(
        _.get(operator.operatorId).flatMap(_.lift(place.partition)).map(_.toSet)
      )
    } yield StoreAt(
      operator.operatorId,
      place.partition,
      place.location.stripPrefix(s"$checkpoint/"),
      LoggedCommit(batch + 1, own)
    )
  }
}
