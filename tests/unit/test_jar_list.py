from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rockstate import JarConflict
from rockstate.launch.jar_list import entries, merge

OURS = Path("/opt/lib/rockstate-spark-4.2_2.13-0.1.0.jar")

paths = st.from_regex(r"(/|hdfs://nn/|s3a://b/)[a-z]{1,3}/[a-z]{1,3}\.jar", fullmatch=True)
lists = st.one_of(st.none(), st.just(""), st.lists(paths).map(",".join), st.lists(paths).map(" , ".join))


@given(st.lists(lists))
def test_merging_keeps_every_jar_once_in_order_and_adds_ours_last(given_lists: list[str | None]) -> None:
    merged = entries(merge(given_lists, OURS))
    wanted = list(dict.fromkeys(entry for jars in given_lists for entry in entries(jars)))
    assert merged == [*wanted, str(OURS)]


@given(st.lists(lists))
def test_merging_twice_changes_nothing(given_lists: list[str | None]) -> None:
    once = merge(given_lists, OURS)
    assert merge([once], OURS) == once


@pytest.mark.parametrize("written", [str(OURS), f"file:{OURS}", f"file://{OURS}", f"hdfs://nn/jars/{OURS.name}"])
def test_our_jar_is_not_added_again(written: str) -> None:
    assert merge([f"a.jar,{written}"], OURS) == f"a.jar,{written}"


def test_one_file_written_as_path_and_as_uri_counts_once() -> None:
    assert merge(["/x/a.jar,file:/x/a.jar", "file:///x/a.jar"], OURS) == f"/x/a.jar,{OURS}"


@pytest.mark.parametrize("other", ["rockstate-spark-4.2_2.13-0.0.9.jar", "rockstate-spark-4.1_2.13-0.1.0.jar"])
def test_our_jar_of_another_version_is_refused(other: str) -> None:
    with pytest.raises(JarConflict, match=other):
        merge([f"/old/{other}"], OURS)
