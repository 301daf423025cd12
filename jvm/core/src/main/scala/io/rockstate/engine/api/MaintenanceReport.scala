package io.rockstate.engine.api

import io.rockstate.versions.StateVersion

/** What one maintenance did.
  *
  * @param snapshot      the version whose snapshot was stored
  * @param uploadedBytes for it, with what was in storage already left out
  * @param uploadedFiles for it, its manifest among them
  * @param deletedFiles  by the clean-up
  */
final case class MaintenanceReport(
    snapshot: Option[StateVersion] = None,
    uploadedBytes: Long = 0,
    uploadedFiles: Int = 0,
    deletedFiles: Int = 0
)
