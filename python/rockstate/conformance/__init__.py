"""A conformance suite for state store providers: `rockstate conformance --provider CLASS`.

What a check and a recorded program use is here. Importing this does not import PySpark or Hypothesis.
"""

from rockstate.conformance.executor import Change, Executor
from rockstate.conformance.expectations import expect, expect_rows, refused
from rockstate.conformance.lab import Calls, Driver, Effort, Lab
from rockstate.conformance.outcomes import (
    DriverDied,
    HarnessError,
    NotApplicable,
    Outcome,
    StoreError,
    Timeout,
    Version,
    Violation,
)
from rockstate.conformance.registry import Check, all_checks, check
from rockstate.conformance.rows import unordered
from rockstate.conformance.rules import CAPABILITIES, RULES, Rule
from rockstate.conformance.store import Iterating, Metrics, Pair, Row, Store

__all__ = [
    "CAPABILITIES",
    "RULES",
    "Calls",
    "Change",
    "Check",
    "Driver",
    "DriverDied",
    "Effort",
    "Executor",
    "HarnessError",
    "Iterating",
    "Lab",
    "Metrics",
    "NotApplicable",
    "Outcome",
    "Pair",
    "Row",
    "Rule",
    "Store",
    "StoreError",
    "Timeout",
    "Version",
    "Violation",
    "all_checks",
    "check",
    "expect",
    "expect_rows",
    "refused",
    "unordered",
]
