"""The server of S3's kind whose requests go wrong, over an application that only counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.cluster.unreliable_s3 import CUT_OFF, FAILED, FATES, REFUSED, UNANSWERED, Unreliable


class Served:
    def __init__(self) -> None:
        self.times = 0

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        self.times += 1
        start_response("200 OK", [])
        return [b"done"]


def asked(server: Unreliable) -> str:
    """The status of an answer, or what the connection ended with."""
    statuses: list[str] = []
    try:
        server({"REQUEST_METHOD": "PUT", "PATH_INFO": "/b/k"}, lambda status, _: statuses.append(status))
    except ConnectionResetError as closed:
        return str(closed)
    return statuses[0]


ANSWERS = {REFUSED: "503 Slow Down", FAILED: "500 Internal Server Error", CUT_OFF: CUT_OFF, UNANSWERED: UNANSWERED}


def test_a_request_takes_effect_exactly_if_its_fate_says_so(tmp_path: Path) -> None:
    served, faults = Served(), tmp_path / "faults.txt"
    server = Unreliable(served, faults, seed=1, share=1)
    for _ in range(50):
        before = served.times
        answer = asked(server)
        fate, _, request = faults.read_text().splitlines()[-1].partition("\t")
        assert (answer, request) == (ANSWERS[fate], "PUT /b/k")
        assert served.times - before == (fate in (FAILED, UNANSWERED))
    assert {line.partition("\t")[0] for line in faults.read_text().splitlines()} == set(FATES)


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_so_many_go_wrong(tmp_path: Path, share: float) -> None:
    server = Unreliable(Served(), tmp_path / "faults.txt", seed=2, share=share)
    right = sum(asked(server) == "200 OK" for _ in range(400))
    assert abs(right - 400 * (1 - share)) < 60
