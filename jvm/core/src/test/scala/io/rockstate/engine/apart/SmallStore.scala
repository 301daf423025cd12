package io.rockstate.engine.apart

import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.Random

import io.rockstate.engine.StateEngine
import io.rockstate.engine.api.EngineSettings
import io.rockstate.engine.memory.SharedMemory
import io.rockstate.folders.StoreFolder
import io.rockstate.testkit.MemoryFiles
import io.rockstate.versions.StateVersion

/** A store of `rows` rows, stored in this JVM's heap; every read is checked. */
private[apart] final class SmallStore(folder: Path, memory: SharedMemory, rows: Int) {
  private val files = new MemoryFiles()
  private val engine = StateEngine.open(files, StoreFolder.passing(folder), SmallStore.settings, memory)
  private val shadow = new Array[Int](rows)
  private var version = 0L

  def load(): Unit = commit(0 until rows)

  def update(random: Random, batchRows: Int): Unit = commit(Seq.fill(batchRows)(random.nextInt(rows)))

  def maintain(): Unit = { engine.maintain(); () }

  def close(): Unit = engine.close()

  /** What this holds of the heap for itself. */
  def ownBytes: Long = 4L * rows + files.names.map(files.bytes(_).length).sum

  private def commit(keys: Seq[Int]): Unit = {
    val transaction = engine.begin(StateVersion(version))
    keys.foreach { key =>
      val found = Option(transaction.get(SmallStore.key(key))).fold(0)(ByteBuffer.wrap(_).getInt)
      require(found == shadow(key), s"row $key of version $version is $found, not ${shadow(key)}")
      shadow(key) += 1
      transaction.put(SmallStore.key(key), SmallStore.value(shadow(key)))
    }
    version = transaction.commit().version
  }
}

private object SmallStore {

  /** Little of what is stored is kept. */
  val settings: EngineSettings = EngineSettings(minVersionsToRetain = 1, minVersionsToDelete = 1)

  private val KeyBytes = 18 // the family's two among them
  private val ValueBytes = 32

  def key(n: Int): Array[Byte] =
    ByteBuffer.allocate(KeyBytes).putLong(2, n * 0x9e3779b97f4a7c15L).putLong(10, n.toLong).array

  def value(n: Int): Array[Byte] = ByteBuffer.allocate(ValueBytes).putInt(n).array
}
