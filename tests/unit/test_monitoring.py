"""Rules and dashboard name only metrics that there are, and `StateMetrics` hands them on as the page says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.unit.test_links import anchors

from rockstate.progress.state_metrics import BATCHS, LEVELS, SPARKS, StateMetrics, figures_of

DOCS = Path(__file__).parents[2] / "docs"
MONITORING = DOCS / "monitoring"
RULES = yaml.safe_load((MONITORING / "rules.yml").read_text(encoding="utf-8"))["groups"][0]["rules"]
DASHBOARD = json.loads((MONITORING / "dashboard.json").read_text(encoding="utf-8"))
PAGE = (DOCS / "monitoring.md").read_text(encoding="utf-8")


def catalogue() -> set[str]:
    """Rockstate's metrics by docs/metrics.md, which a test of the provider's holds to the code, and Spark's."""
    page = (DOCS / "metrics.md").read_text(encoding="utf-8")
    own = re.findall(r"^\| `(rockstate\w+|forceSnapshotCount)` \|", page, re.MULTILINE)
    assert len(own) > 25
    return {*own, *SPARKS, *BATCHS}


def named_in(text: str) -> set[str]:
    return set(re.findall(r"spark_state_(\w+)", text))


@pytest.mark.parametrize("file", ["rules.yml", "rules_test.yml", "dashboard.json"])
def test_a_metric_that_is_named_exists(file: str) -> None:
    named = named_in((MONITORING / file).read_text(encoding="utf-8"))
    assert len(named) > 5
    assert named <= catalogue()


def test_counters_are_asked_for_their_increase_and_gauges_are_not() -> None:
    asked = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
    for expression in [*asked, *(rule["expr"] for rule in RULES if rule["alert"] != "StateSnapshotsSkipped")]:
        rates = set(re.findall(r"(?:rate|increase)\(spark_state_(\w+)", expression))
        assert named_in(expression) - rates <= LEVELS, expression
        assert not rates & LEVELS, expression


def test_every_level_exists_and_the_page_lists_the_alerts() -> None:
    assert catalogue() > LEVELS
    assert re.findall(r"^\| `(State\w+)` \|", PAGE, re.MULTILINE) == [rule["alert"] for rule in RULES]
    assert all(rule["annotations"]["summary"] and rule["annotations"]["description"] for rule in RULES)


def test_the_dashboard_has_what_grafana_wants() -> None:
    panels = DASHBOARD["panels"]
    assert [panel["id"] for panel in panels] == list(range(1, len(panels) + 1))
    assert len({(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels}) == len(panels)
    assert {variable["name"] for variable in DASHBOARD["templating"]["list"]} == {"datasource", "application", "query"}
    for panel in panels:
        assert panel["type"] == "timeseries" and panel["title"] and panel["description"]
        assert all(target["datasource"]["uid"] == "${datasource}" for target in panel["targets"])
        for asked in re.findall(r"spark_state_\w+(\{.*?\})?", " ".join(target["expr"] for target in panel["targets"])):
            assert asked == '{application=~"$application",query=~"$query"}'


def test_every_alert_names_a_section_that_says_what_to_do() -> None:
    for rule in RULES:
        page, _, anchor = rule["annotations"]["runbook"].partition("#")
        assert anchor in anchors(DOCS.parent / page), rule["alert"]


def has_all(read: Any, written: Any) -> bool:
    if isinstance(written, dict):
        return isinstance(read, dict) and all(name in read and has_all(read[name], written[name]) for name in written)
    if isinstance(written, list):
        return isinstance(read, list) and len(read) == len(written) and all(map(has_all, read, written))
    return bool(read == written)


def test_grafanas_own_types_have_a_place_for_all_of_the_dashboard() -> None:
    pytest.importorskip("grafana_foundation_sdk", reason="it wants Python 3.11")
    from grafana_foundation_sdk.cog import plugins
    from grafana_foundation_sdk.cog.encoder import JSONEncoder
    from grafana_foundation_sdk.models.dashboard import Dashboard

    plugins.register_default_plugins()
    assert has_all(json.loads(JSONEncoder().encode(Dashboard.from_json(DASHBOARD))), DASHBOARD)
    misspelt = {**DASHBOARD, "panels": [{**DASHBOARD["panels"][0], "descripton": "no such field"}]}
    assert not has_all(json.loads(JSONEncoder().encode(Dashboard.from_json(misspelt))), misspelt)


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool comes with Prometheus")
def test_promtool_is_content() -> None:
    for command in (["check", "config", "prometheus.yml"], ["test", "rules", "rules_test.yml"]):
        done = subprocess.run(["promtool", *command], cwd=MONITORING, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


class Kept:
    """A source that keeps what it is told."""

    def __init__(self) -> None:
        self.values: dict[str, int] = {}

    def set(self, metric: str, value: int) -> None:
        self.values[metric] = value

    def add(self, metric: str, amount: int) -> None:
        self.values[metric] = self.values.get(metric, 0) + amount

    def remove(self, prefix: str) -> None:
        self.values = {name: value for name, value in self.values.items() if not name.startswith(prefix)}


class Event:
    """An event of Spark's, of a query's progress or end."""

    def __init__(self, progress: dict[str, Any]) -> None:
        self.progress, self.runId = self, progress["runId"]
        self.json = json.dumps(progress)


def progress_of(name: str | None, **custom: int) -> dict[str, Any]:
    operator = {"numRowsTotal": 7, "numRowsUpdated": 2, "memoryUsedBytes": 9, "customMetrics": custom}
    ids = {"id": "an-id", "runId": f"run of {name}", "name": name}
    return {**ids, "durationMs": {"triggerExecution": 30}, "stateOperators": [operator]}


@pytest.fixture
def metrics(monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Kept]:
    kept = Kept()
    monkeypatch.setattr("rockstate.progress.state_metrics.MetricsSource", lambda name: kept)
    return StateMetrics(), kept


def test_what_is_of_one_batch_is_added_up_and_a_level_is_the_last(metrics: tuple[Any, Kept]) -> None:
    listener, kept = metrics
    for lag in (3, 4):
        listener.onQueryProgress(Event(progress_of("q", rockstatePutCount=2, rockstateDeltasSinceSnapshot=lag)))
    assert kept.values == {
        "q.operator0.batches": 2,
        "q.operator0.batchMs": 60,
        "q.operator0.numRowsTotal": 7,
        "q.operator0.memoryUsedBytes": 9,
        "q.operator0.numRowsUpdated": 4,
        "q.operator0.rockstatePutCount": 4,
        "q.operator0.rockstateDeltasSinceSnapshot": 4,
    }


def test_a_query_that_ends_takes_its_metrics_along_and_no_others(metrics: tuple[Any, Kept]) -> None:
    listener, kept = metrics
    for name in ("q", "q2", "q.b", None):
        listener.onQueryProgress(Event(progress_of(name)))
    listener.onQueryTerminated(Event(progress_of("q")))
    listener.onQueryTerminated(Event(progress_of("never seen")))
    assert {name.partition(".operator")[0] for name in kept.values} == {"q2", "q.b", "an-id"}


def test_metrics_of_which_nothing_is_known_are_left_out() -> None:
    progress = progress_of("q", rocksdbTotalBytesInUse=1, rockstateGetCount=2, forceSnapshotCount=3)
    progress["stateOperators"][0]["customMetrics"]["SnapshotLastUploaded.partition_3_default"] = 4
    assert {metric for _, metric, _ in figures_of(progress)} <= catalogue()
