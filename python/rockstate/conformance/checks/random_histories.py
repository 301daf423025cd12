"""Random histories, compared with a plain dictionary; see `rockstate.conformance.machine`."""

from __future__ import annotations

from rockstate.conformance.lab import Lab
from rockstate.conformance.registry import check


@check("R51")
def any_history_that_goes_forward(lab: Lab) -> None:
    from rockstate.conformance.machine import search

    search(lab, rewrites=False)


@check("R51")
def any_history_that_goes_back_too(lab: Lab) -> None:
    from rockstate.conformance.machine import search

    search(lab, rewrites=True)
