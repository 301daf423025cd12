"""A table of rooms in Markdown, and whether a Python package holds to it."""

from __future__ import annotations

import configparser
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest
from importlinter.cli import lint_imports

Modules = Mapping[str, Sequence[str]]
"""The modules of a package by the folder that they are in, as dotted names."""


@dataclass(frozen=True)
class Room:
    """A row of the table: a folder, and the folders that its modules may import from."""

    name: str
    may_use: tuple[str, ...]


def table_under(heading: str, page: str) -> list[Room]:
    """The rows of the table that follows `heading` in a page, from the lowest room on."""
    _, found, after = page.partition(f"\n{heading}\n")
    assert found, f"the page has no heading {heading}"
    lines = after.partition("\n## ")[0].splitlines()
    rows = [line.strip("|").split("|") for line in lines if line.startswith("| `")]
    return [Room(name.strip(" `"), tuple(re.findall(r"`([^`]+)`", may_use))) for name, _, may_use in rows]


def modules_of(package: Path) -> dict[str, list[str]]:
    """Every module of a package by its folder."""
    found: dict[str, list[str]] = {}
    for file in sorted(package.rglob("*.py")):
        folder = ".".join(file.parent.relative_to(package.parent).parts)
        found.setdefault(folder, []).append(folder if file.stem == "__init__" else f"{folder}.{file.stem}")
    return found


def mistakes_in(rooms: Sequence[Room], modules: Modules) -> Iterator[str]:
    """What is wrong with the table itself: rows and folders that do not match, and ways that run back."""
    names = [room.name for room in rooms]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"two rows name {name}"
    for name in names:
        if name not in modules:
            yield f"{name} is in the table and has no module"
    for name in modules:
        if name not in names:
            yield f"{name} is in no row of the table"
    for at, room in enumerate(rooms):
        for used in room.may_use:
            if used not in names[:at]:
                yield f"{room.name} may use {used}, which is no row above it"


def write_contracts(rooms: Sequence[Room], modules: Modules, file: Path) -> None:
    """A contract for import-linter for each room: no module of it imports one of a room that it may not use."""
    config = configparser.ConfigParser()
    config["importlinter"] = {"root_package": rooms[0].name.partition(".")[0]}
    for room in rooms:
        others = [other.name for other in rooms if other.name not in (room.name, *room.may_use)]
        config[f"importlinter:contract:{room.name}"] = {
            "name": f"{room.name} uses only {', '.join(room.may_use) or 'nothing'}",
            "type": "forbidden",
            "source_modules": _lines(modules[room.name]),
            "forbidden_modules": _lines(module for other in others for module in modules[other]),
            "allow_indirect_imports": "true",
            "as_packages": "false",
        }
    with file.open("w", encoding="utf-8") as out:
        config.write(out)


def holds(contracts: Path, package: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the sources of `package` keep all contracts; import-linter prints which they break."""
    _find_first(package, monkeypatch)
    return lint_imports(config_filename=str(contracts), no_cache=True) == 0


def circle_in(package: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Modules that import each other in a circle, none if there is no such circle."""
    _find_first(package, monkeypatch)
    graph = grimp.build_graph(package.name, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _find_first(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the sources be found, not the package that is installed."""
    monkeypatch.syspath_prepend(package.parent)
    monkeypatch.delitem(sys.modules, package.name, raising=False)


def _lines(names: Iterator[str] | Sequence[str]) -> str:
    return "".join(f"\n{name}" for name in names)
