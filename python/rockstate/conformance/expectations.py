"""How checks say what the contract wants."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rockstate.conformance.outcomes import StoreError, Timeout, Violation


def expect(answer: Any, wanted: Any, message: str) -> None:
    """Wants the answer of the latest call that gave `answer` to be `wanted`; `message` says what is wrong if not.

    Raises:
        Violation: it is another.
    """
    if answer != wanted:
        raise Violation(f"{message}: wanted {wanted!r}, not {answer!r}", answer=answer, wanted=wanted)


@contextmanager
def refused(message: str = "the call had to be refused") -> Iterator[None]:
    """Wants the last call of its block to be refused: to throw anything but to hang.

    Raises:
        Violation: the block went through; `message` says what had to be refused.
    """
    try:
        yield
    except Timeout:
        raise
    except StoreError:
        return
    raise Violation(message, wanted=StoreError)
