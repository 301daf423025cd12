"""What a check may expect of one call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rockstate.conformance.outcomes import StoreError, Timeout, Violation


def expect_equal(answer: Any, wanted: Any, what: str) -> None:
    """`answer`, which one call gave, is `wanted`."""
    if answer != wanted:
        raise Violation(f"{what} is {answer!r}, not {wanted!r}", answer=answer, wanted=wanted)


def expect_refused(what: str, call: Callable[[], Any]) -> None:
    """The call throws."""
    try:
        answer = call()
    except Timeout:
        raise
    except StoreError:
        return
    raise Violation(f"{what} was not refused", answer=answer, wanted=StoreError)


def expect_allowed(what: str, call: Callable[[], Any]) -> Any:
    """The call does not throw; its answer."""
    try:
        return call()
    except StoreError as error:
        raise Violation(f"{what} was refused: {error}") from error
