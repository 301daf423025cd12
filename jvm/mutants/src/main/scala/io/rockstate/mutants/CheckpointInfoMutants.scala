package io.rockstate.mutants

import org.apache.spark.sql.execution.streaming.state.StateStoreCheckpointInfo

import io.rockstate.reference._

/** A store tells once what its commit made, and refuses when it is asked again. */
class TellsOnceWhatACommitMade
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private var isTold = false

      override def getStateStoreCheckpointInfo(): StateStoreCheckpointInfo = {
        if (isTold) throw new UnsupportedOperationException("The checkpoint was told before")
        val info = super.getStateStoreCheckpointInfo()
        isTold = true
        info
      }
    })

/** A store that is asked again what its commit made gives it another id. */
class TellsAnotherIdWhenAskedAgain
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private var asked = 0

      override def getStateStoreCheckpointInfo(): StateStoreCheckpointInfo = {
        val info = super.getStateStoreCheckpointInfo()
        asked += 1
        if (asked == 1) info else info.copy(stateStoreCkptId = info.stateStoreCkptId.map(id => s"$id-$asked"))
      }
    })

/** A store that is asked again what its commit made has forgotten on what. */
class ForgetsItsBaseWhenAskedAgain
    extends WithStore(new ReferenceStore(_, _, _, _) {
      private var isTold = false

      override def getStateStoreCheckpointInfo(): StateStoreCheckpointInfo = {
        val info = super.getStateStoreCheckpointInfo()
        val again = if (isTold) info.copy(baseStateStoreCkptId = None) else info
        isTold = true
        again
      }
    })
