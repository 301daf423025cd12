"""Tables on a terminal of which nothing is cut: their names are given to other commands."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table


def table(*heads: str, numbers: Collection[str] = ()) -> Table:
    """A column under each head. Text that is too long goes on in the next line; `numbers` stay in one."""
    from rich.table import Table

    made = Table()
    for head in heads:
        if head in numbers:
            add_number(made, head)
        else:
            made.add_column(head, overflow="fold")
    return made


def add_number(to: Table, head: str) -> None:
    """A column of numbers, which are never cut, nor is its head."""
    to.add_column(head, justify="right", no_wrap=True, min_width=max(map(len, head.split("\n"))))
