"""Sizes and durations, written as Spark writes them."""

from __future__ import annotations

import re

_SHIFTS = {unit: 10 * power for power, letter in enumerate("bkmgtp") for unit in (letter, f"{letter}b")}
_SHIFTS.update({"": 0, "b": 0})
del _SHIFTS["bb"]

_MILLIS = {"": 1, "ms": 1, "s": 1000, "m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}


def parse_bytes(value: int | str) -> int:
    """A size in bytes from a number of bytes, or text such as `512m` or `1GB` (powers of 1024). Raises ValueError."""
    number, unit = _split(value)
    if unit not in _SHIFTS:
        raise ValueError(f"no size: {value!r}")
    return number << _SHIFTS[unit]


def parse_millis(value: int | str) -> int:
    """A duration in milliseconds from a number of milliseconds, or text such as `30s` or `1min`. Raises ValueError."""
    number, unit = _split(value)
    if unit not in _MILLIS:
        raise ValueError(f"no duration: {value!r}")
    return number * _MILLIS[unit]


def parse_int(value: int | str) -> int:
    """A whole number, also from its decimal digits. Raises ValueError."""
    number, unit = _split(value)
    if unit:
        raise ValueError(f"no whole number: {value!r}")
    return number


def scale_of(count: float) -> tuple[int, str]:
    """The unit that a size is best written in, and how many bytes that is: powers of 1024."""
    power = 0
    while count >= 1024 and power < 4:
        count, power = count / 1024, power + 1
    return 1024**power, ("B", "KB", "MB", "GB", "TB")[power]


def bytes_text(count: float) -> str:
    """A size for people, such as `512 B` or `1.5 MB`."""
    one, unit = scale_of(count)
    return f"{count:.0f} {unit}" if one == 1 else f"{count / one:.1f} {unit}"


def duration_text(seconds: float) -> str:
    """A duration for people, such as `8 s`, `5 min` or `1.5 h`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"


def _split(value: int | str) -> tuple[int, str]:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError(f"neither a number nor text: {value!r}")
    found = re.fullmatch(r"\s*(-?[0-9]+)\s*([a-zA-Z]*)\s*", str(value))
    if found is None:
        raise ValueError(f"not a number with a unit: {value!r}")
    return int(found[1]), found[2].lower()
