"""What the JVM answers about a checkpoint, as findings."""

from __future__ import annotations

from typing import Any

from rockstate.inspection.findings import FILE_KINDS, Files, Problem, Store


def problems_of(report: dict[str, Any]) -> tuple[Problem, ...]:
    """What the JVM's answer says is wrong."""
    return tuple(Problem(p["file"], p.get("version"), p["problem"], p["remedy"]) for p in report["problems"])


def store_of(operator: dict[str, Any], place: dict[str, Any], report: dict[str, Any]) -> Store:
    """A store from the JVM's answers."""
    newest = report.get("newest")
    families = {family["name"]: family["rows"] for family in newest["columnFamilies"]} if newest else {}
    visible = [family["rows"] for family in newest["columnFamilies"] if not family["isInternal"]] if newest else []
    former = place["isFormer"]
    loadable = tuple((versions["first"], versions["last"]) for versions in report["loadable"])
    is_empty = report["isVerified"] and not loadable and not report["problems"]
    return Store(
        operator_id=operator["operatorId"],
        operator=operator.get("name"),
        partition=place["partition"],
        name=place["name"],
        location=place["location"],
        loadable=loadable,
        newest=loadable[-1][1] if loadable else None,
        rows=0 if former or is_empty else sum(visible) if newest else None,
        families={} if former else families,
        newest_snapshot=report.get("newestSnapshot"),
        problems=problems_of(report),
        verified=report["isVerified"],
        former=former,
        **{kind: Files(**report[kind]) for kind in FILE_KINDS},
    )
