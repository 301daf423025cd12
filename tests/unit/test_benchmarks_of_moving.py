"""What the benchmark of moving checkpoints makes of its figures."""

from __future__ import annotations

from typing import Any

from benchmarks import moving


def measured(way: str, number: int, seconds: float, cpu: float) -> dict[str, Any]:
    return {"way": way, "round": number, "seconds": seconds, "cpu_s": cpu}


def test_a_way_is_compared_with_spark_within_a_round() -> None:
    figures = [
        *(measured(moving.SPARKS_OWN, number, 9, cpu) for number, cpu in enumerate((10, 20, 40), start=1)),
        *(measured("ours", number, seconds, 10) for number, seconds in enumerate((3, 1, 2), start=1)),
    ]
    assert moving.table(figures).splitlines()[2:] == [
        f"| {moving.SPARKS_OWN} | 9.0 to 9.0 | 10.0 to 40.0 | 1.00 |",
        "| ours | 1.0 to 3.0 | 10.0 to 10.0 | 0.50 |",
    ]


def test_without_a_figure_of_spark_there_is_no_ratio() -> None:
    assert moving.table([measured("ours", 1, 3, 4)]).endswith("| ours | 3.0 to 3.0 | 4.0 to 4.0 | - |")


def test_every_provider_is_moved_by_some_way() -> None:
    assert {way.provider for way in moving.WAYS.values()} == {"rocksdb", "rockstate", "hdfs"}
