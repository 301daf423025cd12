package io.rockstate.format.delta

import java.util.zip.CRC32C

import io.rockstate.format.wire.Checksum

/** What the frames of a delta come to, so that a lost, doubled or moved frame shows. `seal` is as in [[DeltaFile]]. */
private[format] final case class DeltaTotals(frames: Int, records: Long, rawBytes: Long, seal: Int)

/** The totals so far, of a delta that is being written or read. */
private[format] final class DeltaTally {
  private val seal = new CRC32C
  private var frames = 0
  private var records = 0L
  private var rawBytes = 0L

  def addHeader(checksum: Int): Unit = Checksum.add(seal, checksum)

  def addFrame(rawLength: Int, recordCount: Int, checksum: Int): Unit = {
    Checksum.add(seal, checksum)
    frames += 1
    records += recordCount
    rawBytes += rawLength
  }

  def totals: DeltaTotals = DeltaTotals(frames, records, rawBytes, seal.getValue.toInt)
}
