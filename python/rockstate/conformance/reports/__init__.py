"""The report of a run: on a terminal, as a page, as JUnit XML."""
