"""What kind of store an executor is opened for, and where it lies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Place: TypeAlias = tuple[str, int] | tuple[str, int, int] | tuple[str, int, int, str]
DEFAULT_PLACE: Place = ("default", 0)
_PLACE_OF = ("store_name", "partition", "operator", "folder")


def given(kind: Mapping[str, Any]) -> dict[str, Any]:
    """What is not as `Lab.open` has it by default."""
    return {key: value for key, value in kind.items() if value not in ("none", False, DEFAULT_PLACE, None, {})}


def as_options(kind: Mapping[str, Any]) -> dict[str, Any]:
    """The driver's options for it, without confs."""
    rows = {key: value for key, value in kind.items() if key not in ("place", "conf")}
    return {**rows, **dict(zip(_PLACE_OF, kind.get("place", ()), strict=False))}
