"""The benchmark suite's own arithmetic: results in, ratios and report out."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks import (
    __main__,
    contenders,
    jvm,
    machine,
    page,
    plots,
    questions,
    regression,
    report,
    results,
    storage,
    store,
)
from benchmarks import run as running
from benchmarks.drawing import drawings
from benchmarks.forms import FORMS, FULL, QUICK
from benchmarks.goals import END_TO_END_GOALS, GOALS, PROVIDER_GOALS, Goal, Growth, Limit
from benchmarks.process import Cannot, Failed, WrongAnswer, run
from benchmarks.questions import QUESTIONS
from benchmarks.ratios import paired, times_better
from benchmarks.results import BadResult, Metric, Result, Results

from rockstate.options.keys import STATE_STORE

DOCS = Path(__file__).parents[2] / "docs"


def result(contender: str, round_number: int, value: float, question: str = "update", higher: bool = True) -> Result:
    name, unit = ("rows_per_s", "rows/s") if higher else ("us_per_row", "us")
    return Result(question, contender, round_number, {name: Metric(value, unit, higher)})


def test_ratios_are_taken_within_a_round() -> None:
    run_of_three = Results(
        [
            *(result("rockstate", number, value) for number, value in enumerate((100, 10, 60), start=1)),
            *(result("changelog", number, value) for number, value in enumerate((50, 2, 20), start=1)),
        ]
    )
    ratio = paired(run_of_three, "update", "rows_per_s", "rockstate", "changelog")
    assert ratio is not None
    assert (ratio.least, ratio.middle, ratio.most, ratio.rounds) == (2, 3, 5, 3)


def test_a_round_without_both_contenders_does_not_count() -> None:
    lone = Results([result("rockstate", 1, 100), result("changelog", 2, 1)])
    assert paired(lone, "update", "rows_per_s", "rockstate", "changelog") is None


@pytest.mark.parametrize(
    ("ours", "theirs", "higher", "times"),
    [(6, 2, True, 3), (2, 6, False, 3), (6, 2, False, 1 / 3), (0, 0, False, 1), (0, 2, False, float("inf"))],
)
def test_more_than_one_is_better_for_rates_and_for_times(ours: int, theirs: int, higher: bool, times: float) -> None:
    assert times_better(Metric(ours, "", higher), Metric(theirs, "", higher)) == pytest.approx(times)


def test_a_goal_is_reached_by_the_median_round() -> None:
    goal = Goal("update", "update", "rows_per_s", 3)
    theirs = [result("changelog", number, 1) for number in (1, 2, 3)]
    reached = Results([result("rockstate", number, value) for number, value in ((1, 2), (2, 3), (3, 9))] + theirs)
    missed = Results([result("rockstate", number, value) for number, value in ((1, 2), (2, 2), (3, 9))] + theirs)
    assert (goal.find(reached).reached, goal.find(missed).reached) == (True, False)
    assert goal.find(Results(theirs)).reached is None


def test_growth_has_a_bound() -> None:
    growth = Growth("keys", "keys_100k", "keys_10m", 1.4)

    def with_cost(large: float) -> Results:
        return Results(
            [result("rockstate", 1, 1.0, "keys_100k", False), result("rockstate", 1, large, "keys_10m", False)]
        )

    assert growth.find(with_cost(1.39)).reached
    assert growth.find(with_cost(1.41)).reached is False


def test_every_goal_and_bound_is_about_a_question_that_is_asked() -> None:
    asked = {question.name for question in QUESTIONS}
    assert {goal.question for goal in PROVIDER_GOALS} | {bound.question for bound in regression.BOUNDS} <= asked
    end_to_end = {f"{name}_{rows}" for name in FULL.pyspark for rows in FULL.pyspark_batches}
    assert {goal.question for goal in END_TO_END_GOALS} == end_to_end
    assert not asked & set(FULL.pyspark)
    assert {name for form in FORMS.values() for sitting in form.sittings for name in sitting} <= asked
    in_full = [name for sitting in FULL.sittings_in_round(1) for name in sitting]
    assert sorted(in_full) == sorted(asked - {"soak"})


def test_each_round_starts_with_another_contender_and_has_all_of_its_own() -> None:
    rounds = [FULL.in_round(number) for number in (1, 2, 3)]
    assert len({names[0] for names in rounds}) == 3
    assert {frozenset(names) for names in rounds} == {frozenset(rounds[0])}
    assert set(QUICK.in_round(2)) == set(contenders.KEY_CONTENDERS)


def test_a_run_that_is_resumed_does_what_is_left() -> None:
    whole = list(running.processes(running.Order(FULL)))
    done = frozenset((name, each.contender.name, each.round) for each in whole[:100] for name in each.asked)
    left = list(running.processes(running.Order(FULL, done=done)))
    assert [each.name for each in left] == [each.name for each in whole[100:]]
    of_first = frozenset((name, whole[0].contender.name, 1) for name in whole[0].asked[1:])
    assert len(list(running.processes(running.Order(FULL, done=of_first)))) == len(whole), (
        "half an answer is asked for again"
    )


def test_a_later_result_takes_the_place_of_an_earlier_one() -> None:
    results = Results([result("rockstate", 1, 1.0), result("rockstate", 2, 2.0)])
    both = results.having(result("rockstate", 1, 3.0))
    assert sorted(each.metrics["rows_per_s"].value for each in both.all) == [2.0, 3.0]


def test_a_run_of_another_form_or_jar_or_machine_is_not_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "jar_fingerprint", lambda: "this")
    monkeypatch.setattr(running, "perform", lambda order: iter(()))
    monkeypatch.setattr(plots, "write", lambda results, folder: None)
    command = ["run", "--form", "tiny", "--resume", "--storage", str(tmp_path), "--out", str(tmp_path)]
    same = machine.describe(tmp_path)
    for form, change, code in (
        ("tiny", {}, 0),
        ("quick", {}, 2),
        ("tiny", {"jar": "another"}, 2),
        ("tiny", {"storage": "in memory (tmpfs)"}, 2),
        ("tiny", {"cores": 128}, 2),
    ):
        store.write(store.Run(form, {**same, **change}, Results([])), tmp_path)
        assert __main__.main(command) == code


def test_checkpoints_lie_in_memory_where_there_is_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "_IN_MEMORY", tmp_path / "absent")
    assert storage.in_memory() is None
    monkeypatch.setattr(storage, "_IN_MEMORY", tmp_path)
    monkeypatch.setattr(storage, "_NEEDED", 1)
    assert storage.in_memory() == tmp_path
    assert storage.kind(tmp_path / "inside").startswith("in memory")
    assert "disk" in storage.kind(tmp_path.parent) and "disk" in storage.kind(None)
    monkeypatch.setattr(storage, "_NEEDED", 1 << 60)
    assert storage.in_memory() is None


def test_rockstate_is_measured_as_configure_sets_it() -> None:
    confs = contenders.named("rockstate").confs
    assert confs(contenders.DEFAULT_BUDGET)[STATE_STORE + "compression.codec"] == "zstd"
    assert confs(16 << 20)[STATE_STORE + "rockstate.memoryBudget"] == "16777216"


def test_equal_memory_is_what_rockstate_takes_by_itself() -> None:
    # As in MemoryAskedSuite.scala.
    assert [contenders.auto_budget(heap) >> 20 for heap in ("512m", "1g", "4g", "16g")] == [384, 512, 1075, 3532]


def test_rockstate_alone_is_told_to_take_what_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jvm, "JAR", DOCS / "index.md")
    question = questions.named("keys_10m_auto")

    def confs(name: str) -> str:
        sitting = jvm.Sitting(contenders.named(name), (question,), 1)
        return " ".join(jvm.command(sitting, {}, 0, tmp_path, tmp_path, ()))

    assert f"{STATE_STORE}rockstate.memoryBudget=auto" in confs("rockstate")
    assert f"blockCacheSizeMB={question.budget >> 20}" in confs("tuned") and "auto" not in confs("tuned").split()


def test_results_survive_the_disk(tmp_path: Path) -> None:
    one = Result("update", "rockstate", 1, {"a_ms": Metric(1.5, "ms", False)}, {"keys": 5}, {"s": [1.0]})
    before = Results([one, replace(one, round=2)])
    store.write(store.Run("quick", {"cpu": "x"}, before), tmp_path)
    assert store.read(tmp_path).results.all == before.all


def test_the_page_is_made_from_the_figures_beside_it() -> None:
    run = store.read(DOCS / "performance.json")
    assert page.page(run) == (DOCS / "performance.md").read_text("utf-8")
    plots_beside = {file.stem.removeprefix("performance-"): file for file in DOCS.glob("performance-*.svg")}
    assert drawings(run.results) == {name: file.read_text("utf-8") for name, file in plots_beside.items()}


def test_a_plot_marks_a_goal_that_was_missed() -> None:
    def drawn(ours: float) -> str:
        return drawings(Results([result("rockstate", 1, ours), result("changelog", 1, 10)]))["goals"]

    goal = next(goal for goal in GOALS if isinstance(goal, Goal) and goal.question == "update")
    texts = [each.text for each in ElementTree.fromstring(drawn(50)).iter("{http://www.w3.org/2000/svg}text")]
    assert goal.workload in texts
    missed, reached = (drawn(goal.factor * 10 * share) for share in (0.9, 1.1))
    assert [drawing.count('r="4" fill="#cf222e"') for drawing in (missed, reached)] == [1, 0]


def test_a_plot_without_figures_is_left_out() -> None:
    assert drawings(Results([result("rockstate", 1, 1)])) == {}


def test_a_page_brings_its_figures(tmp_path: Path) -> None:
    one = result("rockstate", 1, 120_000)
    found = Results([replace(one, series={"batch_ms": [1.0]})])
    about = {"cpu": "x", "cores": 2, "memory_bytes": 1, "storage": "in memory", "date": "2026-01-01"}
    store.write(store.Run("full", about, found), tmp_path)
    made = tmp_path / "performance.md"
    assert __main__.main(["page", str(tmp_path), "--to", str(made)]) == 0
    assert store.read(tmp_path / "performance.json").results.all == (one,)
    assert page.page(store.read(tmp_path / "performance.json")) == made.read_text("utf-8")


def test_a_later_run_answers_only_what_the_full_one_was_not_asked(tmp_path: Path) -> None:
    about = {"cpu": "x", "cores": 2, "memory_bytes": 1, "storage": "in memory", "date": "2026-01-01"}
    full, later, last, made = (tmp_path / name for name in ("full", "later", "last", "performance.md"))
    store.write(store.Run("full", about, Results([result("rockstate", 1, 120_000)])), full)
    again, new = result("rockstate", 1, 5), result("rockstate", 1, 7, "evict")
    store.write(store.Run("full", {**about, "date": "2026-01-02"}, Results([again, new])), later)
    command = ["page", str(full), "--to", str(made), "--later"]
    assert __main__.main([*command, str(full)]) == 2
    assert __main__.main([*command, str(later)]) == 0
    assert store.read(tmp_path / "performance.json").results.all == (result("rockstate", 1, 120_000), new)
    assert "2026-01-02, x, rounds: 1: `evict`" in made.read_text("utf-8")
    store.write(store.Run("full", {**about, "date": "2026-01-03", "cpu": "y"}, Results([result("b", 1, 7, "z")])), last)
    assert __main__.main([*command, str(later), "--later", str(last)]) == 0
    assert "2026-01-02, x, rounds: 1: `evict`" in made.read_text("utf-8")
    assert "2026-01-03, y, rounds: 1: `z`" in made.read_text("utf-8")


@pytest.mark.parametrize(
    "metrics",
    [{}, {"x": {"value": "nan", "unit": "", "better": "higher"}}, {"x": {"value": 1, "unit": "", "better": "?"}}],
)
def test_a_result_without_usable_figures_is_refused(metrics: dict[str, object]) -> None:
    with pytest.raises(BadResult):
        results.from_json({"question": "q", "contender": "c", "round": 1, "metrics": metrics})


def test_the_report_shows_every_figure_and_the_goals_that_it_is_about() -> None:
    found = Results([result("rockstate", 1, 120_000), result("changelog", 1, 10_000)])
    text = report.full_text(found)
    asked = {goal.workload for goal in GOALS if goal.question == "update"}
    assert {goal.workload for goal in GOALS if f"| {goal.workload} " in text} == asked
    assert all(f"| {goal.workload} " in report.goals_table(found) for goal in GOALS)
    assert "| 120 k rows/s" in text
    assert "12.00" in text


@pytest.mark.parametrize(("value", "text"), [(9967, "9967 ms"), (14_032, "14 s"), (0.0842, "0.0842 ms")])
def test_long_times_are_in_seconds(value: float, text: str) -> None:
    assert report.metric_text(Metric(value, "ms", False)) == text


def test_the_page_says_on_what_machine_and_with_what_memory() -> None:
    settings = {"heap_bytes": 2 << 30, "budget_bytes": 256 << 20, "confs": {"a.b": "c"}, "keys": 5}
    metrics = {"rows_per_s": Metric(1, "rows/s", True)}
    found = Results(
        [
            Result("update", "tuned", number, metrics, settings, machine={"os": kernel, "jdk": "17"})
            for number, kernel in ((1, "Linux a"), (2, "Linux b"), (3, "Linux b"))
        ]
    )
    machine = {"cpu": "a processor", "cores": 2, "memory_bytes": 1 << 34, "storage": "in memory", "date": "2026-01-01"}
    text = page.page(store.Run("full", machine, found))
    for part in (
        "a processor, 2 cores",
        "Linux a; Linux b ",
        "| 17 ",
        "2026-01-01",
        "2.0 GB",
        f"block cache of {contenders.DEFAULT_BUDGET >> 20} MB",
    ):
        assert part in text


def test_limits_are_about_rockstate_alone() -> None:
    limit = Limit("calls", "update", "rows_per_s", 2, "2 or fewer")
    assert limit.find(Results([result("rockstate", 1, 2)])).reached
    assert limit.find(Results([result("rockstate", 1, 3)])).reached is False


def test_the_regression_form_names_what_is_out_of_bounds() -> None:
    slow = Results([result("rockstate", 1, 1, "load"), result("changelog", 1, 100, "load")])
    assert any(line.startswith("load: rows_per_s is 0.01 times better") for line in regression.broken(slow))
    assert any("was not measured" in line for line in regression.broken(slow))


def script(text: str) -> list[str]:
    return ["bash", "-c", text]


def test_the_exit_code_of_a_process_says_what_happened(tmp_path: Path) -> None:
    good = {
        "question": "q",
        "contender": "c",
        "round": 1,
        "metrics": {"x": {"value": 1, "unit": "", "better": "higher"}},
    }
    out = tmp_path / "good" / "out" / "q.json"
    writes = script(f"nproc > {tmp_path}/cores; echo '{json.dumps(good)}' > {out}")
    assert [each.question for each in run(writes, tmp_path / "good", 60, one_core=True)] == ["q"]
    assert (tmp_path / "cores").read_text() == "1\n"
    with pytest.raises(WrongAnswer, match="key 7"):
        run(script("echo 'WRONG ANSWER key 7' >&2; exit 4"), tmp_path / "wrong", 60)
    with pytest.raises(Cannot, match="no scans"):
        run(script("echo 'CANNOT no scans' >&2; exit 3"), tmp_path / "cannot", 60)
    with pytest.raises(Failed, match="no result"):
        run(script("true"), tmp_path / "silent", 60)
    with pytest.raises(Failed, match="no end"):
        run(script("sleep 5"), tmp_path / "slow", 0.1)


def test_an_unknown_name_is_refused_before_anything_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert __main__.main(["run", "--questions", "nothing"]) == 2
    assert __main__.main(["run", "--contenders", "nobody"]) == 2
    assert "no question nothing" in capsys.readouterr().err


def test_what_a_process_keeps_of_its_files_counts_in_a_container(tmp_path: Path) -> None:
    question = questions.named("keys_10m_contained")
    assert question.asked_as == "keys_10m" and question.container_bytes == (6 << 30) + (512 << 20) + (1 << 30)
    program = (
        "import pathlib, sys; out = pathlib.Path(sys.argv[1]);"
        "held = bytearray(64 << 20); (out / 'file').write_bytes(bytes(32 << 20));"
        "again = bytearray(int(sys.argv[2]) << 20)"
    )

    def outcome(more: int) -> str:
        command = [sys.executable, "-c", program, str(tmp_path), str(more)]
        try:
            run(command, tmp_path, 60, container_bytes=128 << 20)
        except Cannot as cannot:
            pytest.skip(str(cannot))
        except Failed as failed:
            return str(failed)
        raise AssertionError("no results were written")

    assert outcome(16).startswith("no result")  # files make room
    assert outcome(128).startswith("exit code -9")
