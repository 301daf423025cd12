"""The plot of a long run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks import __main__, soak, store
from benchmarks.results import Metric, Result, Results

ROOT = Path(__file__).parents[2]
SERIES = (
    "resident_bytes",
    "native_bytes",
    "reported_bytes",
    "state_bytes",
    "heap_bytes",
    "disk_bytes",
    "open_files",
    "threads",
)
FLAT = Result(
    "soak",
    "rockstate",
    1,
    {"turns": Metric(900, "turns", True)},
    {"keys": 640, "stores": 64, "budget_bytes": 256 << 20, "heap_bytes": 2 << 30},
    {"seconds": [60.0 * n for n in range(40)], **{name: [100.0] * 40 for name in SERIES}},
)


def test_growth_compares_the_last_quarter_with_the_second() -> None:
    assert soak.growth([1, 1, 9, 4, 4, 4, 0, 0, 0, 6, 6, 6]) == pytest.approx(0.5)


def test_a_plot_says_what_grew() -> None:
    assert "native memory +0.0%, heap +0.0%, disk +0.0%, open files +0.0%, threads +0.0%" in soak.drawing(FLAT)
    leaking = replace(FLAT, series={**FLAT.series, "open_files": [100.0 + n for n in range(40)]})
    assert "open files +17.5%, threads +0.0%" in soak.drawing(leaking)


@pytest.mark.parametrize(
    ("key", "values", "sentence"),
    [
        ("resident_bytes", [float(3 << 30)] * 40, "the process took 3,221,225,472 bytes, more than 2,550,136,832"),
        ("reported_bytes", [89.0] * 40, "metrics report 89% of what is held"),
        ("threads", [100.0 + n for n in range(40)], "threads: +17.5%, the last quarter beside the second"),
    ],
)
def test_a_run_that_breaks_a_promise_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], key: str, values: list[float], sentence: str
) -> None:
    for result, code, said in ((FLAT, 0, ""), (replace(FLAT, series={**FLAT.series, key: values}), 1, sentence)):
        store.write(store.Run("soak", {"cpu": "x"}, Results([result])), tmp_path)
        assert __main__.main(["soak", str(tmp_path), "--to", str(tmp_path / "soak.svg")]) == code
        assert said in capsys.readouterr().err


def test_the_plot_in_the_docs_is_made_from_the_figures_beside_it() -> None:
    drawn = ROOT / soak.PLACE
    (result,) = store.read(drawn.with_suffix(".json")).results.of("soak", "rockstate")
    assert soak.drawing(result) == drawn.read_text("utf-8")


def test_a_run_of_another_form_or_one_too_short_has_no_plot(tmp_path: Path) -> None:
    about = {"cpu": "x"}
    store.write(store.Run("quick", about, Results([replace(FLAT, question="update")])), tmp_path)
    assert __main__.main(["soak", str(tmp_path), "--to", str(tmp_path / "soak.svg")]) == 2
    short = replace(FLAT, series={name: values[:7] for name, values in FLAT.series.items()})
    store.write(store.Run("soak", about, Results([short])), tmp_path)
    assert __main__.main(["soak", str(tmp_path), "--to", str(tmp_path / "soak.svg")]) == 2
