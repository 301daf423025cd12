"""The notebook is one: what nbformat 4.5 asks of a file, and links that lead somewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOK = json.loads((EXAMPLES / "state.ipynb").read_text(encoding="utf-8"))
OF_EVERY_CELL = {"id", "cell_type", "metadata", "source"}
OF_CODE = OF_EVERY_CELL | {"execution_count", "outputs"}


def test_it_has_what_the_format_asks_for() -> None:
    assert (NOTEBOOK["nbformat"], NOTEBOOK["nbformat_minor"]) == (4, 5)
    assert NOTEBOOK["metadata"]["kernelspec"]["name"] == "python3"
    ids = [cell["id"] for cell in NOTEBOOK["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in NOTEBOOK["cells"]:
        assert set(cell) == {"code": OF_CODE, "markdown": OF_EVERY_CELL}[cell["cell_type"]]
        assert all(set(output) >= {"output_type"} for output in cell.get("outputs", ()))


def test_its_cells_ran_in_their_order_and_none_failed() -> None:
    code = [cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    kinds = {output["output_type"] for cell in code for output in cell["outputs"]}
    assert kinds <= {"stream", "execute_result", "display_data"}


def test_its_links_lead_somewhere() -> None:
    prose = ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "markdown"]
    links = re.findall(r"\]\(([^)]+)\)", "\n".join(prose))
    assert links
    assert [link for link in links if not (EXAMPLES / link).exists()] == []
