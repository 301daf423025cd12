package io.rockstate.engine

import java.util.concurrent.atomic.AtomicLong

import scala.util.Random

import org.scalatest.Assertions

import io.rockstate.engine.api.{EngineSettings, Transaction}
import io.rockstate.errors.{CorruptFile, NotFound, StateStoreException}
import io.rockstate.files.RemoteFiles
import io.rockstate.inspect.{LoggedCommit, StoreInspector}
import io.rockstate.testkit._
import io.rockstate.versions.{ColumnFamily, StateVersion}

/** Who is there beside the query, how many of each.
  *
  * @param twins       attempts at the batch that is running
  * @param zombies     attempts at batches of before
  * @param earlierRuns of the query, which have executors of their own
  * @param unloads     of a store from an executor
  * @param interrupts  of so many turns one is interrupted; 0 for none
  */
private final case class Cast(
    twins: Int = 0,
    zombies: Int = 0,
    earlierRuns: Int = 0,
    maintainers: Int = 0,
    readers: Int = 0,
    unloads: Int = 0,
    interrupts: Int = 0
)

/** A query of a few batches on two executors, and whoever else is there. Without checkpoint ids all attempts at a batch write the same, as a
  * deterministic query does.
  */
private final class Race(seed: Long, checkpointIds: Boolean, cast: Cast) extends Assertions {
  import Race._

  private val schedule = new Schedule(seed, cast.interrupts)
  private val memory = new MemoryFiles
  private val files = new ScheduledFiles(memory, schedule)
  private val settings = EngineSettings(
    checkpointIds = checkpointIds,
    minDeltasForSnapshot = 2,
    minVersionsToRetain = Retained,
    minVersionsToDelete = 1,
    maxVersionsToDelete = -1,
    fetchThreads = 1,
    keysAtOnce = if (seed % 2 == 0) 0 else EngineSettings.KeysAtOnce
  )
  private val executors = Vector.fill(2)(new Executor)
  private val earlierExecutors = Vector.fill(cast.earlierRuns)(new Executor)

  /** What the query knows to be committed, and the rows of it. */
  @volatile private var path = Vector(StateVersion.Empty -> Map.empty[String, String])

  def turns: Int = schedule.trace.size
  def interruptedWaits: Int = schedule.interruptedWaits

  def run(): Unit = {
    try
      schedule.run(
        Seq[(String, () => Unit)]("query" -> (() => query())) ++
          many("twin", cast.twins)(attempts(_, back = 0)) ++
          many("zombie", cast.zombies)(attempts(_, back = 3)) ++
          many("earlier run", cast.earlierRuns)(earlierRun) ++
          many("maintenance", cast.maintainers)(maintain) ++
          many("reader", cast.readers)(read) ++
          many("unload", cast.unloads)(unload): _*
      )
    finally (executors ++ earlierExecutors).foreach(_.engine.close())
    assert(executors.forall(_.engine.heapUsed == 0), "bytes of layers or cache are left after the close")
    verify()
  }

  private def many(name: String, count: Int)(body: Int => Unit): Seq[(String, () => Unit)] =
    (1 to count).map(i => s"$name $i" -> (() => body(i)))

  private def randomOf(actor: String, i: Int = 0) = new Random(seed * 31 + actor.hashCode + i)

  /** Each batch is tried until it commits, on whichever executor Spark picks. */
  private def query(): Unit = {
    val random = randomOf("query")
    (1 to Batches).foreach { batch =>
      val tried = Iterator.from(1).map(_ => committed(executors(random.nextInt(2)), batch)).indexWhere(identity)
      assert(tried < MostTries, s"batch $batch")
    }
  }

  private def committed(executor: Executor, batch: Int): Boolean = failing {
    val (base, rows) = path.last
    executor.attempt(base) { attempt =>
      assert(attempt.rows == rows, s"batch $batch")
      attempt.write(batch, "query")
      schedule.point("about to commit")
      path :+= attempt.commit() -> after(rows, batch, "query")
    }
  }

  /** Attempts that Spark does not wait for: at batches of so many before the last. */
  private def attempts(i: Int, back: Int): Unit = {
    val random = randomOf("attempt", i)
    (1 to 2).foreach { _ =>
      (1 to random.nextInt(20)).foreach(_ => schedule.point("is late"))
      val (base, rows) = path(math.max(path.size - 1 - random.nextInt(back + 1), 0))
      failing {
        executors(random.nextInt(2)).attempt(base) { attempt =>
          assert(attempt.rows == rows)
          attempt.write(base.version.toInt + 1, "attempt")
          (1 to random.nextInt(30)).foreach(_ => schedule.point("dawdles"))
          attempt.commit()
        }
      }
    }
  }

  /** Goes on from where the query was begun anew, on executors that are not told of it. It comes to no batch after one that the query has not
    * committed: there is one commit log.
    */
  private def earlierRun(i: Int): Unit = {
    var (base, rows) = path.last
    (1 to Batches).foreach { _ =>
      def isAhead = path.last._1.version < base.version
      (1 to MostTurns).iterator.takeWhile(_ => isAhead).foreach(_ => schedule.point("is ahead"))
      if (!isAhead) failing { // or the query waits for a thread that has no turns, on a busy machine
        earlierExecutors(i - 1).attempt(base) { attempt =>
          assert(attempt.rows == rows)
          val batch = base.version.toInt + 1
          attempt.write(batch, "earlier")
          val next = attempt.commit()
          rows = after(rows, batch, "earlier")
          base = next
        }
        if (base.version % 2 == 0) earlierExecutors(i - 1).engine.maintain()
      }
    }
  }

  private def maintain(i: Int): Unit = {
    val random = randomOf("maintenance", i)
    (1 to Batches).foreach { _ =>
      schedule.point("is due")
      failing {
        if (random.nextInt(3) == 0) executors(i - 1).engine.requestSnapshot()
        executors(i - 1).engine.maintain()
      }
    }
  }

  /** A version that is promised can be read as it was. */
  private def read(i: Int): Unit = {
    val random = randomOf("reader", i)
    (1 to Batches).foreach { _ =>
      schedule.point("is asked to read")
      val (version, rows) = path(math.max(path.size - 1 - random.nextInt(Retained + 1), 0))
      try
        executors(random.nextInt(2)).attempt(version)(attempt => assert(attempt.rows == rows, s"at $version"))
      catch {
        case e @ (_: NotFound | _: CorruptFile) =>
          assert(path.last._1.version - version.version > Retained, e)
        case _: StateStoreException | _: InterruptedException =>
      }
    }
  }

  private def unload(i: Int): Unit = {
    (1 to randomOf("unload", i).nextInt(60)).foreach(_ => schedule.point("waits"))
    failing(executors((i - 1) % 2).unload())
    ()
  }

  /** Whether it did not fail as tasks may. */
  private def failing(body: => Unit): Boolean =
    try { body; true }
    catch { case _: StateStoreException | _: InterruptedException => false }

  private def operations(batch: Int, who: String): Seq[Operation] = Seq(
    Operation.Put(s"row$batch", s"$batch"),
    Operation.Put("last", if (checkpointIds) s"$who $batch" else s"$batch"),
    Operation.Merge("all", s"+$batch"),
    Operation.Remove(s"row${batch - 2}")
  )

  private def after(rows: Map[String, String], batch: Int, who: String): Map[String, String] =
    operations(batch, who).foldLeft(rows) {
      case (rows, Operation.Put(name, value)) => rows.updated(name, value)
      case (rows, Operation.Merge(name, operand)) => rows.updated(name, rows.getOrElse(name, "") + operand)
      case (rows, Operation.Remove(name)) => rows - name
      case (rows, _) => rows
    }

  /** On another machine, once everybody has ended. */
  private def verify(): Unit = {
    val elsewhere = new Executor(memory.crashClone())
    val promised = path.tail.takeRight(Retained + 1)
    try
      promised.foreach { case (version, rows) =>
        elsewhere.attempt(version)(attempt => assert(attempt.rows == rows, s"at $version elsewhere"))
      }
    finally elsewhere.engine.close()
    val logged = promised.map(_._1).map(v => LoggedCommit(v.version, v.checkpointId.toSet))
    val report = new StoreInspector(memory).verify(logged)
    assert(report.problems.isEmpty, s"${memory.names} ${schedule.trace.filterNot(_.contains("is late"))}")
  }

  private final class Executor(storage: RemoteFiles = files) {
    val engine =
      if (seed % 3 == 0) EngineUnderTest.openingAnew(storage, settings) else new EngineUnderTest(storage, settings)

    /** The newest version that was opened since the store was loaded here. */
    @volatile private var newest = new AtomicLong

    def attempt(base: StateVersion)(body: Attempt => Unit): Unit = {
      val opened = newest
      val transaction = engine.begin(base)
      opened.accumulateAndGet(base.version, math.max(_, _))
      try body(new Attempt(transaction, opened))
      finally if (!transaction.hasCommitted) transaction.abort()
    }

    def unload(): Unit = {
      newest = new AtomicLong
      engine.restart()
      newest = new AtomicLong
    }
  }

  private final class Attempt(transaction: Transaction, newestOpened: AtomicLong) {
    def write(batch: Int, who: String): Unit = operations(batch, who).foreach(_.perform(transaction))

    def rows: Map[String, String] = {
      val rows = Rows.content(transaction)(ColumnFamily.DefaultName)
      assert(rows.size == transaction.columnFamilies.map(_.rows).sum)
      rows.toMap
    }

    /** Whoever comes after a later version was opened here must be refused. */
    def commit(): StateVersion = {
      val newest = newestOpened.get
      val version = transaction.commit()
      assert(transaction.base.version >= newest, s"a commit on ${transaction.base} was taken, after $newest was opened")
      version
    }
  }
}

private object Race {
  val Batches = 6
  val Retained = 2
  val MostTries = 40
  val MostTurns = 10000
}
