"""A run of the suite as data: what is judged and how, and what was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby
from typing import Any, Literal, TypeAlias

from rockstate.conformance.checks.registry import Check
from rockstate.conformance.lab.effort import Effort
from rockstate.conformance.rules import Rule

#: What a provider cannot do is absent; what the running Spark has no call for is skipped, whatever the provider.
Verdict: TypeAlias = Literal["passed", "failed", "absent", "skipped", "error"]
VERDICTS: tuple[Verdict, ...] = ("passed", "failed", "absent", "skipped", "error")


@dataclass(frozen=True)
class Plan:
    """What is judged and how: see `rockstate conformance --help`."""

    provider: str
    conf: Mapping[str, str] = field(default_factory=dict)
    jars: Sequence[str] = ()
    declared: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()
    effort: Effort = field(default_factory=Effort)


@dataclass(frozen=True)
class Capability:
    """Whether the provider has the capability `name`; `reason` says why not, or what it threw when tried.

    What is not in the running Spark no provider can have there.
    """

    name: str
    is_there: bool
    reason: str = ""
    is_in_spark: bool = True


@dataclass(frozen=True)
class Result:
    """What came of one check. `message` says why it did not pass, `program` shows a failure."""

    check: Check
    verdict: Verdict
    seconds: float
    message: str = ""
    program: str = ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        rule = self.check.rule
        return {
            "rule": rule.id,
            "area": rule.area,
            "title": rule.title,
            "meaning": rule.meaning,
            "check": self.check.name,
            "verdict": self.verdict,
            "seconds": round(self.seconds, 3),
            "message": self.message,
            "program": self.program,
        }


def count(results: Iterable[Result]) -> dict[Verdict, int]:
    """How many of the checks came to each verdict."""
    counted = Counter(result.verdict for result in results)
    return {verdict: counted[verdict] for verdict in VERDICTS}


@dataclass(frozen=True)
class RuleResult:
    """The results of one rule's checks."""

    rule: Rule
    results: list[Result]

    @property
    def verdict(self) -> Verdict:
        """The worst of the checks' verdicts; absent or skipped only if nothing of the rule could be judged."""
        verdicts = {result.verdict for result in self.results}
        order: tuple[Verdict, ...] = ("error", "failed", "passed", "absent", "skipped")
        return next(verdict for verdict in order if verdict in verdicts)

    @property
    def seconds(self) -> float:
        """How long the checks took together."""
        return sum(result.seconds for result in self.results)


@dataclass(frozen=True)
class Report:
    """A whole run: what was judged, how, and the results in the rules' order."""

    plan: Plan
    spark: str
    rockstate: str
    capabilities: list[Capability]
    results: list[Result]
    seconds: float

    @property
    def conforms(self) -> bool:
        """Whether no check failed or ran into an error."""
        return not any(result.verdict in ("failed", "error") for result in self.results)

    def count(self) -> dict[Verdict, int]:
        """How many checks came to each verdict."""
        return count(self.results)

    def by_rule(self) -> list[RuleResult]:
        """The results of each rule that was looked at, in the rules' order."""
        groups = groupby(sorted(self.results, key=lambda result: result.check.rule.number), lambda r: r.check.rule)
        return [RuleResult(rule, list(results)) for rule, results in groups]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "provider": self.plan.provider,
            "conf": dict(self.plan.conf),
            "spark": self.spark,
            "rockstate": self.rockstate,
            "seed": self.plan.effort.seed,
            "examples": self.plan.effort.examples,
            "quick": self.plan.effort.quick,
            "conforms": self.conforms,
            "count": self.count(),
            "seconds": round(self.seconds, 1),
            "capabilities": [asdict(each) for each in self.capabilities],
            "results": [result.to_dict() for result in self.results],
        }
