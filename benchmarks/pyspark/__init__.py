"""Whole queries of PySpark on each contender: one script per question, run as benchmarks/README.md says."""
