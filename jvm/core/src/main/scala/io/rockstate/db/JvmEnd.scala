package io.rockstate.db

/** What is to be done before the databases of this JVM stop working when it ends. */
object JvmEnd {
  val Nothing: AutoCloseable = () => ()

  /** Has `action` run then, unless what this returns was closed before. It has seconds, and must not hope to be waited for. */
  def before(action: () => Unit): AutoCloseable = {
    OpenDatabases.addLast(action)
    () => OpenDatabases.removeLast(action)
  }
}
