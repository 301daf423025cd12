package org.apache.spark.sql.execution.streaming.state.rockstate.files

import scala.util.matching.Regex

import org.apache.hadoop.fs.{FileStatus, Path}

import io.rockstate.files.FileNames

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
  private val files = statuses.toVector.filter(_.isFile)
  private val plain = files.filterNot(_.getPath.getName.startsWith(".")).map(file => file.getPath.getName -> file).toMap
  private val replacements = files
    .flatMap(file => Replacement.parse(file.getPath.getName).map(_ -> file))
    .groupMap(_._1.of)(identity)
    .view
    .mapValues(_.sortBy(_._1.number).map(_._2))
    .toMap

  /** What readers see. */
  val published: Map[String, FileStatus] = replacements.view.mapValues(_.last).toMap ++ plain

  /** The files that may come to stand for others, by the name of those; the one that would first is last. */
  def replacementPaths: Map[String, Vector[Path]] = replacements.view.mapValues(_.map(_.getPath)).toMap

  /** Files that were not published: temporary ones of Spark's managers, and replacements that stand for nothing. */
  def leftovers: Vector[FileStatus] = {
    val seen = published.values.toSet
    files.filter(file => FolderListing.isTemporary(file.getPath.getName)) ++
      replacements.values.flatten.filterNot(seen)
  }
}

private object FolderListing {

  /** `CheckpointFileManager.generateTempPath` adds the task's id. */
  private val Temporary: Regex = "\\.(.+)\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\\.TID[0-9]+)?\\.tmp".r

  private def isTemporary(name: String): Boolean = name match {
    case Temporary(of) => FileNames.parse(of).isDefined || FileNames.isTableFileName(FileNames.inTableFolder(of))
    case _ => false
  }
}
