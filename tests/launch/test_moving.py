"""docs/moving.md does what it says: every block is run, in its order, in an empty folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import whole
from tests.launch.pages import run_blocks

PAGE = Path(__file__).parents[2] / "docs" / "moving.md"

pytestmark = [pytest.mark.slow, whole]


def test_every_block_does_what_the_page_says(tmp_path: Path) -> None:
    run_blocks(PAGE, tmp_path)
