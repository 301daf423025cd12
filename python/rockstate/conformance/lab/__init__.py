"""Storage of its own for each check, with executors, stores and faults on it."""
