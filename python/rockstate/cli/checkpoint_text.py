"""What `rockstate inspect` and `verify` print: a summary that fits 80 columns, and all of it if that is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rockstate.base.units import bytes_text
from rockstate.cli.tables import add_number
from rockstate.cli.wrapping import wrapped
from rockstate.inspection.findings import DEFAULT_STORE, Operator, Store, count_text
from rockstate.inspection.roots import name_of, roots_of, verdict
from rockstate.inspection.standing_out import mean_text, standing_out
from rockstate.inspection.summary import Summary

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

#: Of more stores than these only those are shown that stand out, so many of them.
_ALL_OF = 10
_SHOWN = 5

_REPLAYED = "deltas to\nreplay"
_WRONG, _LEFT_OVER = "red", "yellow"


def show(summary: Summary, shows_all: bool) -> None:
    """Prints it; of many stores and problems the worst, unless it `shows_all`."""
    from rockstate.base.console import Console

    console = Console(highlight=False, markup=False)  # names may look like markup
    console.print(summary.location, style="bold", soft_wrap=True)
    console.print(f"provider {summary.provider or 'unknown'}", soft_wrap=True)
    console.print(
        f"batches planned to {_or_none(summary.last_planned)}, committed to {_or_none(summary.last_committed)}"
    )
    for operator in summary.operators:
        console.print()
        console.print(operator.title, style="bold", soft_wrap=True)
        is_writing = summary.last_planned != summary.last_committed
        console.print(_totals(operator, is_writing))
        if shows_all or len(operator.stores) <= _ALL_OF:
            for name, stores in operator.by_name.items():
                console.print(_whole(name, stores))
        else:
            found = standing_out(operator.by_name.values(), is_writing, _SHOWN)
            if found:
                console.print(_worst(found))
            none = "" if found else ", and none stands out"
            console.print(f"{len(operator.stores):,} stores{none}; --all shows each")
    console.print()
    _print_problems(console, summary, shows_all)
    console.print(verdict(summary), style=_WRONG if not summary.is_sound else "")


def _totals(operator: Operator, is_writing: bool) -> str:
    """What its stores come to, in words; while a batch `is_writing` temporary files may be its."""
    stores = operator.stores
    size = bytes_text(sum(store.bytes for store in stores))
    lags = [store.snapshot_lag for store in stores if store.snapshot_lag is not None]
    replayed = f"; a recovery replays {mean_text(lags, 'delta')} a store, at most {max(lags):,}" if lags else ""
    orphans = sum(store.orphans.files for store in stores)
    what = "file is" if orphans == 1 else "files are"
    writing = f"; {orphans:,} {what} being written or left over" if orphans else ""
    left = f"; {count_text(orphans, 'orphan')}" if orphans else ""
    return f"{count_text(len(stores), 'store')}, {size}{replayed}{writing if is_writing else left}"


def _worst(shown: Sequence[tuple[Store, list[str]]]) -> Table:
    orphans = _orphans([store for store, _ in shown])
    table = _table("store", ("rows", "size", _REPLAYED, *orphans), "stands out by")
    for store, reasons in shown:
        name = f"{store.partition}" if store.name == DEFAULT_STORE else f"{store.partition} {store.name}"
        figures = (_number(store.rows), bytes_text(store.bytes), _number(store.snapshot_lag))
        table.add_row(name, *figures, *_left_over(store, orphans), ", ".join(reasons))
    return table


def _whole(name: str, stores: Sequence[Store]) -> Table:
    orphans = _orphans(stores)
    table = _table("partition", ("rows", "size", "deltas", "snapshots", _REPLAYED, *orphans), "versions")
    table.title = None if name == DEFAULT_STORE else f"store {name}"
    table.title_justify = "left"
    for store in stores:
        table.add_row(
            f"{store.partition} (former)" if store.former else str(store.partition),
            _number(store.rows),
            bytes_text(store.bytes),
            f"{store.deltas.files:,}",
            f"{store.snapshots.files:,}",
            _number(store.snapshot_lag),
            *_left_over(store, orphans),
            store.versions_text,
            style=_WRONG if store.problems else None,
        )
    return table


def _table(first: str, numbers: Sequence[str], last: str) -> Table:
    """Numbers are never cut: what is narrow on the terminal is the last column's."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(first, overflow="fold")
    for head in numbers:
        add_number(table, head)
    table.add_column(last, overflow="fold", min_width=len(last))
    return table


def _orphans(stores: Sequence[Store]) -> list[str]:
    """The column's head, if there are any."""
    return ["orphans"] if any(store.orphans.files for store in stores) else []


def _left_over(store: Store, heads: Sequence[str]) -> list[Text]:
    from rich.text import Text

    return [Text(f"{store.orphans.files:,}" if store.orphans.files else "", _LEFT_OVER) for _ in heads]


def _print_problems(console: Console, summary: Summary, shows_all: bool) -> None:
    roots = roots_of(summary)
    for root in roots if shows_all else roots[:_SHOWN]:
        _print_problem(console, root.uri, (root.problem.problem, root.problem.remedy, root.consequences))
        if shows_all:
            for problem in root.follows:
                _print_problem(console, name_of(problem), (problem.problem,), "  ")
    more = len(roots) - _SHOWN
    if more > 0 and not shows_all:
        console.print(f"and {more:,} more; --all shows each", style=_WRONG)


def _print_problem(console: Console, name: str, sentences: Sequence[str], indent: str = "") -> None:
    from rich.text import Text

    console.print(Text(f"{indent}{name}", _WRONG), soft_wrap=True)
    for sentence in filter(None, sentences):
        console.print(wrapped(f"{sentence.rstrip('.')}.", f"{indent}  "), soft_wrap=True)


def _number(number: int | None) -> str:
    return "?" if number is None else f"{number:,}"


def _or_none(batch: int | None) -> str:
    return "none" if batch is None else str(batch)
