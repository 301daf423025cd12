"""Which of many stores are far from the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rockstate.inspection.findings import Store

#: A figure stands out that is so many times the mean of the stores of its name, and no less than `_LEAST`.
TIMES = 1.5

_FIGURES: dict[str, Callable[[Store], int]] = {
    "problems": lambda store: len(store.problems),
    "deltas": lambda store: store.snapshot_lag or 0,
    "rows": lambda store: store.rows or 0,
    "size": lambda store: store.bytes,
    "orphans": lambda store: store.orphans.files,
}
#: Below it nobody needs to care. Of what should not be there at all each is one too many.
_LEAST = {"deltas": 20, "rows": 1000, "size": 2**20}


def standing_out(by_name: Iterable[Sequence[Store]], is_writing: bool, shown: int) -> list[tuple[Store, list[str]]]:
    """The stores that stand out among those of their name, no more than `shown`, and by what.

    The first of each figure, then the second of each, and so on. While a batch `is_writing`, orphans may be its files.
    """
    ranked = {reason: _ranked(reason, [*by_name]) for reason in _FIGURES if not (is_writing and reason == "orphans")}
    found: dict[tuple[int, str], tuple[Store, list[str]]] = {}
    for rank in range(shown):
        for reason, stores in ranked.items():
            if rank < len(stores) and (len(found) < shown or _place(stores[rank]) in found):
                store = stores[rank]
                found.setdefault(_place(store), (store, []))[1].append(reason)
    return list(found.values())


def is_far(value: float, mean: float, least: float = 0) -> bool:
    """Whether a figure stands out."""
    return value >= max(TIMES * mean, least) and value > 0


def mean_text(numbers: Sequence[int], what: str) -> str:
    """The mean in words, such as `1 delta` or `2.5 deltas`."""
    mean = f"{sum(numbers) / len(numbers):,.1f}".removesuffix(".0")
    return f"{mean} {what}{'' if mean == '1' else 's'}"


def _ranked(reason: str, by_name: Sequence[Sequence[Store]]) -> list[Store]:
    """Those that stand out by it, the farthest first."""
    figure = _FIGURES[reason]
    found = []
    for stores in by_name:
        mean = sum(map(figure, stores)) / len(stores) if reason in _LEAST else 0
        found += [store for store in stores if is_far(figure(store), mean, _LEAST.get(reason, 1))]
    return sorted(found, key=figure, reverse=True)


def _place(store: Store) -> tuple[int, str]:
    return store.partition, store.name
