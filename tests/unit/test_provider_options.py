"""The package and the provider each list the options of their own: the lists must say the same."""

from __future__ import annotations

import re
from pathlib import Path

from rockstate.options.catalogue import OPTIONS

PREFIX = "spark.sql.streaming.stateStore.rockstate."
SOURCE = "jvm/spark/src/main/scala/org/apache/spark/sql/execution/streaming/state/rockstate/conf/ProviderConf.scala"
ENTRY = re.compile(r'ConfEntry\.\w+\(\s*"(\w+)",\s*default = "?(\w+)"?,')


def test_names_and_defaults_are_those_of_the_provider() -> None:
    source = (Path(__file__).parents[2] / SOURCE).read_text(encoding="utf-8")
    provider = {PREFIX + name: default for name, default in ENTRY.findall(source)}
    package = {option.key: option.default for option in OPTIONS if option.key.startswith(PREFIX)}
    assert len(provider) == 5
    assert package == provider
