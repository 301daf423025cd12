"""Rows as the driver's encoders have them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeAlias

Row: TypeAlias = list[Any]
Pair: TypeAlias = list[Row]
DEFAULT_FAMILY = "default"


def unordered(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs in an order that depends on nothing but them, to compare scans that come in no order of their own."""
    return sorted(pairs, key=lambda pair: json.dumps(pair))
