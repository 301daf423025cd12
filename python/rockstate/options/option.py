"""What an option is, and how what a user gives becomes the text of a conf."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from rockstate.base.errors import InvalidOption


@dataclass(frozen=True)
class Option:
    """One option: its name in Python, its conf key in Spark, and what it takes.

    `convert` turns a user's value into the conf's text, or raises ValueError; `takes` says in words what it accepts.
    `default` holds where Rockstate starts a query, or on a Spark minor what `exceptions` has for it, with the reason;
    `sparks_default`, if it is another, holds where nothing sets the key. `names` are all that it takes, if few.
    """

    name: str
    key: str
    default: str
    unit: str
    takes: str
    meaning: str
    convert: Callable[[int | str], str]
    sparks_default: str | None = None
    exceptions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    names: tuple[str, ...] = ()

    def default_on(self, minor: str) -> str:
        """What holds on a Spark minor where Rockstate starts a query."""
        return self.exceptions[minor][0] if minor in self.exceptions else self.default

    def meaning_on(self, minor: str) -> str:
        """What it does, and why its default is another one on that Spark minor."""
        if minor not in self.exceptions:
            return self.meaning
        default, reason = self.exceptions[minor]
        return f"{self.meaning}. It is {default} by default on Spark {minor}: {reason}"

    @property
    def defaults(self) -> str:
        """All its defaults, in words."""
        return self.default + "".join(f"; {value} on Spark {on}" for on, (value, _) in self.exceptions.items())

    def conf_value(self, value: int | str) -> str:
        """The checked text for Spark's conf. Raises InvalidOption."""
        try:
            return self.convert(value)
        except ValueError:
            problem = f"Option {self.name} ({self.key}) does not take {value!r}"
            raise InvalidOption(self.name, problem, f"It takes {self.takes}; the default is {self.defaults}") from None


def number_in(
    parse: Callable[[int | str], int], least: int, most: int | None = None, suffix: str = ""
) -> Callable[[int | str], str]:
    """Takes what `parse` does if the number is from `least` to `most`, and writes it with `suffix`."""

    def convert(value: int | str) -> str:
        number = parse(value)
        if number < least or (most is not None and number > most):
            raise ValueError(f"{number} is out of range")
        return f"{number}{suffix}"

    return convert


def or_auto(convert: Callable[[int | str], str]) -> Callable[[int | str], str]:
    """Takes `auto`, and what `convert` does."""
    return lambda value: "auto" if value == "auto" else convert(value)


def absolute_path(value: int | str) -> str:
    """Takes an absolute path."""
    if not str(value).startswith("/"):
        raise ValueError(f"{value} is not an absolute path")
    return str(value)


def one_of(names: Iterable[str]) -> Callable[[int | str], str]:
    """Takes these names, in any case."""
    known = tuple(names)

    def convert(value: int | str) -> str:
        text = str(value).lower()
        if text not in known:
            raise ValueError(f"{value!r} is not one of {known}")
        return text

    return convert
