"""Checkpoints made of others: moved to another provider or number of partitions; their state as tables."""
