"""Which settings a query that is started here gets, and where each comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from typing import Any, Final

from rockstate.base.errors import InvalidOption
from rockstate.launch import submit
from rockstate.launch.versions import SPARK_MINORS, is_since, spark_minor
from rockstate.options.catalogue import OPTIONS, confs, require_budget, ui_confs
from rockstate.options.keys import PROVIDER_CLASS, PROVIDER_KEY, STATE_STORE
from rockstate.options.option import Option
from rockstate.options.spark_confs import SPARK_CONFS, SparkConf

_OWN = "rockstate."
_STREAMING = "spark.sql.streaming."

#: Who starts a query: `rockstate submit` and `configure` set what Rockstate needs, spark-submit alone does not.
ROCKSTATE_SUBMIT: Final = "rockstate submit"
SPARK_SUBMIT: Final = "spark-submit"

_ENTRIES: tuple[Option | SparkConf, ...] = (*OPTIONS, *SPARK_CONFS)


@dataclass(frozen=True)
class Setting:
    """One setting in force.

    Attributes:
        name: the option's name in Python, None for a conf of Spark's that is no option of ours.
        source: what sets it: "default", "spark-defaults.conf", "PYSPARK_SUBMIT_ARGS", "rockstate" or "--conf".
        default: what holds if nothing sets it.
        takes: what it accepts, in words, None where Spark has to say.
        overridden: what weaker sources say.
    """

    key: str
    name: str | None
    value: str
    source: str
    default: str
    takes: str | None
    meaning: str
    overridden: dict[str, str]

    def to_dict(self) -> dict[str, Any]:
        """As JSON-ready values."""
        return asdict(self)


class Explanation:
    """The settings of one environment, what is wrong with them (`problems`) and what may be unwanted (`warnings`).

    Args:
        given: confs by key as for `--conf`; they win over all others.
        environ: the environment, which names spark-defaults.conf and PYSPARK_SUBMIT_ARGS.
        spark: the Spark that the query will run on, a minor or a release; None for the one that would be started here.
        launcher: ROCKSTATE_SUBMIT or SPARK_SUBMIT. Without one it is spark-submit if something else than Rockstate
            names the provider: then nothing more is needed for a query to run on Rockstate.
    """

    def __init__(
        self,
        given: Mapping[str, str],
        environ: Mapping[str, str],
        launcher: str | None = None,
        spark: str | None = None,
    ) -> None:
        self._spark = SPARK_MINORS[spark_minor(spark)]
        defaults, submit_args = submit.defaults(environ), submit.submit_args_confs(environ)
        named = {**defaults, **submit_args, **given}.get(PROVIDER_KEY) == PROVIDER_CLASS
        self.launcher = launcher or (SPARK_SUBMIT if named else ROCKSTATE_SUBMIT)
        # From the weakest to the strongest.
        self._sources: dict[str, Mapping[str, str]] = {
            "spark-defaults.conf": defaults,
            "PYSPARK_SUBMIT_ARGS": submit_args,
            "rockstate": self._set_by_rockstate({**defaults, **submit_args}),
            "--conf": given,
        }
        self.settings = tuple(self._setting(entry) for entry in _entries(self._spark.minor))
        self.problems = (*self._misspelt(), *self._invalid())
        self.warnings = tuple(self._warnings())

    def find(self, name: str) -> Setting:
        """The setting called so in Python or by its key, with or without Spark's prefix. Raises InvalidOption."""
        for setting in self.settings:
            if name.lower() in (setting.name, *_spellings(setting.key.lower())):
                return setting
        names = ", ".join(option.name for option in OPTIONS)
        remedy = f"{_hint(name)}The options are {names}; --all shows Spark's confs besides"
        raise InvalidOption(name, f"There is no option {name!r}", remedy)

    def _set_by_rockstate(self, said: Mapping[str, str]) -> dict[str, str]:
        if self.launcher == SPARK_SUBMIT:
            return {}
        return {**confs({}, self._spark.minor), **ui_confs(said)}

    def _setting(self, entry: Option | SparkConf) -> Setting:
        said = [(source, value) for source, values in self._sources.items() for value in _said(values, entry.key)]
        name, takes, default, meaning = None, None, entry.default, entry.meaning
        if isinstance(entry, Option):
            name, takes, default = entry.name, entry.takes, entry.default_on(self._spark.minor)
            meaning = entry.meaning_on(self._spark.minor)
            if self.launcher == SPARK_SUBMIT:
                default = entry.sparks_default or default
        source, value = said.pop() if said else ("default", default)
        return Setting(entry.key, name, value, source, default, takes, meaning, dict(said))

    def _warnings(self) -> Iterator[str]:
        if any(setting.source == "PYSPARK_SUBMIT_ARGS" for setting in self.settings):
            yield (
                "PYSPARK_SUBMIT_ARGS counts where Python starts the program, as in `python app.py` or a notebook:"
                " `rockstate submit` and spark-submit take no notice of it"
            )
        provider = self.find(PROVIDER_KEY)
        version = self.find("checkpoint_format_version")
        if provider.value != PROVIDER_CLASS:
            yield f"{PROVIDER_KEY} is {provider.value}: no query runs on Rockstate unless its program says so"
        elif version.value == "2" and self._spark.checkpoint_format == 1:
            yield f"{version.key} is 2: {self._spark.checkpoint_format_reason}. Set it to 1 for new queries"
        elif version.value == "1" and self._spark.checkpoint_format == 2:
            yield (
                f"{version.key} is 1: attempts of a batch write files of the same name, and one may replace another's."
                " Set it to 2 for new queries; a query that has a checkpoint keeps its format"
            )

    def _misspelt(self) -> Iterator[str]:
        """Keys that are meant for us or for Spark's state stores and that nobody reads."""
        for source, values in self._sources.items():
            for key in sorted(values):
                if any(_is_read_as(key, entry.key) for entry in _ENTRIES):
                    continue
                if _OWN.rstrip(".") in key.lower():
                    yield f"{source}: there is no conf {key}. {_hint(key)}".rstrip()
                elif key.lower().startswith(_STREAMING) and (near := _near(key, cutoff=0.9)):
                    yield f"{source}: Spark may not know {key}. Did you mean {near}?"

    def _invalid(self) -> Iterator[str]:
        for option in OPTIONS:
            setting = self.find(option.name)
            if setting.source == "default" or setting.value.endswith("CompressionCodec"):
                continue  # Spark takes the codec's class, too
            try:
                option.conf_value(setting.value)
            except InvalidOption as error:
                yield f"{setting.source}: {error}"
        try:
            require_budget({setting.key: setting.value for setting in self.settings})
        except InvalidOption as error:
            yield f"{self.find('heap_share').source}: {error}"


def _entries(minor: str) -> list[Option | SparkConf]:
    """What that Spark minor reads."""
    return [*OPTIONS, *(conf for conf in SPARK_CONFS if is_since(minor, conf.since))]


def _said(values: Mapping[str, str], key: str) -> list[str]:
    return [value for given, value in values.items() if _is_read_as(given, key)]


def _is_read_as(given: str, key: str) -> bool:
    """Spark's keys are read as they are, of ours what follows Spark's part whatever its case."""
    return given == key or (_OWN in key and given.startswith(STATE_STORE) and given.lower() == key.lower())


def _spellings(key: str) -> tuple[str, ...]:
    short = key.removeprefix(STATE_STORE.lower())
    return (key, short, short.removeprefix(_OWN), key.removeprefix(_STREAMING))


def _hint(name: str) -> str:
    near = _near(name, cutoff=0.6)
    return f"Did you mean {near}? " if near else ""


def _near(name: str, cutoff: float) -> str | None:
    """The option or key that `name` is most like, by what is particular to each."""
    particular = {_particular(entry.key): entry.key for entry in _ENTRIES}
    particular |= {_particular(option.name): option.key for option in OPTIONS}
    close = get_close_matches(_particular(name), particular, n=1, cutoff=cutoff)
    return particular[close[0]] if close else None


def _particular(name: str) -> str:
    short = name.lower().removeprefix(STATE_STORE.lower()).removeprefix(_STREAMING)
    return short.rpartition(_OWN)[2].replace("_", "")
