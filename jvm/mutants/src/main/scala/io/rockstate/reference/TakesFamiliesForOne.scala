package io.rockstate.reference

/** A mutant whose families are one if this makes the same of their names. */
abstract class TakesFamiliesForOne(seen: String => String)
    extends WithStore(new ReferenceStore(_, _, _, _) {
      override protected def place(family: String): String =
        contents.families.keys.toSeq.sorted.find(other => seen(other) == seen(family)).getOrElse(family)
    })
