"""How checks say what the contract wants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from rockstate.conformance.calls.outcomes import StoreError, Timeout, Violation
from rockstate.conformance.calls.rows import Pair, unordered

T = TypeVar("T")


def expect(answer: Any, wanted: Any, message: str) -> None:
    """Wants the answer of the latest call that gave `answer` to be `wanted`; `message` says what is wrong if not.

    Raises:
        Violation: it is another.
    """
    if answer != wanted:
        raise Violation(f"{message}: wanted {wanted!r}, not {answer!r}", answer=answer, wanted=wanted)


def expect_rows(answer: Sequence[Pair], wanted: Sequence[Pair], message: str) -> None:
    """Wants a scan to have given exactly the rows `wanted`, in any order.

    Raises:
        Violation: it gave others; the message names up to five that are missing and five too many.
    """
    if unordered(answer) != unordered(wanted):
        parts = [_few("missing", _without(wanted, answer)), _few("too many", _without(answer, wanted))]
        raise Violation(f"{message}: {'; '.join(filter(None, parts))}", answer=answer, wanted=wanted, any_order=True)


@contextmanager
def refused(message: str = "the call had to be refused") -> Iterator[None]:
    """Wants the last call of its block to be refused: to throw anything, but not to hang.

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


def tried(call: Callable[[], T]) -> T | None:
    """What a call answers, None where it is refused: either is right, as long as it does not hang."""
    try:
        return call()
    except Timeout:
        raise
    except StoreError:
        return None


def _without(pairs: Sequence[Pair], others: Sequence[Pair]) -> list[Pair]:
    left = Counter(map(repr, others))
    missing = []
    for pair in pairs:
        left[repr(pair)] -= 1
        if left[repr(pair)] < 0:
            missing.append(pair)
    return missing


def _few(what: str, pairs: Sequence[Pair]) -> str:
    shown = ", ".join(repr(pair) for pair in pairs[:5])
    return f"{what} {shown}{f' and {len(pairs) - 5} more' if len(pairs) > 5 else ''}" if pairs else ""
