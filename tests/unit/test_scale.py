"""Requests at scale: what is counted, what is made of it, and the simulated cluster."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.scale import costs, page, tables
from benchmarks.scale.recovery import Network, Store, seconds_to_recover
from benchmarks.scale.requests import Request, area, request_of, tally
from benchmarks.scale.scenarios import Scenario, scenarios, simulate
from benchmarks.scale.simulation import Cluster, Figures, Settings, Simulation, stored_bytes, uploaded_a_day
from benchmarks.scale.split import mean, parts

ROOT = Path(__file__).parents[2]
QUIET = Cluster(executors=10, failures_a_day=0, strays_a_day=0, night_share=1, days=2)
SMALL = Settings(partitions=40, state_bytes=40e6, changed_bytes_a_second=40_000, records_a_second=400)
AT_ONCE = Network(bytes_a_second=1e6, latency=0, fetch_threads=1, cores=1)


def asked(method: str, path: str = "/b/k", query: str = "", body: str = "", **headers: str) -> Request:
    environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query, **headers}
    return request_of(environ, body.encode())


def kind(method: str, path: str = "/b/k", query: str = "", **headers: str) -> str:
    return asked(method, path, query, **headers).kind


def test_requests_are_told_apart_as_s3_does() -> None:
    assert [kind(each) for each in ("PUT", "GET", "HEAD", "DELETE")] == ["PUT", "GET", "HEAD", "DELETE"]
    assert kind("PUT", HTTP_X_AMZ_COPY_SOURCE="/b/other") == "COPY"
    assert kind("GET", "/b", "list-type=2&prefix=a%2F") == "LIST"
    keys = "<Object><Key>a&amp;b/1</Key></Object><Object><Key>c</Key></Object>"
    assert asked("POST", "/b", "delete", keys) == Request("BULK_DELETE", "a&b/1", keys=2)
    for method, query in (("POST", "uploads"), ("PUT", "partNumber=1&uploadId=x"), ("POST", "uploadId=x")):
        assert kind(method, query=query) == "MULTIPART"


def test_a_request_names_its_key_and_the_call_that_made_it() -> None:
    referer = "https://audit/hadoop/1/op_rename/00000001/?op=op_rename&p1=x&t0=17"
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/b", "QUERY_STRING": "list-type=2&prefix=a%2Fb%2F"}
    found = request_of({**environ, "HTTP_REFERER": referer})
    assert found == Request("LIST", "a/b/", "op_rename")
    assert Request.parse(found.line) == found


def test_a_key_belongs_to_a_store_or_to_the_driver() -> None:
    inside = {
        "state/0/17/5.delta": "store",
        "state/0/17": "store",
        "state/0/_metadata/v2": "state",
        "state/0/0/_metadata/schema": "state",
        "offsets/3": "offsets",
        ".metadata.1.tmp": "metadata.1.tmp",
        "": "checkpoint",
    }
    assert {key: area(f"q/checkpoint/{key}") for key in inside} == inside


def test_requests_are_counted_by_area_and_kind() -> None:
    requests = [Request("PUT", "q/checkpoint/offsets/1"), Request("PUT", "q/checkpoint/offsets/2")]
    requests += [Request("HEAD", "q/checkpoint/state/0/1/x")]
    assert tally(requests) == {"offsets": {"PUT": 2}, "store": {"HEAD": 1}}
    assert mean([requests, requests[:1]]) == {"offsets": {"PUT": 1.5}, "store": {"HEAD": 0.5}}


def test_maintenance_is_cut_after_the_last_write() -> None:
    snapshot = [
        Request("PUT", "a", "op_create"),
        Request("COPY", "b", "op_rename"),
        Request("DELETE", "a", "op_rename"),
    ]
    looking = [Request("LIST", "", "op_list_status")]
    deleting = [Request("HEAD", "x", "op_delete"), Request("DELETE", "x", "op_delete")]
    found = parts([*snapshot, *looking, *deleting])
    assert (found.snapshot, found.looking, found.deleting, found.deleted) == (snapshot, looking, deleting, 1)
    assert parts(looking).snapshot == []
    at_once = Request("BULK_DELETE", "x", "op_bulk_delete", keys=5)
    found = parts([*snapshot, *looking, at_once])
    assert (found.looking, found.deleting, found.deleted) == ([*looking, at_once], [], 5)


COUNTED = {
    "stores": 1,
    "batch": {"offsets": {"PUT": 2, "GET": 10}, "store": {"PUT": 8}},
    "snapshot": {"store": {"PUT": 2}},
    "clean_up_fixed": {"store": {"LIST": 1}},
    "clean_up_deletes": {"store": {"DELETE": 6}},
    "deleted_files": 6,
}


def test_a_batch_costs_its_driver_its_partitions_and_their_maintenance() -> None:
    setup = costs.Setup(partitions=100, interval=60)
    assert (setup.snapshot_every, setup.clean_up_every) == (10, 30)
    # The driver's 2 PUT, 4 of each partition, a tenth of a snapshot, and a 30th of a clean-up's listing.
    requests = costs.batch(COUNTED, 2, setup)
    assert requests["PUT"] == pytest.approx(2 + 100 * (4 + 0.2))
    assert requests["LIST"] == pytest.approx(100 / 30)
    assert requests["DELETE"] == pytest.approx(100 * 1.2)


def test_a_bulk_delete_is_one_request_that_fills_a_prefix_with_each_of_its_files() -> None:
    setup = costs.Setup(partitions=100, interval=60)
    at_once = {**COUNTED, "clean_up_fixed": {"store": {"LIST": 1, "BULK_DELETE": 2}}, "clean_up_deletes": {}}
    requests = costs.batch(at_once, 2, setup)
    assert requests["BULK_DELETE"] == pytest.approx(100 * 2 / 30) and "DELETE" not in requests
    assert requests[costs.BULK_KEY] == pytest.approx(100 * 1.2)
    assert costs.per_second({"PUT": 10, "BULK_DELETE": 2, costs.BULK_KEY: 90}, 1) == 12
    assert costs.prefixes({"PUT": 3400, "BULK_DELETE": 2, costs.BULK_KEY: 100}, 1) == 1


def test_snapshots_wait_for_maintenance() -> None:
    assert [costs.Setup(1, each).snapshot_every for each in (1, 10, 60)] == [60, 12, 10]


def test_dollars_count_writes_and_reads_and_no_deletes() -> None:
    assert costs.dollars({"PUT": 500, "LIST": 500, "GET": 1000, "HEAD": 1000, "DELETE": 9e9}) == pytest.approx(0.0058)
    assert costs.dollars_a_day({"PUT": 1000}, 10) == pytest.approx(0.005 * 8640)
    assert costs.prefixes({"PUT": 3500, "DELETE": 3500, "LIST": 5500}, 1) == 2


def test_a_recovery_takes_its_transfer_its_answers_and_its_replay() -> None:
    store = Store(state_bytes=8e6, delta_bytes=1e5, delta_records=1e5)
    assert seconds_to_recover([(8e6, 0)], store, AT_ONCE) == pytest.approx(8)
    assert seconds_to_recover([(8e6, 10)], store, AT_ONCE) == pytest.approx(8 + 10 * 1e5 * 2e-6)
    slow = replace(AT_ONCE, latency=0.1)
    assert seconds_to_recover([(0, 5)], replace(store, delta_records=0), slow) == pytest.approx((8 + 10) * 0.1)


def test_a_snapshot_is_due_when_deltas_weigh_as_much() -> None:
    store = Store(state_bytes=100 * (1e5 + (128 << 10)), delta_bytes=1e5, delta_records=1, maintenance_batches=1)
    assert store.snapshot_every == 100
    assert replace(store, state_bytes=1e12).snapshot_every == 1000
    assert replace(store, state_bytes=1e12, delta_records=1e6).snapshot_every == 10
    assert replace(store, state_bytes=1000).snapshot_every == 10
    assert replace(store, maintenance_batches=60).snapshot_every == 120


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("settings", [SMALL, replace(SMALL, warm_restart=False, partitions=400)])
def test_where_nothing_fails_nothing_moves(seed: int, settings: Settings) -> None:
    figures = Simulation(QUIET, settings, seed).run()
    assert (figures.moves, figures.moved_bytes, figures.delays) == (0, 0, [])


def test_the_same_seed_gives_the_same_figures() -> None:
    busy = replace(QUIET, failures_a_day=20, strays_a_day=20, night_share=0.5)
    runs = [Simulation(busy, SMALL, seed).run() for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]


def test_a_failed_executor_moves_its_partitions_cold() -> None:
    figures = Simulation(replace(QUIET, executors=40, failures_a_day=1), replace(SMALL, min_deltas=1), seed=1).run()
    assert figures.warm == 0
    # A partition moves with its snapshot of 1 MB, and with fewer deltas than there are between two.
    assert figures.moves * 1e6 <= figures.moved_bytes <= figures.moves * 2e6


def test_what_strays_comes_back_warm() -> None:
    straying = replace(QUIET, strays_a_day=50)
    warm = Simulation(straying, SMALL, seed=3).run()
    cold = Simulation(straying, replace(SMALL, warm_restart=False), seed=3).run()
    assert (cold.warm, warm.moves) == (0, cold.moves)
    assert warm.warm >= warm.moves / 2
    assert warm.moved_bytes < cold.moved_bytes * 0.6


def test_a_smaller_cluster_at_night_moves_the_share_that_goes() -> None:
    figures = Simulation(replace(QUIET, night_share=0.5, days=1), SMALL, seed=1).run()
    assert figures.moves == 20
    assert len(figures.delays) == 1


def test_retained_versions_are_stored_and_all_changes_uploaded() -> None:
    every = Store(1e6, 10_000, 100).snapshot_every
    assert every == 12
    assert stored_bytes(SMALL) == pytest.approx(40 * ((100 + 24) * 10_000 + (2 + 8) * 1e6))
    assert uploaded_a_day(SMALL) == pytest.approx(8640 * 40 * (10_000 + 1e6 / 12))
    assert stored_bytes(replace(SMALL, retained=20)) < stored_bytes(SMALL)


def test_a_query_is_behind_only_by_what_a_batch_cannot_spare() -> None:
    figures = Figures(delays=[1.0, 3.0, 6.0])
    assert figures.behind(replace(SMALL, interval=10, busy_share=0.7)) == pytest.approx([10.0])


def test_a_deeper_pool_of_fetches_waits_less() -> None:
    narrow, wide = (simulate(Scenario("x", SMALL, QUIET, threads), AT_ONCE) for threads in (4, 16))
    assert narrow == wide
    store = Store(state_bytes=0, delta_bytes=0, delta_records=0)
    slow = Network(latency=0.1, requests=0, delta_requests=1)
    assert seconds_to_recover([(0, 16)], store, replace(slow, fetch_threads=16)) == pytest.approx(0.1)
    assert seconds_to_recover([(0, 16)], store, replace(slow, fetch_threads=4)) == pytest.approx(0.4)


def test_every_scenario_but_the_first_changes_something() -> None:
    first, *others = scenarios()
    assert all((each.settings, each.cluster, each.fetch_threads) != _chosen(first) for each in others)
    assert len({each.name for each in others}) == len(others)


def _chosen(scenario: Scenario) -> tuple[Settings, Cluster, int]:
    return scenario.settings, scenario.cluster, scenario.fetch_threads


def test_the_page_is_made_from_the_figures_beside_it() -> None:
    written, data = ((ROOT / path).read_text("utf-8") for path in (page.PAGE, page.DATA))
    assert page.filled(written, json.loads(data)) == written


def test_what_is_not_marked_stays() -> None:
    with pytest.raises(KeyError):
        page.filled("<!-- begin nothing -->\n<!-- end nothing -->", {})
    assert page.filled("as it is\n", {}) == "as it is\n"


@pytest.mark.parametrize(
    ("value", "text"), [(12345.6, "12,346"), (12.34, "12.3"), (3.0, "3"), (0.126, "0.13"), (0, "0")]
)
def test_a_figure_has_as_many_digits_as_a_reader_needs(value: float, text: str) -> None:
    assert tables.number(value) == text
