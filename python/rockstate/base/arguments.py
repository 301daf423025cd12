"""A command line's arguments, of which what is wrong is said in one line: problem and remedy."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from rockstate.base.errors import WrongUsage

#: The most that the JVM counts of what it has an `Int` for.
MOST = 2**31 - 1

_LEFT_OVER = "unrecognized arguments: "

#: What argparse says, as our problems.
_SAID: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (r"the following arguments are required: (.*)", lambda found: _missing(found[1].split(", "), "and")),
    (r"one of the arguments (.*) is required", lambda found: _missing(found[1].split(), "or")),
    (r"argument (\S+): not allowed with argument (\S+)", lambda found: f"{_flag(found[1])} excludes {_flag(found[2])}"),
    (r"argument (\S+): expected .*argument", lambda found: f"{_flag(found[1])} needs a value"),
    (r"argument (\S+): ignored explicit argument .*", lambda found: f"{_flag(found[1])} takes no value"),
    (r"argument (\S+): invalid int value: '(.*)'", lambda found: f"{_flag(found[1])} takes a number, not {found[2]}"),
    (r"argument (\S+): (.*)", lambda found: f"{_flag(found[1])} {found[2]}"),
)


class Parser(argparse.ArgumentParser):
    """A parser that takes no shortened flags, and raises WrongUsage for what it does not take, printing nothing."""

    def __init__(self, *names: Any, **settings: Any) -> None:
        super().__init__(*names, **{"allow_abbrev": False, **settings})

    def error(self, message: str) -> NoReturn:
        """Raises it, with what argparse says in our words."""
        if message.startswith(_LEFT_OVER):
            self.refuse(message.removeprefix(_LEFT_OVER).split())
        found = ((re.fullmatch(pattern, message), text) for pattern, text in _SAID)
        problem = next((text(match) for match, text in found if match), message)
        raise WrongUsage(problem[0].upper() + problem[1:], f"See `{self.prog} --help`")

    def refuse(self, words: list[str]) -> NoReturn:
        """Raises it for words that are left over."""
        word = next((word for word in words if word.startswith("-")), words[0])
        flag = word.partition("=")[0]
        if not word.startswith("-"):
            raise WrongUsage(f"`{self.prog}` does not take {word}", f"See `{self.prog} --help`")
        if any(flag in action.option_strings for action in self._actions):
            raise WrongUsage(f"{flag} stands before the command", f"Write `{self.prog} ... {flag}`")
        raise WrongUsage(f"`{self.prog}` has no flag {flag}", f"{self.guess(flag)}See `{self.prog} --help`")

    def guess(self, flag: str, cutoff: float = 0.6) -> str:
        """Names the flag that may be meant, if one is as near as that, from 0 to 1."""
        return _guess(flag, (known for action in self._actions for known in action.option_strings), cutoff)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """A command or a choice that there is not; the nearest one is named."""
        if action.choices is None or value in action.choices:
            return
        choices = [str(choice) for choice in action.choices]
        guess = _guess(str(value), choices)
        if isinstance(action, argparse._SubParsersAction):
            raise WrongUsage(f"There is no command {value}", f"{guess}`{self.prog} --help` lists them")
        name = _flag("/".join(action.option_strings)) if action.option_strings else str(action.metavar or action.dest)
        problem = f"{name[0].upper()}{name[1:]} takes {_listed(choices, 'or')}, not {value}"
        raise WrongUsage(problem, f"{guess}See `{self.prog} --help`")


class Offering(argparse.Action):
    """Stores any value; a shell offers some."""

    def __init__(self, *, offers: Sequence[str], **settings: Any) -> None:
        super().__init__(**settings)
        self.offers = tuple(offers)

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, value: Any, *_: Any) -> None:
        setattr(namespace, self.dest, value)


def offered(action: argparse.Action) -> tuple[str, ...]:
    """The values of an argument that a shell may offer."""
    return action.offers if isinstance(action, Offering) else tuple(map(str, action.choices or ()))


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """What an argument takes that is a whole number in a range, both ends included."""
    range_ = f"from {least} on" if most is None else f"from {least} to {most}"

    def convert(text: str) -> int:
        if not re.fullmatch(r"[+-]?[0-9]+", text) or int(text) < least or (most is not None and int(text) > most):
            raise argparse.ArgumentTypeError(f"takes a whole number {range_}, not {text}")
        return int(text)

    return convert


def seconds(text: str) -> float:
    """What an argument takes that is a duration in seconds."""
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"takes a number of seconds above 0, not {text}")
    return number


def _guess(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    near = get_close_matches(word, list(known), n=1, cutoff=cutoff)
    return f"Did you mean {near[0]}? " if near else ""


def _flag(names: str) -> str:
    """The first long one of a flag's names, as `--conf` of `--conf/-c`."""
    return next((name for name in names.split("/") if name.startswith("--")), names)


def _missing(names: list[str], word: str) -> str:
    shown = [_flag(name) for name in names]
    return f"{_listed(shown, word)} {'are' if len(shown) > 1 and word == 'and' else 'is'} missing"


def _listed(words: list[str], word: str) -> str:
    return f"{', '.join(words[:-1])} {word} {words[-1]}" if len(words) > 1 else words[0]
