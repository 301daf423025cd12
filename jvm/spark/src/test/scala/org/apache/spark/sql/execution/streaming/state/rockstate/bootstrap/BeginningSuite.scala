package org.apache.spark.sql.execution.streaming.state.rockstate.bootstrap

import java.nio.file.Files

import org.apache.hadoop.conf.Configuration
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.util.Utils

import io.rockstate.errors.Misuse

class BeginningSuite extends AnyFunSuite {
  private def folderWith(name: String, text: String) = {
    val folder = Utils.createTempDir().toPath
    Files.createDirectories(folder.resolve(name).getParent)
    Files.writeString(folder.resolve(name), text)
    folder
  }

  test("only a checkpoint that has read nothing is forgotten") {
    val begun = folderWith("offsets/0", "v1\n{}\n-")
    val cutOff = folderWith("offsets/0", s"v1\n{}\n${NoRowsStream.After.json}")
    Vector(begun, cutOff).foreach(folder => Beginning.forget(folder.toString, new Configuration()))
    assert(!Files.exists(begun) && !Files.exists(cutOff))
    val kept = Vector(folderWith("precious", ""), folderWith("offsets/0", "v1\n{}\n{\"logOffset\":0}"))
    kept.foreach(folder => intercept[Misuse](Beginning.forget(folder.toString, new Configuration())))
    assert(kept.forall(Files.exists(_)))
  }
}
