"""A run of the suite: what is judged, what the provider can do, each check's outcome, and failures as programs."""
