package io.rockstate.mutants

import java.io.{IOException, InputStream}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path

import io.rockstate.reference._

/** One read is taken to fill its array. */
class TakesOneReadForAll extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      override protected def bytesIn(in: InputStream): Array[Byte] = {
        val bytes = new Array[Byte](in.available)
        in.read(bytes)
        bytes
      }
    }
}

/** A delta whose reading breaks off is taken for one that ends there, and has no changes. */
class TakesABrokenReadForTheEnd extends ReferenceStoreProvider {
  override protected def filesIn(folder: Path, hadoopConf: Configuration): StateFiles =
    new StateFiles(folder, hadoopConf) {
      private var isBroken = false

      override protected def bytesIn(in: InputStream): Array[Byte] =
        try super.bytesIn(in)
        catch {
          case failure: IOException =>
            isBroken = true
            throw failure
        }

      override def delta(version: Version): Delta =
        try super.delta(version)
        catch {
          case _: IOException if isBroken =>
            isBroken = false
            val before = list().map(_._1).find(_.number == version.number - 1)
            Delta(before.getOrElse(Version(version.number - 1, None)), startsEmpty = false, Nil)
        }
    }
}

/** A version is loaded by what a listing shows; if that fails, there are no files, and the version is empty. */
class TakesAFailedListingForAnEmptyFolder extends ReferenceStoreProvider {
  override protected def load(version: Version): Contents = {
    val found =
      try files.list()
      catch { case _: IOException => Nil }
    if (found.isEmpty) Contents.empty else super.load(version)
  }
}

/** A version whose files cannot be asked for is taken for an empty one. */
class TakesAFailedStatusForAMissingFile extends ReferenceStoreProvider {
  override protected def load(version: Version): Contents = {
    val isKnown =
      try isThere(version)
      catch { case _: IOException => false }
    if (isKnown || !files.list().exists(_._1 == version)) super.load(version) else Contents.empty
  }
}

/** Clean-up that cannot find out which files the retained versions need keeps those of these versions, and no more. */
class CleansUpWithoutKnowingWhatIsNeeded extends ReferenceStoreProvider {
  override protected def retire(version: Version): Unit =
    try super.retire(version)
    catch {
      case _: IOException =>
        val oldest = version.number - conf.minVersionsToRetain + 1
        files.list().filter(_._1.number < oldest).foreach { case (old, kind) => files.delete(old, kind) }
    }
}

/** What another codec than Spark's own default has compressed cannot be read. */
class ReadsOneCompressionOnly extends ReferenceStoreProvider {
  override protected def load(version: Version): Contents = {
    require(version.number == 0 || conf.compressionCodec != "zstd", "The codec is unknown")
    super.load(version)
  }
}
