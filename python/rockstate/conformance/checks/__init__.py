"""The checks, one module per area; importing a module registers its checks."""

from __future__ import annotations

import importlib
import pkgutil

from rockstate.conformance.checks.registry import CHECKS, Check


def all_checks() -> list[Check]:
    """Every check of this package, by rule and in the order they are written."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return sorted(CHECKS, key=lambda each: each.rule.number)
