"""The drawings of docs/architecture.md are those of its present text."""

from __future__ import annotations

import importlib.util
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "docs" / "drawings"


def test_drawings_are_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("draw", FOLDER / "draw.py")
    assert spec is not None and spec.loader is not None
    draw = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(draw)
    stale = [name for name, text in draw.drawings().items() if (FOLDER / name).read_text(encoding="utf-8") != text]
    assert not stale, f"run python docs/drawings/draw.py: {', '.join(stale)} would change"
