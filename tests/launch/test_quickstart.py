"""docs/quickstart.md does what it says: every block is run, in its order, in an empty folder."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from tests.launch.pages import blocks_of, run, run_blocks

PAGE = Path(__file__).parents[2] / "docs" / "quickstart.md"
BLOCKS = blocks_of(PAGE)

pytestmark = pytest.mark.slow


def test_every_block_does_what_the_page_says(tmp_path: Path) -> None:
    run_blocks(PAGE, tmp_path)
    assert {"state.html", "state.png"} <= {file.name for file in tmp_path.iterdir()}
    # Nothing of Spark's log around it.
    rows = run("rockstate rows checkpoints/words --key word=be --json", tmp_path)
    assert [line for line in rows.splitlines() if not line.startswith("{")] == [] and rows


def test_every_block_is_of_a_kind_that_is_run() -> None:
    assert {block.language for block in BLOCKS} == {"sh", "python", "text"}
    assert "pip install" in BLOCKS[0].text
    for before, block in pairwise(BLOCKS):
        if block.language == "python":
            assert re.match(r"# \w+\.py\n", block.text)
        if block.language == "text":
            assert before.language == "sh"
            assert block.text.strip()
