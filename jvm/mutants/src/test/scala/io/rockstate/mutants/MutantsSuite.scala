package io.rockstate.mutants

import java.io.File

import org.scalatest.Tag

import org.apache.spark.sql.execution.streaming.state.StateStoreProvider

import io.rockstate.reference.{ProviderTest, Version}

/** A mutant must fail for its fault: whatever has nothing to do with that works. */
class MutantsSuite extends ProviderTest {
  private val classes = new File(classOf[LosesDeletesInDelta].getProtectionDomain.getCodeSource.getLocation.toURI)
  private val mutants = new File(classes, "io/rockstate/mutants")
    .list()
    .toSeq
    .collect {
      case s"$name.class" if !name.contains('$') => name
    }
    .filterNot(_ == "AsksForTheSession") // which there is none of here either
    .sorted

  mutants.foreach { mutant =>
    Seq(2 -> Nil, 1 -> Seq(Tag("io.rockstate.Slow"))).foreach { case (format, tags) =>
      test(s"$mutant commits rows and gives them back, checkpoint format $format", tags: _*) {
        val folder = newFolder()
        def provider(): StateStoreProvider = open(
          folder,
          s"io.rockstate.mutants.$mutant",
          settings = Map("stateStore.checkpointFormatVersion" -> s"$format")
        )
        val one = write(provider(), Version(0, None))(_.put(key(1L), value("one")))
        assert(rowsAt(provider(), one) == Map((1L, "k") -> "one"))
      }
    }
  }
}
