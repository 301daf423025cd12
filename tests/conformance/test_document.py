"""The program that docs/conformance.md shows runs as it stands, but for the provider."""

from __future__ import annotations

import re

from tests.conformance.configurations import DOCUMENT, ROCKSTATE


def test_the_program_runs() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), flags=re.DOTALL)
    placeholder = '"org.example.MyProvider", {"spark.example.option": "1"}, jars=["my.jar"]'
    assert placeholder in program
    exec(compile(program.replace(placeholder, f'"{ROCKSTATE}"'), "docs/conformance.md", "exec"), {})
