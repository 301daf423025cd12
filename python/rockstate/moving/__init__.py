"""Checkpoints made of others: moved to another provider or number of partitions."""
