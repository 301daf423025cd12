package io.rockstate.engine

import scala.util.Using

import io.rockstate.files.RemoteFiles
import io.rockstate.format.delta.{DeltaHeader, DeltaReader}

/** What a delta in storage says of itself. */
private[rockstate] object StoredDelta {
  def header(files: RemoteFiles, name: String): DeltaHeader =
    Using.resource(new DeltaReader(name, files.open(name)))(_.header)

  def contentDigest(files: RemoteFiles, name: String): Long =
    Using.resource(new DeltaReader(name, files.open(name)))(_.readToEnd().contentDigest)
}
