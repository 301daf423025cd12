"""Writes what a checkpoint's stores hold as one HTML file: no script, no link, nothing that is not escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

from rockstate.base.errors import Misuse
from rockstate.base.units import bytes_text
from rockstate.drawing.bar_chart import Bar, svg
from rockstate.inspection.findings import FILE_KINDS, Findings, Operator, Store
from rockstate.inspection.roots import Root, roots_of, verdict

#: So many stores are shown at once; the table of more is folded.
_UNFOLDED = 20

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em; color: #222 }
h2 { margin: 1.6em 0 .3em } h3 { margin: .9em 0 .3em; font-weight: 600 }
table { border-collapse: collapse } th, td { padding: .15em .8em; border-bottom: 1px solid #ddd; text-align: right }
th:first-child, td:first-child, .text td, .text th { text-align: left }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(24em, 1fr)); gap: 1em }
figure { margin: 0 } figcaption { font-size: 13px } svg { width: 100%; height: 7em; background: #f6f6f6 }
.axis { display: flex; justify-content: space-between; font-size: 12px; color: #666 }
.deltas, .rows { --c: #1f77b4 } .snapshots { --c: #ff7f0e } .tables { --c: #2ca02c } .orphans { --c: #d62728 }
.others { --c: #9467bd } .wrong { --c: #d62728 } rect { fill: var(--c) }
.key i { display: inline-block; width: .8em; height: .8em; background: var(--c) } .key span { margin-right: 1.2em }
.bad { color: #b00020 } .good { color: #1b7f3b }
b { font-weight: 600 }
"""


def write(findings: Findings, path: Path) -> None:
    """Writes the page. Raises Misuse if that cannot be."""
    try:
        path.write_text(page(findings), encoding="utf-8", errors="xmlcharrefreplace")
    except OSError as error:
        remedy = "Name a file in a folder that can be written"
        raise Misuse(f"{path} cannot be written ({error.strerror})", remedy) from error


def page(findings: Findings) -> str:
    """The whole page."""
    title = escape(f"State of {findings.location}")
    operators = "".join(_operator(operator) for operator in findings.operators)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head>\n"
        f"<body><h1>{title}</h1>\n{_facts(findings)}\n{_problems(findings)}\n{_key()}\n{operators}</body></html>\n"
    )


def _key() -> str:
    kinds = {**{kind: kind for kind in FILE_KINDS}, "wrong": "versions of a store with problems"}
    shown = (f'<span><i class="{kind}"></i> {text}</span>' for kind, text in kinds.items())
    return f'<p class="key">{"".join(shown)}</p>'


def _facts(findings: Findings) -> str:
    stores = findings.stores
    is_proven = findings.is_sound and stores and all(store.verified for store in stores)
    kind = "bad" if not findings.is_sound else "good" if is_proven else ""
    facts = {
        "provider": escape(findings.provider or "unknown"),
        "batches": f"planned to {_batch(findings.last_planned)}, committed to {_batch(findings.last_committed)}",
        "stores": f"{len(stores):,} with {bytes_text(sum(store.bytes for store in stores))}",
        "state": f'<b class="{kind}">{escape(verdict(findings))}</b>' if kind else escape(verdict(findings)),
    }
    return _table((), ([name, value] for name, value in facts.items()), "text")


def _problems(findings: Findings) -> str:
    if findings.is_sound:
        return ""
    roots = roots_of(findings)
    rows = ([escape(root.uri), escape(_said(root)), escape(root.problem.remedy)] for root in roots)
    return '<h2 class="bad">Problems</h2>' + _table(("file", "problem", "remedy"), rows, "text")


def _said(root: Root) -> str:
    return f"{root.problem.problem.rstrip('.')}. {root.consequences}" if root.consequences else root.problem.problem


def _operator(operator: Operator) -> str:
    stores = "".join(_series(name, stores) for name, stores in operator.by_name.items())
    return f"<h2>{escape(operator.title)}</h2>\n{stores}"


def _series(name: str, stores: Sequence[Store]) -> str:
    """The stores of one name: a chart for each figure, and the figures as a table."""
    kinds = [store.kind for store in stores]
    charts = [
        _versions(stores),
        _stacked("files", stores, {kind: [of(kind).files for of in kinds] for kind in FILE_KINDS}, "{:,}".format),
        _stacked("size", stores, {kind: [of(kind).bytes for of in kinds] for kind in FILE_KINDS}, bytes_text),
        _stacked("rows", stores, {"rows": [store.rows for store in stores]}, "{:,}".format),
        _stacked("snapshot lag", stores, {"deltas": [store.snapshot_lag for store in stores]}, "{:,}".format),
    ]
    table = _table(_COLUMNS, (_cells(store) for store in stores))
    folded = "" if len(stores) > _UNFOLDED else " open"
    return (
        f'<h3>Store {escape(name)}</h3>\n<div class="charts">\n{"".join(charts)}</div>\n'
        f"<details{folded}><summary>{len(stores):,} partitions</summary>\n{table}</details>\n"
    )


def _versions(stores: Sequence[Store]) -> str:
    bars = [
        Bar(
            store.partition,
            first - 1,
            last,
            "wrong" if store.problems else "rows",
            f"{store.partition}: {first}-{last}",
        )
        for store in stores
        for first, last in store.loadable
    ]
    low, high = min((bar.low for bar in bars), default=0), max((bar.high for bar in bars), default=0)
    return svg(f"loadable versions from {low + 1:,.0f}", bars, low, high, f"{high:,.0f}")


def _stacked(
    title: str, stores: Sequence[Store], layers: Mapping[str, Sequence[int | None]], text: Callable[[int], str]
) -> str:
    """One bar a store, its layers on top of each other; what is not known has none."""
    floor = [0] * len(stores)
    bars = []
    for kind, values in layers.items():
        for at, (store, value) in enumerate(zip(stores, values, strict=True)):
            if value:
                tip = f"{store.partition}: {text(value)} {kind}"
                bars.append(Bar(store.partition, floor[at], floor[at] + value, kind, tip))
                floor[at] += value
    known = any(value is not None for values in layers.values() for value in values)
    return svg(title, bars, 0, max(floor, default=0), text(max(floor, default=0)) if known else "?: not known")


_COLUMNS = ("partition", "versions", "rows", *FILE_KINDS, "size", "snapshot lag", "problems")


def _cells(store: Store) -> list[str]:
    return [
        str(store.partition),
        escape(store.versions_text),
        _text(store.rows),
        *(f"{store.kind(kind).files:,}" for kind in FILE_KINDS),
        bytes_text(store.bytes),
        _text(store.snapshot_lag),
        f'<b class="bad">{len(store.problems)}</b>' if store.problems else "",
    ]


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "numbers") -> str:
    """The cells are HTML, escaped before."""
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>\n" for row in rows)
    return f'<table class="{kind}">{f"<tr>{head}</tr>" if heads else ""}\n{body}</table>'


def _text(number: int | None) -> str:
    return "?" if number is None else f"{number:,}"


def _batch(number: int | None) -> str:
    return "none" if number is None else str(number)
