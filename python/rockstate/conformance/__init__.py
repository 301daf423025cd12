"""A conformance suite for state store providers: `rockstate conformance --provider CLASS`.

What a check and a recorded program use is here. Importing this does not import PySpark or Hypothesis.
"""

from rockstate.conformance.calls.answers import Calls, Change, Metrics
from rockstate.conformance.calls.expectations import expect, expect_rows, refused
from rockstate.conformance.calls.outcomes import (
    DriverDied,
    HarnessError,
    NotApplicable,
    NotInSpark,
    Outcome,
    StoreError,
    Timeout,
    Version,
    Violation,
)
from rockstate.conformance.calls.rows import Pair, Row, unordered
from rockstate.conformance.checks import all_checks
from rockstate.conformance.checks.registry import Check, check
from rockstate.conformance.jvm.protocol import Driver
from rockstate.conformance.lab.effort import Effort
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.lab.store import Held, Iterating, Store
from rockstate.conformance.rules import CAPABILITIES, RULES, Rule

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
    "Held",
    "Iterating",
    "Lab",
    "Metrics",
    "NotApplicable",
    "NotInSpark",
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
