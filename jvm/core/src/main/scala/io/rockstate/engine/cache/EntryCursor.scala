package io.rockstate.engine.cache

import java.util.Arrays

/** Walks the entries of the chunks with these numbers, from end to end of each. Good until the next change. */
private[engine] final class EntryCursor private[cache] (entries: EntryChunks, numbers: Iterator[Int]) {
  private var number = 0
  private var at = 0
  private var end = 0
  private var header = 0L

  /** The bytes that have the current entry. */
  var chunk: Array[Byte] = _

  def next(): Boolean = {
    var isFound = false
    var isOver = false
    while (!isFound && !isOver) {
      at += (if (header == 0) 0 else Entry.size(header))
      header = if (at < end) Entry.headerAt(chunk, at) else 0
      if (header != 0) isFound = Entry.isLive(header)
      else if (numbers.hasNext) {
        number = numbers.next()
        chunk = entries.bytes(number)
        at = 0
        end = chunk.length
      } else isOver = true
    }
    isFound
  }

  def address: Int = entries.addressOf(number, at)
  def keyOffset: Int = at + Entry.HeaderBytes
  def keyLength: Int = Entry.keyLength(header)
  def key: Array[Byte] = Arrays.copyOfRange(chunk, keyOffset, keyOffset + keyLength)
  def value: Array[Byte] = Entry.value(chunk, at, header)
}
