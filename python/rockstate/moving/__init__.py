"""Checkpoints made of others: moved to another provider."""
