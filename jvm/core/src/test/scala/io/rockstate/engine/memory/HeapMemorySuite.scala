package io.rockstate.engine.memory

import org.scalatest.funsuite.AnyFunSuite

class HeapMemorySuite extends AnyFunSuite {
  private def heap(stores: Int = 1): HeapMemory = {
    val heap = new HeapMemory(4000)
    (1 to stores).foreach(_ => heap.addStore())
    heap
  }

  test("caches take three quarters and not a byte more, and get back what is released") {
    val memory = heap()
    assert(memory.reserveForCache(2999, held = 0) && !memory.reserveForCache(2, held = 2999))
    assert(memory.reserveForCache(1, held = 2999) && memory.usedBytes == 3000)
    memory.releaseFromCache(500)
    assert(memory.reserveForCache(500, held = 2500) && !memory.reserveForCache(1, held = 3000))
  }

  test("layers are never refused, and full beyond their quarter whatever caches hold") {
    val memory = heap()
    memory.chargeCache(3500)
    memory.chargeLayers(1000)
    assert(!memory.layersAreFull)
    memory.chargeLayers(1)
    assert(memory.layersAreFull && memory.usedBytes == 4501)
    memory.releaseLayers(1)
    assert(!memory.layersAreFull)
  }

  test("what is read ahead of its turn leaves half of the layers' quarter free") {
    val memory = heap()
    memory.chargeLayers(400)
    assert(memory.reserveAhead(100) && !memory.reserveAhead(1) && memory.usedBytes == 500)
    memory.releaseLayers(500)
    assert(memory.reserveAhead(500) && memory.usedBytes == 500)
  }

  test("a cache keeps all it has until another store asks for its fair share in vain, and until room was made") {
    val memory = heap(stores = 3)
    assert(memory.reserveForCache(3000, held = 0) && memory.keepable(3000) == 3000)
    assert(!memory.reserveForCache(1, held = 1000) && memory.keepable(3000) == 3000, "that one has its share")
    assert(!memory.reserveForCache(1, held = 999))
    assert(memory.keepable(3000) == 1000 && memory.keepable(700) == 700)
    memory.releaseFromCache(2000)
    assert(memory.keepable(3000) == 3000)
  }

  test("the share of a store gets smaller with each that is added, and larger with each that goes") {
    val memory = heap()
    assert(memory.layerShare == 250)
    (1 to 4).foreach(_ => memory.addStore())
    assert(memory.layerShare == 50)
    (1 to 5).foreach(_ => memory.removeStore())
    assert(memory.layerShare == 250, "without a store there is no share to compute")
  }
}
