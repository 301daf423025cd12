package io.rockstate.folders

import java.io.IOException

/** Others could put a database into this folder that would be taken for a store's. */
final class OpenToOthers(message: String) extends IOException(message)
