package io.rockstate.reference

import io.rockstate.reference.ReferenceStore.Opening

/** A store whose iterators that are watched end as soon as another family is written. */
class EndsItsIterators(provider: ReferenceStoreProvider, base: Version, before: Contents, opening: Opening)
    extends WatchesItsIterators(provider, base, before, opening) {
  private var last = ""

  override protected def watched[A](all: Iterator[A], family: String): Iterator[A] = {
    last = family
    all.takeWhile(_ => last == family)
  }

  override protected def write(change: Change): Unit = {
    change match {
      case change: KeyChange => last = change.family
      case _ =>
    }
    super.write(change)
  }
}
