package io.rockstate.engine.records

import java.util.Arrays

/** Ids in the order of their keys, in blocks: to find a position takes two binary searches, to insert there moves a part of one block.
  *
  * @param sorted ids to begin with, in order
  */
private[engine] final class SortedKeys(keys: KeySource, sorted: Array[Int]) {
  import SortedKeys._

  private var blocks = new Array[KeyBlock](InitialBlocks)
  private var bounds =
    new Array[Array[Byte]](InitialBlocks) // above all keys of the block before, not above any of its own
  private var blockCount = 0
  private var boundBytes = 0L
  private var changes = 0L
  private var isAscending = false // whether the key that was added last is the highest

  if (sorted.isEmpty) open(0, new Array[Byte](0)) else sorted.grouped(BulkIds).foreach(append)

  def allocatedBytes: Long = blockCount * KeyBlock.Bytes + blocks.length * 8L + boundBytes

  /** Adds an id whose key is not there yet. Keys that come in order need no search. */
  def add(id: Int): Unit = {
    val last = blocks(blockCount - 1)
    if (isAscending && last.isBelow(id)) insert(blockCount - 1, last.count, id)
    else {
      val block = blockOf(keys.chunk(id), keys.offset(id), keys.length(id))
      val at = blocks(block).position(keys.chunk(id), keys.offset(id), keys.length(id))
      isAscending = block == blockCount - 1 && at == blocks(block).count
      insert(block, at, id)
    }
    changes += 1
  }

  /** Puts `id` instead of the one that has the same key. */
  def replace(id: Int): Unit = {
    val block = blocks(blockOf(keys.chunk(id), keys.offset(id), keys.length(id)))
    block.ids(block.positionOf(id)) = id
    changes += 1
  }

  /** Takes out the id that has the key of `id`. */
  def remove(id: Int): Unit = {
    val at = blockOf(keys.chunk(id), keys.offset(id), keys.length(id))
    val block = blocks(at)
    block.remove(block.positionOf(id))
    if (blockCount > 1) {
      if (block.count == 0) close(at)
      else if (at + 1 < blockCount && block.count + blocks(at + 1).count <= KeyBlock.Ids / 2) {
        block.takeFrom(blocks(at + 1), 0)
        close(at + 1)
      }
    }
    changes += 1
  }

  /** The ids in order from the key `lower` on. */
  def from(lower: Array[Byte]): Cursor = new Cursor(lower)

  /** Goes on behind the id that it returned last if there are changes meanwhile, unless that one is taken out. */
  final class Cursor(lower: Array[Byte]) {
    private var number = 0
    private var block: KeyBlock = _
    private var at = 0
    private var seen = changes
    private var last = -1

    seek(lower, 0, lower.length)

    /** The next id, or -1 at the end. */
    def next(): Int = {
      if (seen != changes) seekAgain()
      while (at == block.count && number + 1 < blockCount) {
        number += 1
        block = blocks(number)
        at = 0
      }
      if (at == block.count) -1
      else {
        last = block.ids(at)
        at += 1
        last
      }
    }

    private def seekAgain(): Unit = {
      seen = changes
      if (last < 0) seek(lower, 0, lower.length)
      else {
        seek(keys.chunk(last), keys.offset(last), keys.length(last))
        at += 1
      }
    }

    private def seek(bytes: Array[Byte], offset: Int, length: Int): Unit = {
      number = blockOf(bytes, offset, length)
      block = blocks(number)
      at = block.position(bytes, offset, length)
    }
  }

  /** The block that the key belongs to. */
  private def blockOf(bytes: Array[Byte], offset: Int, length: Int): Int = {
    var low = 0
    var high = blockCount - 1
    while (low < high) {
      val middle = (low + high + 1) >>> 1
      val bound = bounds(middle)
      if (Arrays.compareUnsigned(bound, 0, bound.length, bytes, offset, offset + length) <= 0) low = middle
      else high = middle - 1
    }
    low
  }

  private def insert(number: Int, at: Int, id: Int): Unit = {
    val block = blocks(number)
    if (block.count < KeyBlock.Ids) block.insert(at, id)
    else if (at == KeyBlock.Ids && number == blockCount - 1)
      append(Array(id)) // ascending keys leave full blocks behind
    else {
      val half = KeyBlock.Ids / 2
      open(number + 1, keys.key(block.ids(half)))
      blocks(number + 1).takeFrom(block, half)
      if (at <= half) block.insert(at, id) else blocks(number + 1).insert(at - half, id)
    }
  }

  private def append(ids: Array[Int]): Unit = {
    open(blockCount, keys.key(ids(0)))
    blocks(blockCount - 1).append(ids)
  }

  private def open(number: Int, bound: Array[Byte]): Unit = {
    if (blockCount == blocks.length) {
      blocks = Arrays.copyOf(blocks, blockCount * 2)
      bounds = Arrays.copyOf(bounds, blockCount * 2)
    }
    System.arraycopy(blocks, number, blocks, number + 1, blockCount - number)
    System.arraycopy(bounds, number, bounds, number + 1, blockCount - number)
    blocks(number) = new KeyBlock(keys)
    bounds(number) = bound
    boundBytes += bound.length + ArrayHeaderBytes
    blockCount += 1
  }

  private def close(number: Int): Unit = {
    boundBytes -= bounds(number).length + ArrayHeaderBytes
    blockCount -= 1
    System.arraycopy(blocks, number + 1, blocks, number, blockCount - number)
    System.arraycopy(bounds, number + 1, bounds, number, blockCount - number)
    blocks(blockCount) = null
    bounds(blockCount) = null
  }
}

private[engine] object SortedKeys {

  /** Of the ids in any order. */
  def of(keys: KeySource, ids: Array[Int]): SortedKeys = new SortedKeys(keys, KeyOrder.sorted(keys, ids))

  /** So many go into a block of those that are there from the beginning: the others are room for insertions. */
  private val BulkIds = KeyBlock.Ids / 4 * 3
  private val InitialBlocks = 4
  private val ArrayHeaderBytes = 16
}
