package io.rockstate.files

import java.util.concurrent.{ExecutionException, Executors, Future, ThreadFactory}

import scala.collection.mutable

/** Runs blocking work on a few threads of its own, for as long as one call lasts. */
object Parallel {

  /** Hands `use` the results of `work` in the order of `items`, computed at most `threads` items ahead. The first failure surfaces as
    * it was thrown.
    */
  def ahead[A, B, R](threads: Int, items: Seq[A])(work: A => B)(use: Iterator[B] => R): R =
    if (items.sizeIs <= 1) use(items.iterator.map(work))
    else {
      val pool = Executors.newFixedThreadPool(math.min(threads, items.size), daemons)
      try {
        val waiting = items.iterator
        val running = mutable.Queue.empty[Future[B]]
        def submit(): Unit = if (waiting.hasNext) {
          val item = waiting.next()
          running += pool.submit(() => work(item))
        }
        (1 to threads).foreach(_ => submit())
        use(Iterator.continually(running).takeWhile(_.nonEmpty).map { queue =>
          val result = await(queue.dequeue())
          submit()
          result
        })
      } finally pool.shutdownNow()
    }

  def map[A, B](threads: Int, items: Seq[A])(work: A => B): Vector[B] = ahead(threads, items)(work)(_.toVector)

  private def await[B](future: Future[B]): B =
    try future.get()
    catch { case e: ExecutionException => throw e.getCause }

  private val daemons: ThreadFactory = task => {
    val thread = new Thread(task, "rockstate-fetch")
    thread.setDaemon(true)
    thread
  }
}
