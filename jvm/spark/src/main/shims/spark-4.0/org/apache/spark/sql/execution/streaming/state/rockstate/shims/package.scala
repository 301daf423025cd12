package org.apache.spark.sql.execution.streaming.state.rockstate

import org.apache.spark.sql.execution.streaming

/** What Spark's minors disagree on. Here: the packages of its classes. */
package object shims {
  private[rockstate] type CheckpointFileManager = streaming.CheckpointFileManager
  private[rockstate] type FileSystemBasedCheckpointFileManager = streaming.FileSystemBasedCheckpointFileManager
  private[rockstate] type StreamMetadata = streaming.StreamMetadata
  private[rockstate] type StreamingRelation = streaming.StreamingRelation

  /** Whether a task that has read asks for its store to write to with the one that it has read from. */
  private[rockstate] val upgradesReadStores: Boolean = false

  private[rockstate] val CheckpointFileManager: streaming.CheckpointFileManager.type = streaming.CheckpointFileManager
  private[rockstate] val CommitMetadata: streaming.CommitMetadata.type = streaming.CommitMetadata
  private[rockstate] val MetadataVersionUtil: streaming.MetadataVersionUtil.type = streaming.MetadataVersionUtil
  private[rockstate] val OffsetSeqMetadata: streaming.OffsetSeqMetadata.type = streaming.OffsetSeqMetadata
  private[rockstate] val StreamExecution: streaming.StreamExecution.type = streaming.StreamExecution
}
