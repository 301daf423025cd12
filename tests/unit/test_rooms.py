"""The package's rooms are those of the table in docs/architecture.md, and imports run one way."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.rooms import Room, circle_in, holds, mistakes_in, modules_of, table_under, write_contracts

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python" / "rockstate"
ROOMS = table_under("## Rooms of the Python package", (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"))


def test_each_folder_has_its_row_and_no_way_runs_back() -> None:
    assert list(mistakes_in(ROOMS, modules_of(PACKAGE))) == []


def test_rooms_import_only_what_they_may_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_contracts(ROOMS, modules_of(PACKAGE), tmp_path / "contracts.ini")
    assert holds(tmp_path / "contracts.ini", PACKAGE, monkeypatch)


def test_no_modules_import_each_other_in_a_circle(monkeypatch: pytest.MonkeyPatch) -> None:
    assert circle_in(PACKAGE, monkeypatch) == []


# What the checks above find, seen in a house of two rooms.
CELLAR, ROOF = Room("house.cellar", ()), Room("house.roof", ("house.cellar",))


@pytest.fixture
def house(tmp_path: Path) -> Path:
    files = {"cellar/__init__": "", "cellar/wine": "", "cellar/coal": "", "roof/__init__": "", "roof/tiles": ""}
    for name, text in {**files, "roof/tiles": "from house.cellar import wine\n"}.items():
        file = tmp_path / "house" / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path / "house"


def keeps(house: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the house holds to a table of its two rooms."""
    modules = modules_of(house)
    assert list(mistakes_in([CELLAR, ROOF], modules)) == []
    write_contracts([CELLAR, ROOF], modules, house.parent / "contracts.ini")
    return holds(house.parent / "contracts.ini", house, monkeypatch)


def test_an_import_that_runs_back_is_found(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert keeps(house, monkeypatch)
    coal = "def burn() -> None:\n    from house.roof import tiles\n"
    (house / "cellar" / "coal.py").write_text(coal, encoding="utf-8")
    assert not keeps(house, monkeypatch)


def test_an_import_for_types_alone_counts(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    coal = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from house.roof.tiles import Tile\n"
    (house / "cellar" / "coal.py").write_text(coal, encoding="utf-8")
    assert not keeps(house, monkeypatch)


def test_a_circle_within_a_room_is_found(house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert circle_in(house, monkeypatch) == []
    (house / "cellar" / "coal.py").write_text("from house.cellar import wine\n", encoding="utf-8")
    (house / "cellar" / "wine.py").write_text("from house.cellar import coal\n", encoding="utf-8")
    assert set(circle_in(house, monkeypatch)) == {"house.cellar.coal", "house.cellar.wine"}


@pytest.mark.parametrize(
    ("rooms", "mistake"),
    [
        ([CELLAR], "house.roof is in no row of the table"),
        ([CELLAR, ROOF, Room("house.attic", ())], "house.attic is in the table and has no module"),
        ([CELLAR, CELLAR, ROOF], "two rows name house.cellar"),
        ([ROOF, CELLAR], "house.roof may use house.cellar, which is no row above it"),
    ],
)
def test_a_wrong_table_is_found(house: Path, rooms: list[Room], mistake: str) -> None:
    assert list(mistakes_in(rooms, modules_of(house))) == [mistake]
