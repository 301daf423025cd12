package io.rockstate.engine.layers

import java.util.Arrays

/** A layer's changes in key order, from `lower` on and up to `upper` (not included). */
private[engine] final class LayerCursor(val layer: ChangeLayer, lower: Array[Byte], upper: Array[Byte]) {
  private var at = layer.position(lower)
  private var currentKey = keyAt(at)

  /** The current key, or null at the end. */
  def key: Array[Byte] = currentKey

  def isAt(key: Array[Byte]): Boolean = currentKey != null && Arrays.equals(currentKey, key)

  /** The current key's record in the layer. */
  def record: Int = layer.record(layer.ordered(at))

  def advance(): Unit = {
    at += 1
    currentKey = keyAt(at)
  }

  private def keyAt(position: Int): Array[Byte] =
    if (position < layer.keys && isBelowUpper(layer.ordered(position))) layer.keyIndex.key(layer.ordered(position))
    else null

  private def isBelowUpper(id: Int): Boolean = layer.keyIndex.compare(id, upper) < 0
}

private[engine] object LayerCursor {

  /** Cursors on those of the layers that have changes in the range, in the order of the layers. */
  def over(layers: Array[ChangeLayer], lower: Array[Byte], upper: Array[Byte]): Array[LayerCursor] =
    layers.map(new LayerCursor(_, lower, upper)).filter(_.key != null)

  /** The smallest current key, or null if all are at their ends. */
  def smallest(cursors: Array[LayerCursor]): Array[Byte] = {
    var least: Array[Byte] = null
    var i = 0
    while (i < cursors.length) {
      val key = cursors(i).key
      if (key != null && (least == null || Arrays.compareUnsigned(key, least) < 0)) least = key
      i += 1
    }
    least
  }
}
