package io.rockstate.engine.cache;

import io.rockstate.engine.records.Words;

/** Bytes without most of their zeros, of which rows are full: null bits, lengths, and numbers that are small for their eight bytes.
 *
 * <p>Of each word of eight bytes the halves that are zero are left out. Packed bytes are: two bits for each word, which say whether its lower
 * and its upper half are there, four words to a byte; the halves; what is behind the last whole word, as it is. Where a word begins follows
 * from one byte by a table, so that no word waits for the one before it. (In Java: static arrays that the JIT knows to be constant.)
 */
final class PackedWords {
  private static final long[] MASK = {0, 0xffffffffL, 0xffffffffL, -1};
  private static final int[] SHIFT = {0, 0, 32, 0};

  /** By a byte of codes: where each of its words begins, and in the fifth place where the last one ends. */
  private static final byte[] OFFSET = new byte[256 * 8];

  static {
    for (int codes = 0; codes < 256; codes++)
      for (int i = 0; i < 4; i++)
        OFFSET[codes * 8 + i + 1] = (byte) (OFFSET[codes * 8 + i] + 4 * Integer.bitCount(codes >>> 2 * i & 3));
  }

  private PackedWords() {}

  /** How long an array must be for so many bytes to be packed into it: it is written to beyond what is packed. */
  static int roomFor(int length) {
    return length + (length >>> 5) + 9;
  }

  /** Packs the bytes into `to`, which has room for them. How many bytes that takes: sometimes more than before. */
  static int pack(byte[] from, int offset, int length, byte[] to) {
    int words = length >>> 3;
    int out = (words + 3) >>> 2;
    for (int first = 0; first < words; first += 4) {
      int count = Math.min(4, words - first);
      int codes = 0;
      for (int i = 0; i < count; i++) {
        long word = Words.littleEndian(from, offset + 8 * (first + i));
        int code = isThere((int) word) | isThere((int) (word >>> 32)) << 1;
        Words.setLittleEndian(to, out, word >>> SHIFT[code]);
        out += 4 * (code - (code >>> 1));
        codes |= code << 2 * i;
      }
      to[first >>> 2] = (byte) codes;
    }
    int tail = length & 7;
    System.arraycopy(from, offset + length - tail, to, out, tail);
    return out + tail;
  }

  /** Fills `to` with what was packed into the bytes from `at` on. */
  static void unpack(byte[] from, int at, byte[] to) {
    int words = to.length >>> 3;
    int in = at + ((words + 3) >>> 2);
    for (int first = 0; first < words; first += 4) {
      int count = Math.min(4, words - first);
      int codes = from[at + (first >>> 2)] & 0xff;
      boolean isWithin = in + 32 <= from.length;
      for (int i = 0; i < count; i++) {
        int code = codes >>> 2 * i & 3;
        int place = in + OFFSET[codes * 8 + i];
        long word = isWithin ? Words.littleEndian(from, place) : atEnd(from, place);
        Words.setLittleEndian(to, 8 * (first + i), (word & MASK[code]) << SHIFT[code]);
      }
      in += OFFSET[codes * 8 + 4];
    }
    System.arraycopy(from, in, to, 8 * words, to.length & 7);
  }

  /** 1 unless it is zero. */
  private static int isThere(int half) {
    return (half | -half) >>> 31;
  }

  private static long atEnd(byte[] from, int place) {
    long word = 0;
    for (int i = 0; i < 8 && place + i < from.length; i++) word |= (from[place + i] & 0xffL) << 8 * i;
    return word;
  }
}
