from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rockstate.base.units import duration_text, parse_bytes, parse_int, parse_millis

# As Spark defines them: JavaUtils.byteStringAs, powers of 1024.
POWERS = {"b": 0, "k": 1, "kb": 1, "m": 2, "mb": 2, "g": 3, "gb": 3, "t": 4, "tb": 4, "p": 5, "pb": 5}
MILLIS = {"ms": 1, "s": 1000, "m": 60 * 1000, "min": 60 * 1000, "h": 3600 * 1000, "d": 24 * 3600 * 1000}


@given(st.integers(), st.sampled_from(sorted(POWERS)), st.booleans(), st.sampled_from(["", " "]))
def test_a_size_is_its_number_times_its_unit(number: int, unit: str, upper: bool, gap: str) -> None:
    text = f"{number}{gap}{unit.upper() if upper else unit}"
    assert parse_bytes(text) == number * 1024 ** POWERS[unit]


@given(st.integers(), st.sampled_from(sorted(MILLIS)))
def test_a_duration_is_its_number_times_its_unit(number: int, unit: str) -> None:
    assert parse_millis(f"{number}{unit}") == number * MILLIS[unit]


@given(st.integers())
def test_a_bare_number_is_bytes_or_milliseconds_as_it_stands(number: int) -> None:
    for parse in (parse_bytes, parse_millis, parse_int):
        assert parse(number) == parse(str(number)) == number


@given(st.text().filter(lambda text: not text.strip()[:1].isdigit() and not text.strip().startswith("-")))
def test_text_without_a_leading_number_is_refused(text: str) -> None:
    for parse in (parse_bytes, parse_millis, parse_int):
        with pytest.raises(ValueError):
            parse(text)


@pytest.mark.parametrize("value", ["", "m", "1.5g", "5 bb", "1x", "0x10", "1 g b", True, 1.5, None])
def test_what_is_no_size_is_refused(value: object) -> None:
    with pytest.raises(ValueError):
        parse_bytes(value)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", ["1g", "1.5s", "soon"])
def test_what_is_no_duration_is_refused(value: str) -> None:
    with pytest.raises(ValueError):
        parse_millis(value)


@pytest.mark.parametrize(
    ("seconds", "text"), [(2.4, "2 s"), (89, "89 s"), (90, "2 min"), (5399, "90 min"), (5400, "1.5 h")]
)
def test_durations_for_people(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text
