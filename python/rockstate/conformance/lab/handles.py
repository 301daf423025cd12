"""Which executors of a lab are open, and which stores on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Request: TypeAlias = dict[str, Any]

_BEGINNING = ("begin", "begin_read", "replay", "replay_read")
_ENDING = ("commit", "abort", "release")


class Handles:
    """Follows what is asked of the driver, so that no store is open when its executor is closed, as in a cluster."""

    def __init__(self) -> None:
        self._stores: dict[str, set[str]] = {}
        self._failed: set[str] = set()

    def note(self, request: Mapping[str, Any], *, has_failed: bool) -> None:
        """Takes notice of a request and of whether it failed."""
        op, store = request["op"], request.get("store", "")
        if op == "provider_close":
            self._stores.pop(request["provider"], None)
        elif has_failed:
            self._failed.add(store)
        elif op == "provider_open":
            self._stores[request["provider"]] = set()
        elif op in _BEGINNING:
            self._stores[request["provider"]].add(store)
        elif op == "upgrade":
            self._stores[request["provider"]].add(request["as"])
        if op == "abort" or (op in (*_ENDING, "upgrade") and not has_failed):
            for stores in self._stores.values():
                stores.discard(store)

    def closing(self, executor: str) -> list[Request]:
        """What closes an executor: its open stores are aborted first. Nothing if it is not open."""
        if executor not in self._stores:
            return []
        aborts: list[Request] = [{"op": "abort", "store": store} for store in sorted(self._stores[executor])]
        return [*aborts, {"op": "provider_close", "provider": executor}]

    def closing_all(self) -> list[Request]:
        """What closes every executor."""
        return [request for executor in self._stores for request in self.closing(executor)]

    def giving_up(self) -> list[Request]:
        """What aborts the stores on which a call failed."""
        stores = [store for open_ones in self._stores.values() for store in open_ones if store in self._failed]
        return [{"op": "abort", "store": store} for store in stores]

    def forget(self) -> None:
        """Takes notice that a crash has ended every executor."""
        self._stores.clear()
