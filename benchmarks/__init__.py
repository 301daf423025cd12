"""Rockstate beside Spark's own state stores, measured in one run: `python -m benchmarks --help`."""
