package io.rockstate.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Eight bytes of an array at a time. In Java because Scala boxes a VarHandle's arguments: a seventh of a batch's time. */
final class Words {
  private static final VarHandle LITTLE = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle BIG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private Words() {}

  static long littleEndian(byte[] bytes, int at) {
    return (long) LITTLE.get(bytes, at);
  }

  static void setLittleEndian(byte[] bytes, int at, long word) {
    LITTLE.set(bytes, at, word);
  }

  static long bigEndian(byte[] bytes, int at) {
    return (long) BIG.get(bytes, at);
  }
}
