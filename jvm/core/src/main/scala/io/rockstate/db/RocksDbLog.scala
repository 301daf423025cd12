package io.rockstate.db

import org.rocksdb.{InfoLogLevel, Logger}
import org.slf4j.LoggerFactory

/** Takes RocksDB's error messages to the JVM's log, as warnings: what matters surfaces as an exception, and some only say that a folder went before
  * its database. A log file would cost each database a file handle and 64 KB.
  */
private[db] final class RocksDbLog extends Logger(InfoLogLevel.ERROR_LEVEL) {
  private val log = LoggerFactory.getLogger(classOf[RocksDbLog])

  override protected def log(level: InfoLogLevel, message: String): Unit = log.warn(s"RocksDB: ${message.trim}")
}
