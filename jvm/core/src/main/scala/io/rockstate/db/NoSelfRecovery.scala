package io.rockstate.db

import org.rocksdb.{AbstractEventListener, BackgroundErrorReason, Status}

/** Has RocksDB tell a full disk at once. By itself it waits for space, however long that takes, and writes wait with it: no interrupt ends that. A
  * task that fails is run again, and the state is in storage.
  */
private[db] final class NoSelfRecovery
    extends AbstractEventListener(AbstractEventListener.EnabledEventCallback.ON_ERROR_RECOVERY_BEGIN) {
  override def onErrorRecoveryBegin(reason: BackgroundErrorReason, error: Status): Boolean = false
}
