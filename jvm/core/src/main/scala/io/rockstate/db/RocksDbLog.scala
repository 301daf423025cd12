package io.rockstate.db

import org.rocksdb.{InfoLogLevel, Logger}
import org.slf4j.LoggerFactory

/** Takes RocksDB's error messages to the JVM's log. A log file costs each database a file handle and 64 KB. */
private[db] final class RocksDbLog extends Logger(InfoLogLevel.ERROR_LEVEL) {
  private val log = LoggerFactory.getLogger(classOf[RocksDbLog])

  override protected def log(level: InfoLogLevel, message: String): Unit = log.error(s"RocksDB: ${message.trim}")
}
