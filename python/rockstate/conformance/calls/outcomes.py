"""What a call answers, and the errors that a check can meet."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, ClassVar

_REFUSAL = re.compile(
    r"unsupported|not.?supported|(not|n't) support|not.?implemented|AbstractMethodError", re.IGNORECASE
)

_NO_FILE = re.compile(r"FileNotFound|NoSuchFile|CANNOT_READ_STREAMING_STATE_FILE|does not exist", re.IGNORECASE)


class StoreError(Exception):
    """The provider under test threw `java_class` with `message`."""

    def __init__(self, java_class: str, message: str) -> None:
        super().__init__(f"{java_class}: {message}" if message else java_class)
        self.java_class = java_class
        self.message = message

    @property
    def is_refusal(self) -> bool:
        """Whether the provider says that it does not have what it was asked for."""
        return _REFUSAL.search(str(self)) is not None

    @property
    def lacks_a_file(self) -> bool:
        """Whether the provider says that there is no such file, or Spark does for it."""
        return _NO_FILE.search(str(self)) is not None


class Timeout(StoreError):
    """The provider did not answer in time; every later call on it fails with the same."""


class HarnessError(Exception):
    """A mistake or misfortune of the harness, never of the provider."""


class DriverDied(HarnessError):
    """The JVM with the provider is gone or of no more use; `log` is the end of what it printed."""

    def __init__(self, log: str) -> None:
        super().__init__(f"The JVM died. The end of its log:\n{log}")
        self.log = log


class NotApplicable(Exception):
    """A check found nothing that it could judge, such as a provider that keeps no files; the message says what."""


class NotInSpark(NotApplicable):
    """A check wants a call that the running Spark's contract does not have yet: no provider can answer it there."""

    def __init__(self, what: str, since: str, spark: str) -> None:
        super().__init__(f"not in Spark {spark}: {what} came with {since}")


_UNKNOWN: Any = object()


class Violation(AssertionError):
    """The provider broke a rule.

    `answer` is what a call answered and `wanted` what the contract wants it to answer; with both, the program that
    shows the violation asserts it at that call, for rows in `any_order` if so. With `wanted=StoreError` the last call
    that went through had to be refused.
    """

    def __init__(
        self, message: str, *, answer: Any = _UNKNOWN, wanted: Any = _UNKNOWN, any_order: bool = False
    ) -> None:
        super().__init__(message)
        self.answer = answer
        self.wanted = wanted
        self.any_order = any_order

    @property
    def wants_answer(self) -> bool:
        """Whether it is known what a call had to answer."""
        return self.answer is not _UNKNOWN and self.wanted is not _UNKNOWN

    @property
    def wants_refusal(self) -> bool:
        """Whether a call went through that had to be refused."""
        return self.wanted is StoreError


@dataclass(frozen=True)
class Outcome:
    """What one call of a batch came to: `value`, or `error`."""

    value: Any = None
    error: StoreError | None = None

    def get(self) -> Any:
        """The value; raises the error."""
        if self.error is not None:
            raise self.error
        return self.value


@dataclass(frozen=True)
class Version:
    """A committed version of a store: its number, and its checkpoint id where the checkpoint format has ids.

    `base_id` is the id of the version it says it was built on.
    """

    EMPTY: ClassVar[Version]

    version: int
    id: str | None = None
    base_id: str | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        """As it is written."""
        return f"Version({self.version})" if self.id is None else f"Version({self.version}, {self.id!r})"


Version.EMPTY = Version(0)
