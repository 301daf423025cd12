import SparkVersions.{default, oldestScala, selected}

ThisBuild / organization := "io.rockstate"
ThisBuild / version := IO.read(file("python/rockstate/VERSION")).trim
ThisBuild / scalaVersion := selected.scala
// What scalafix knows names by. It is not there for every Scala, and one minor's classes stand for all.
ThisBuild / semanticdbEnabled := selected == default
ThisBuild / semanticdbVersion := "4.14.2"
ThisBuild / javacOptions ++= Seq("--release", "17")
ThisBuild / scalacOptions ++= Seq(
  "-release:17",
  "-deprecation",
  "-feature",
  "-unchecked",
  "-Xlint:_,-byname-implicit",
  "-Wunused:_",
  "-Wdead-code",
  "-Werror"
)

// The releases that Spark 4.0 ships in its own `jars` folder, the oldest that core meets: provided at run time, never bundled.
val rocksdb = "org.rocksdb" % "rocksdbjni" % "9.8.4"
val lz4 = "org.lz4" % "lz4-java" % "1.8.0"
val zstd = "com.github.luben" % "zstd-jni" % "1.5.6-9"
val snappy = "org.xerial.snappy" % "snappy-java" % "1.1.10.7"
val lzf = "com.ning" % "compress-lzf" % "1.1.2"
val slf4j = "org.slf4j" % "slf4j-api" % "2.0.16"
val scalatest = "org.scalatest" %% "scalatest" % "3.2.19"
val archunit = "com.tngtech.archunit" % "archunit" % "1.5.0"
val scalameta = "org.scalameta" %% "scalameta" % "4.17.0"
val scalacheck = "org.scalatestplus" %% "scalacheck-1-18" % "3.2.19.0"

// `jvm/sbt "minor 4.1" spark/package "minor 4.2" spark/package`: one sbt, which has its compiler warm, for several.
Global / commands += Command.single("minor") { (state, minor) =>
  val isLoaded = selected.minor == minor
  sys.props("rockstate.spark") = minor
  if (isLoaded) state else "reload" :: state
}

val sparkModules = Seq("spark-sql", "spark-core", "spark-catalyst")

def sparkModule(name: String): ModuleID =
  ("org.apache.spark" %% name % selected.full).exclude("org.apache.spark", "spark-connect-shims_2.13")

// Spark as it runs: its modules with all that they need, or every jar of PyPI's pyspark.
val onSpark =
  if (selected.hasTests) Seq(libraryDependencies ++= sparkModules.map(sparkModule(_) % Provided))
  else {
    val jars = Def.task(PySparkJars(selected.full, (ThisBuild / baseDirectory).value / "target").classpath)
    Seq(Compile / unmanagedJars ++= jars.value, Test / unmanagedJars ++= jars.value)
  }

// Spark's own suites, where there are any.
val sparkTests =
  if (selected.hasTests) (sparkModules :+ "spark-common-utils").map(sparkModule(_) % Test classifier "tests") else Nil

// What differs between minors; each has a target of its own, so that jars for several stay side by side.
val ofMinor = Seq(
  Compile / unmanagedSourceDirectories ++= selected.shims.map(s => baseDirectory.value / s"src/main/shims/spark-$s"),
  Test / unmanagedSourceDirectories ++= selected.shims.map(s => baseDirectory.value / s"src/test/shims/spark-$s"),
  target := baseDirectory.value / "target" / s"spark-${selected.minor}"
)

// Suites wait for one thing after the other: two of their JVMs side by side. Twice as many groups of suites, so that the
// JVMs end at about the same time; a group more costs a start of Spark, some ten seconds.
val testJvms = 2
val testGroups = 2 * testJvms
val inGroups = Seq(
  // Groups side by side; within a JVM one suite comes after the other (`testForkedParallel` is off).
  Test / parallelExecution := true,
  Test / testGrouping := {
    val options = (Test / forkOptions).value
    (Test / definedTests).value.sortBy(_.name).zipWithIndex.groupBy(_._2 % testGroups).toSeq.map {
      case (number, suites) => Tests.Group(s"suites-$number", suites.map(_._1), Tests.SubProcess(options))
    }
  }
)
Global / concurrentRestrictions := Seq(
  Tags.limitAll(testJvms),
  Tags.limit(Tags.ForkedTestGroup, testJvms),
  Tags.exclusiveGroup(Tags.Clean)
)

// What is much like something quicker, or repeats what others run in another state format, is for `make test-all`.
val testsAll = sys.props.contains("rockstate.allTests") || sys.env.contains("ROCKSTATE_EVERY_MOVE")

val testFolder = taskKey[File]("an empty folder for what suites write")

val testSettings = Seq(
  libraryDependencies ++= Seq(scalatest % Test, scalacheck % Test),
  Test / fork := true,
  Test / parallelExecution := false,
  // Folders and unpacked native libraries that stay are of the last run at most.
  testFolder := {
    val folder = target.value / "test-folder"
    IO.delete(folder)
    IO.createDirectory(folder)
    folder
  },
  Test / javaOptions ++= Seq("-ea", "-Xmx3g", "-Xss8m", "-XX:+UseSerialGC", s"-Djava.io.tmpdir=${testFolder.value}"),
  Test / javaOptions ++= addOpens,
  Test / testOptions += Tests.Argument(TestFrameworks.ScalaTest, "-oDF"),
  // The same for single tests of a suite: those that it calls slow.
  Test / testOptions ++=
    (if (testsAll) Nil
     else Seq(Tests.Argument(TestFrameworks.ScalaTest, "-l", "io.rockstate.Slow")))
)

// What Spark's own launcher passes to a JDK 17+.
lazy val addOpens = Seq(
  "java.lang",
  "java.lang.invoke",
  "java.lang.reflect",
  "java.io",
  "java.net",
  "java.nio",
  "java.util",
  "java.util.concurrent",
  "java.util.concurrent.atomic",
  "sun.nio.ch",
  "sun.nio.cs",
  "sun.security.action",
  "sun.util.calendar"
).flatMap(p => Seq("--add-opens", s"java.base/$p=ALL-UNNAMED")) ++ Seq(
  "-Djdk.reflect.useDirectMethodHandle=false",
  "-Dio.netty.tryReflectionSetAccessible=true"
)

lazy val root = (project in file("."))
  .aggregate(core, testkit, localfiles, spark, conformance, mutants, benchmarks, architecture)
  .settings(publish / skip := true)

lazy val core = (project in file("jvm/core"))
  .settings(testSettings)
  .settings(inGroups)
  .settings(
    name := "rockstate-core",
    scalaVersion := oldestScala,
    semanticdbEnabled := true,
    libraryDependencies ++= Seq(rocksdb, lz4, zstd, snappy, lzf, slf4j).map(_ % Provided),
    // The test kit is built on the core, and the core's suites on the test kit: no `dependsOn` in a circle, but no circle of tasks either.
    Test / unmanagedClasspath ++= (LocalProject("testkit") / Compile / exportedProducts).value
  )

lazy val testkit = (project in file("jvm/testkit"))
  .dependsOn(core)
  .settings(testSettings)
  .settings(
    name := "rockstate-testkit",
    scalaVersion := oldestScala,
    semanticdbEnabled := true,
    libraryDependencies ++= Seq(rocksdb, scalatest).map(_ % Provided)
  )

// Never published, in no wheel; the jar's name has no version: tests look for it.
lazy val onlyForTests = Seq(
  publish / skip := true,
  artifactName := { (_, module, artifact) => s"${module.name}.${artifact.extension}" }
)

// Local files for the tests of queries, quicker than Hadoop's own.
lazy val localfiles = (project in file("jvm/localfiles"))
  .settings(onlyForTests)
  .settings(onSpark)
  .settings(name := "rockstate-localfiles")

lazy val spark = (project in file("jvm/spark"))
  .dependsOn(core, testkit % Test, localfiles % Test)
  .settings(testSettings)
  .settings(inGroups)
  .settings(onSpark)
  .settings(ofMinor)
  .settings(
    name := s"rockstate-spark-${selected.minor}",
    // The module name would turn the dot into a dash.
    moduleName := name.value,
    libraryDependencies ++= sparkTests,
    // Queries of a few rows: compiling at the highest level takes more time than it saves. Without it code has less room.
    Test / javaOptions ++= Seq("-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=240m"),
    Test / javaOptions += "-Dspark.ui.enabled=false",
    // Spark's StateStore.stop waits for maintenance under a lock that maintenance may be waiting for: 6 minutes, by default.
    Test / javaOptions ++= Seq("maintenanceShutdownTimeout", "maintenanceForceShutdownTimeout")
      .map(timeout => s"-Dspark.sql.streaming.stateStore.$timeout=5s"),
    // Hadoop starts processes for each local file; tests that make a Hadoop configuration of their own keep Hadoop's classes.
    Test / javaOptions ++= Seq("fs.file" -> "LocalFilesInProcess", "fs.AbstractFileSystem.file" -> "LocalFsInProcess")
      .map { case (key, name) =>
        s"-Dspark.hadoop.$key.impl=io.rockstate.localfiles.$name"
      },
    // Spark's own suites are many; those in `extended` repeat what others run in another state format.
    Test / testOptions += Tests
      .Filter(suite => testsAll || !suite.contains(".operators.extended.")),
    // Without Spark's own suites of operators, and those that test the same on every minor, what is left takes a minute.
    Test / testOptions += Tests.Filter { suite =>
      val isSame = Seq("CutQuerySuite", "TimestampsInAvroSuite", "ExportSuite").exists(suite.endsWith)
      !sys.props.contains("rockstate.providerTests") || !(isSame || suite.contains(".operators."))
    },
    // One thin jar: the core's classes travel with the provider's.
    Compile / packageBin / mappings ++= (core / Compile / packageBin / mappings).value
  )

// The format of what other minors are built of, too: not compiled, and no part of the root.
lazy val shims = (project in file("target/shims"))
  .settings(
    publish / skip := true,
    Compile / unmanagedSourceDirectories := {
      val modules = (ThisBuild / baseDirectory).value / "jvm" * ("spark" || "conformance")
      (modules / "src" * ("main" || "test") / "shims").get()
    }
  )

// What `rockstate conformance` drives a provider with: a jar of its own, no part of what a query loads.
lazy val conformance = (project in file("jvm/conformance"))
  .dependsOn(Seq(core, testkit, spark).map(_ % Test): _*)
  .settings(testSettings)
  .settings(onSpark)
  .settings(ofMinor)
  .settings(
    name := s"rockstate-conformance-${selected.minor}",
    moduleName := name.value,
    Test / javaOptions += "-XX:TieredStopAtLevel=1"
  )

// A provider that is right and many that are wrong, for the tests of the conformance suite.
lazy val mutants = (project in file("jvm/mutants"))
  .settings(testSettings)
  .settings(onlyForTests)
  .settings(onSpark)
  .settings(name := "rockstate-mutants")

// Drives any provider by its class name at Spark's API: knows none of ours, never published, in no wheel.
lazy val benchmarks = (project in file("benchmarks/provider"))
  .settings(testSettings)
  .settings(onlyForTests)
  .settings(onSpark)
  .settings(name := "rockstate-benchmarks")

// No code: tests that read what the others compile to, their sources and the rules in docs/architecture.md.
lazy val architecture = (project in file("jvm/architecture"))
  .dependsOn(Seq(core, testkit, localfiles, spark, conformance, mutants).map(_ % Test): _*)
  .settings(testSettings)
  .settings(
    name := "rockstate-architecture",
    publish / skip := true,
    libraryDependencies ++= Seq(archunit, scalameta).map(_ % Test)
  )
