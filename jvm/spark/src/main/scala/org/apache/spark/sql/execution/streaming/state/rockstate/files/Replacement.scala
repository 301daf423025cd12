package org.apache.spark.sql.execution.streaming.state.rockstate.files

import scala.ref.SoftReference
import scala.util.matching.Regex

import org.apache.hadoop.fs.{FileStatus, Path}

import io.rockstate.files.{DeltaName, FileNames, RemoteFile}

/** A file that is to replace another. It stands for that one as soon as there is no file of the plain name; of several, the one with the
  * highest number does.
  */
private[files] final case class Replacement(of: String, number: Int) {
  def name: String = s".$of.$number.replacement"
}

private[files] object Replacement {
  private val Name: Regex = "\\.(.+)\\.([1-9][0-9]{0,8})\\.replacement".r

  def parse(name: String): Option[Replacement] = name match {
    case Name(of, number) => Some(Replacement(of, number.toInt))
    case _ => None
  }
}

/** The files of a folder by the names they stand for. */
private[files] final class FolderListing(statuses: Array[FileStatus]) {
  import FolderListing._

  private val all = statuses.toVector.filter(_.isFile)
  private val plain = all.filterNot(_.getPath.getName.startsWith(".")).map(file => file.getPath.getName -> file).toMap
  private val replacements = all
    .flatMap(file => Replacement.parse(file.getPath.getName).map(_ -> file))
    .groupMap(_._1.of)(identity)
    .view
    .mapValues(_.sortBy(_._1.number).map(_._2))
    .toMap

  /** What readers see. */
  val published: Map[String, FileStatus] = replacements.view.mapValues(_.last).toMap ++ plain

  def files: Seq[RemoteFile] = published.toSeq.map { case (name, status) => remoteFile(name, status) }

  def toKeep: Listed = Listed(
    replacements.view.mapValues(_.map(_.getPath)).toMap,
    new SoftReference(plain.filter { case (name, _) => isForever(name) }),
    leftovers.map(status => remoteFile(status.getPath.getName, status))
  )

  private def leftovers: Vector[FileStatus] = {
    val seen = published.values.toSet
    all.filter(file => isTemporary(file.getPath.getName)) ++ replacements.values.flatten.filterNot(seen)
  }

  private def remoteFile(name: String, status: FileStatus): RemoteFile =
    RemoteFile(name, status.getLen, status.getModificationTime)
}

private object FolderListing {

  /** `CheckpointFileManager.generateTempPath` adds the task's id. */
  private val Temporary: Regex = "\\.(.+)\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\\.TID[0-9]+)?\\.tmp".r

  private def isTemporary(name: String): Boolean = name match {
    case Temporary(of) => FileNames.parse(of).isDefined || FileNames.isTableFileName(FileNames.inTableFolder(of))
    case _ => false
  }

  /** Whether one attempt alone writes a file of this name, and once. */
  private def isForever(name: String): Boolean = FileNames.parse(name).exists {
    case DeltaName(version) => version.checkpointId.isDefined
    case _ => false
  }
}

/** What is of use later of a folder's listing.
  *
  * @param replacements the files that may come to stand for others, by the name of those; the one that would first is last
  * @param forever      the files that never change as long as they are there, while there is memory for that
  * @param leftovers    files that were not published: temporary ones of Spark's managers, and replacements that stand for nothing
  */
private[files] final case class Listed(
    replacements: Map[String, Vector[Path]],
    forever: SoftReference[Map[String, FileStatus]],
    leftovers: Vector[RemoteFile]
)
