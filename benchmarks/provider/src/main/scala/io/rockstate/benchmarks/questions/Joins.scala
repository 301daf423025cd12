package io.rockstate.benchmarks.questions

import org.apache.spark.sql.execution.streaming.state._

import io.rockstate.benchmarks.{CannotDo, Measurement, Question, Workload, WrongAnswer}
import io.rockstate.benchmarks.lab._

/** Two sides of a join, each a column family with several values per key: a row probes the other side (`valuesIterator`) and joins its own
  * (`merge`); every eighth row cuts its key down to the last two values (`putList`).
  *
  * @param first whether the first ten batches of the JVM are asked about, on a store that is empty before them
  */
final class Joins(override val name: String, first: Boolean) extends Question {
  private val sides = Seq("left", "right")
  private val kept = 2

  override def measure(lab: Lab): Measurement = CannotDo.unless("several values per key") {
    val sizes = if (first) lab.sizes.first else lab.sizes
    val keys = sizes.keys / 10
    val random = lab.random()
    val store = lab.open(Layout.Families.copy(multipleValues = true))
    val rows = sides.map(new Side(_, keys))
    def batch(): Array[Int] = Numbers.random(random, 2 * keys, sizes.batchRows)
    def run(numbers: Array[Int]): BatchTimes = store.batch { writer =>
      rows.foreach(_.declare(writer))
      numbers.foreach { number =>
        val (own, other) = if (number % 2 == 0) (rows.head, rows.last) else (rows.last, rows.head)
        other.probe(writer, number / 2)
        if (number % 16 < 2 && own.count(number / 2) > kept) own.cut(writer, number / 2)
        else own.add(writer, number / 2)
      }
    }
    if (!first) (1 to math.max(1, 4 * keys / sizes.batchRows)).foreach(_ => run(batch()))
    Workload
      .measure(Seq(store), sizes.warmUp, sizes.batches)(batch())(run)
      .copy(settings = Map("keys" -> 2 * keys, "column_families" -> sides.size))
  }

  /** One side, and how many values each key has had and still has: a key's values are its last ones, in order. */
  private final class Side(family: String, keys: Int) {
    private val last = new Array[Int](keys)
    private val counts = new Array[Int](keys)
    private val keyRow = new LongsRow(1)
    private val valueRows = Array.fill(kept)(new LongsRow(3))

    def count(number: Int): Int = counts(number)

    def declare(store: StateStore): Unit = store.createColFamilyIfAbsent(
      family,
      Layout.Plain.keySchema,
      Values.Schema,
      Layout.Plain.encoder,
      useMultipleValuesPerKey = true
    )

    def probe(store: StateStore, number: Int): Unit = {
      val values = store.valuesIterator(keyRow(Keys.of(number)), family)
      var generation = last(number) - counts(number)
      while (values.hasNext) {
        generation += 1
        if (!Values.isRight(values.next(), number, generation))
          throw new WrongAnswer(s"value $generation of key $number is not what was merged in $family")
      }
      if (generation != last(number)) throw new WrongAnswer(s"key $number ends at $generation, not ${last(number)}")
    }

    def add(store: StateStore, number: Int): Unit = {
      last(number) += 1
      counts(number) += 1
      store.merge(keyRow(Keys.of(number)), Values.write(valueRows(0), number, last(number)), family)
    }

    def cut(store: StateStore, number: Int): Unit = {
      counts(number) = kept
      val values = valueRows.indices.map(i => Values.write(valueRows(i), number, last(number) - kept + 1 + i)).toArray
      store.putList(keyRow(Keys.of(number)), values, family)
    }
  }
}
