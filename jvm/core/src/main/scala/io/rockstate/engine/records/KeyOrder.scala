package io.rockstate.engine.records

import java.util.Arrays

/** Sorts keys in unsigned byte order. Comparing eight bytes at a time behind what all keys have in common takes a tenth of the time of
  * comparing arrays: in a row's key the first bytes are mostly the same.
  */
private[engine] object KeyOrder {

  /** The ids in the order of their keys. */
  def sorted(keys: KeySource, ids: Array[Int]): Array[Int] = {
    val skipped = commonPrefix(keys, ids)
    val words = ids.map(id => Words.at(keys.chunk(id), keys.offset(id) + skipped, keys.offset(id) + keys.length(id)))
    mergeSort(keys, words, ids)
  }

  /** Length of what all keys begin with. */
  private def commonPrefix(keys: KeySource, ids: Array[Int]): Int =
    if (ids.isEmpty) 0
    else {
      val first = keys.key(ids(0))
      var common = first.length
      var i = 1
      while (i < ids.length) {
        val offset = keys.offset(ids(i))
        val end = offset + math.min(common, keys.length(ids(i)))
        val differs = Arrays.mismatch(first, 0, common, keys.chunk(ids(i)), offset, end)
        if (differs >= 0) common = differs
        i += 1
      }
      common
    }

  /** Bottom-up; where words are equal the keys decide. */
  private def mergeSort(keys: KeySource, firstWords: Array[Long], firstIds: Array[Int]): Array[Int] = {
    val count = firstIds.length
    var (words, ids) = (firstWords, firstIds)
    var (otherWords, otherIds) = (new Array[Long](count), new Array[Int](count))
    var width = 1
    while (width < count) {
      var start = 0
      while (start < count) {
        val middle = math.min(start.toLong + width, count.toLong).toInt
        val end = math.min(start + 2L * width, count.toLong).toInt
        var left = start
        var right = middle
        var out = start
        while (out < end) {
          val takesLeft = left < middle && (right >= end || {
            val order = java.lang.Long.compareUnsigned(words(left), words(right))
            order < 0 || (order == 0 && keys.compare(ids(left), ids(right)) <= 0)
          })
          val from = if (takesLeft) left else right
          otherWords(out) = words(from)
          otherIds(out) = ids(from)
          if (takesLeft) left += 1 else right += 1
          out += 1
        }
        start = end
      }
      val sortedWords = otherWords
      val sortedIds = otherIds
      otherWords = words
      otherIds = ids
      words = sortedWords
      ids = sortedIds
      width = math.min(width * 2L, Int.MaxValue.toLong).toInt
    }
    ids
  }
}
