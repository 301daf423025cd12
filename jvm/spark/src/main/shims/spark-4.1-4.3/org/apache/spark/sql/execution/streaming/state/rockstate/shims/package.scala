package org.apache.spark.sql.execution.streaming.state.rockstate

import org.apache.spark.sql.execution.streaming.{checkpointing, runtime}

/** What Spark's minors disagree on. Here: the packages of its classes. */
package object shims {
  private[rockstate] type CheckpointFileManager = checkpointing.CheckpointFileManager
  private[rockstate] type FileSystemBasedCheckpointFileManager = checkpointing.FileSystemBasedCheckpointFileManager
  private[rockstate] type StreamMetadata = runtime.StreamMetadata
  private[rockstate] type StreamingRelation = runtime.StreamingRelation

  /** Whether a task that has read asks for its store to write to with the one that it has read from. */
  private[rockstate] val upgradesReadStores: Boolean = true

  private[rockstate] val CheckpointFileManager: checkpointing.CheckpointFileManager.type =
    checkpointing.CheckpointFileManager
  private[rockstate] val CommitMetadata: checkpointing.CommitMetadata.type = checkpointing.CommitMetadata
  private[rockstate] val MetadataVersionUtil: checkpointing.MetadataVersionUtil.type = checkpointing.MetadataVersionUtil
  private[rockstate] val OffsetSeqMetadata: checkpointing.OffsetSeqMetadata.type = checkpointing.OffsetSeqMetadata
  private[rockstate] val StreamExecution: runtime.StreamExecution.type = runtime.StreamExecution
}
