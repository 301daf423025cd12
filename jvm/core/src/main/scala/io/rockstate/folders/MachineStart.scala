package io.rockstate.folders

import java.io.IOException
import java.nio.file.{Files, Path}
import java.util.concurrent.TimeUnit.{HOURS, SECONDS}

import scala.jdk.CollectionConverters._

/** Which start of this machine it is, and when that was, if the machine says so. */
private[rockstate] final case class MachineStart(id: String, millis: Option[Long]) {

  /** Whether nobody has touched it since well before this start. Another start's id alone says nothing: where storage is shared, it may be that
    * of another machine, which is running.
    */
  def isAfter(touchedMillis: Long): Boolean =
    millis.exists(touchedMillis < _) && System.currentTimeMillis() - touchedMillis > MachineStart.QuietMillis
}

private[rockstate] object MachineStart {

  /** Clocks of machines that share storage differ, and a process that lives touches what it has more often than this. */
  private val QuietMillis = HOURS.toMillis(1)
  private val IdFile = Path.of("/proc/sys/kernel/random/boot_id")
  private val StatisticsFile = Path.of("/proc/stat")

  /** `IOException` if nothing on this machine tells one of its starts from the next. */
  def ofThisMachine(): MachineStart = MachineStart(Files.readString(IdFile).trim, startMillis)

  private def startMillis: Option[Long] =
    try
      Files.readAllLines(StatisticsFile).asScala.collectFirst { case s"btime $seconds" =>
        SECONDS.toMillis(seconds.trim.toLong)
      }
    catch { case _: IOException | _: NumberFormatException => None }
}
