"""Random histories, compared with a plain dictionary; see `rockstate.conformance.histories`."""

from __future__ import annotations

from rockstate.conformance.checks.registry import check
from rockstate.conformance.lab.lab import Lab


@check("R51")
def any_history_that_goes_forward(lab: Lab) -> None:
    from rockstate.conformance.histories.search import search

    search(lab, rewrites=False)


@check("R51")
def any_history_that_goes_back_too(lab: Lab) -> None:
    from rockstate.conformance.histories.search import search

    search(lab, rewrites=True)
