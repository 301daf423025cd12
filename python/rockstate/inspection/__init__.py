"""A query's checkpoint seen from outside: what its stores hold, drawn, as a page, and row by row."""

from rockstate.inspection.findings import Files, Operator, Problem, Store
from rockstate.inspection.summary import Summary

__all__ = ["Files", "Operator", "Problem", "Store", "Summary"]
