"""Which setting helps: the simulated cluster with one thing changed at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

from benchmarks.scale.recovery import Network
from benchmarks.scale.simulation import Cluster, Settings, Simulation, store_of, stored_bytes, uploaded_a_day

SEED = 22


@dataclass(frozen=True)
class Scenario:
    """What is different, in a user's words."""

    name: str
    settings: Settings = field(default_factory=Settings)
    cluster: Cluster = field(default_factory=Cluster)
    fetch_threads: int = 8


def scenarios() -> Iterator[Scenario]:
    """The first one is what the others differ from."""
    usual = Settings()
    yield Scenario("as it comes")
    yield Scenario("`warm_restart_disk=0`", replace(usual, warm_restart=False))
    yield Scenario("`warm_restart_folder` on a disk that outlives the executor", replace(usual, keeps_folder=True))
    yield Scenario("`fetch_threads=4`", fetch_threads=4)
    yield Scenario("`fetch_threads=16`", fetch_threads=16)
    yield Scenario("`min_deltas_for_snapshot=1000`", replace(usual, min_deltas=1_000))
    yield Scenario("`maintenance_interval=10min`", replace(usual, maintenance=600))
    yield Scenario("1,000 partitions", replace(usual, partitions=1_000))
    yield Scenario("10,000 partitions", replace(usual, partitions=10_000))
    yield Scenario("`spark.locality.wait` so long that a tenth strays", replace(usual, locality_wait_factor=0.1))
    yield Scenario("no executors are given up at night", cluster=Cluster(night_share=1))
    yield Scenario("`min_batches_to_retain=20`", replace(usual, retained=20))
    yield Scenario("a batch every minute", replace(usual, interval=60))


def simulate(scenario: Scenario, network: Network) -> dict[str, Any]:
    """The figures of one scenario, by the day."""
    settings, cluster = scenario.settings, scenario.cluster
    figures = Simulation(cluster, settings, SEED, replace(network, fetch_threads=scenario.fetch_threads)).run()
    delays, behind = sorted(figures.delays), figures.behind(settings)
    return {
        "name": scenario.name,
        "moves_a_day": round(figures.moves / cluster.days),
        "warm_share": round(figures.warm / max(figures.moves, 1), 3),
        "moved_gb_a_day": round(figures.moved_bytes / cluster.days / 1e9, 1),
        "delay_median_s": round(median(delays or [0]), 2),
        "delay_worst_s": round(max(delays, default=0), 1),
        "late_a_day": round(len(behind) / cluster.days, 1),
        "behind_worst_s": round(max(behind, default=0), 1),
        "behind_a_day_s": round(sum(behind) / cluster.days),
        "snapshot_every": store_of(settings).snapshot_every,
        "stored_gb": round(stored_bytes(settings) / 1e9),
        "uploaded_gb_a_day": round(uploaded_a_day(settings) / 1e9),
    }


def simulate_all(network: Network) -> list[dict[str, Any]]:
    return [simulate(each, network) for each in scenarios()]
