package io.rockstate.engine

/** Keys and write records in the JVM's memory, on which the rooms above build. Numbers that are easily mistaken for each other have one word
  * each, here and in `layers`, `cache` and `transaction`:
  *
  *   - ''id'' (of a key): its number in a [[records.KeySource]], most often a [[records.KeyIndex]]
  *   - ''record'': the number of a write record in a [[records.RecordTable]], in the order of writing
  *   - ''place'': where bytes are in [[records.Chunks]]
  *   - ''address'': where a row is in the read cache, or there `Nowhere` or `Unknown`
  *   - ''slot'': a cell of a hash table
  *   - ''position'': an index in the order of keys
  *
  * (A read cache is a `KeySource`, too: the ids of its keys are their addresses.)
  */
package object records
