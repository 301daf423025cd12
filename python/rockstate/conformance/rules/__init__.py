"""All rules: what a state store provider has to hold to, and why."""

from __future__ import annotations

from rockstate.conformance.rules.of_calls import RULES_OF_CALLS
from rockstate.conformance.rules.of_storage import RULES_OF_STORAGE
from rockstate.conformance.rules.rule import CAPABILITIES, Rule

__all__ = ["CAPABILITIES", "RULES", "Rule"]

RULES: dict[str, Rule] = {
    rule.id: rule for rule in sorted((*RULES_OF_CALLS, *RULES_OF_STORAGE), key=lambda rule: rule.number)
}
