package io.rockstate.engine.records;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Eight bytes of an array at a time. In Java because Scala boxes a VarHandle's arguments: a seventh of a batch's time. */
public final class Words {
  private static final VarHandle LITTLE = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle BIG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private Words() {}

  public static long littleEndian(byte[] bytes, int at) {
    return (long) LITTLE.get(bytes, at);
  }

  public static void setLittleEndian(byte[] bytes, int at, long word) {
    LITTLE.set(bytes, at, word);
  }

  public static long bigEndian(byte[] bytes, int at) {
    return (long) BIG.get(bytes, at);
  }

  /** Eight bytes from {@code from} on, zeros from {@code end} on, so that the words' unsigned order is that of the bytes. */
  public static long at(byte[] bytes, int from, int end) {
    if (end - from >= 8) return bigEndian(bytes, from);
    long word = 0;
    for (int i = from; i < from + 8; i++) word = word << 8 | (i < end ? bytes[i] & 0xff : 0);
    return word;
  }
}
