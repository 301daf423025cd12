"""All rules: what a state store provider has to hold to, and why."""

from __future__ import annotations

from rockstate.conformance.rule import CAPABILITIES, Rule
from rockstate.conformance.rules_of_calls import RULES_OF_CALLS
from rockstate.conformance.rules_of_storage import RULES_OF_STORAGE

__all__ = ["CAPABILITIES", "RULES", "Rule"]

RULES: dict[str, Rule] = {
    rule.id: rule for rule in sorted((*RULES_OF_CALLS, *RULES_OF_STORAGE), key=lambda rule: rule.number)
}
