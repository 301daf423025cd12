"""The checks: each is a function on a fresh lab, tied to a numbered rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from rockstate.conformance.lab.lab import Lab
from rockstate.conformance.rules import CAPABILITIES, RULES, Rule

CheckFunction: TypeAlias = Callable[[Lab], None]


@dataclass(frozen=True)
class Check:
    """One check of a rule; `needs` are the capabilities without which it says nothing."""

    rule: Rule
    run: CheckFunction
    needs: frozenset[str]

    @property
    def name(self) -> str:
        """The function's name, as a test runner shows it."""
        return self.run.__name__

    @property
    def title(self) -> str:
        """The name in words."""
        return self.name.replace("_", " ")


CHECKS: list[Check] = []


def check(rule: str, needs: Iterable[str] = ()) -> Callable[[CheckFunction], CheckFunction]:
    """Registers a function as a check of `rule`, for instance `@check("R12", needs={"prefix-scan"})`.

    The function's name is the behaviour it wants. It gets a fresh lab and raises if the provider breaks the rule:
    `Violation` or any AssertionError, or the StoreError of a call that had to succeed.

    Raises:
        ValueError: there is no such rule or capability, or a check of that name.
    """
    if rule not in RULES:
        raise ValueError(f"There is no rule {rule}")
    needed = frozenset(needs) | RULES[rule].needs
    if not needed <= CAPABILITIES.keys():
        raise ValueError(f"No capabilities: {', '.join(sorted(needed - CAPABILITIES.keys()))}")

    def register(function: CheckFunction) -> CheckFunction:
        if any(known.name == function.__name__ for known in CHECKS):
            raise ValueError(f"There are two checks {function.__name__}")
        CHECKS.append(Check(RULES[rule], function, needed))
        return function

    return register
