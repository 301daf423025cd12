"""A recorded lab as a short program that runs."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from rockstate.conformance.calls.outcomes import StoreError, Version, Violation
from rockstate.conformance.calls.recorder import Recorded
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.store import Held

if TYPE_CHECKING:
    from rockstate.conformance.lab.lab import Lab

_TAKES_A_PATH = ("read", "write", "delete", "truncate", "flip")
_RANDOM = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{16,}")


def program(lab: Lab, error: BaseException, heading: str) -> str:
    """Python source that makes the same calls and fails where they failed, if the provider still does.

    Where `error` is a Violation that knows what a call had to answer, the program asserts that; where a call threw
    that had to succeed, it throws again. `heading` becomes the comment at its top.
    """
    calls = lab.recorder.calls
    culprit = _culprit(calls, error)
    shown = calls if culprit is None else calls[: culprit + 1]
    body = _Body(shown)
    lines: list[str] = []
    for at, recorded in enumerate(shown):
        if at == culprit or not recorded.call.is_inspection:
            lines += body.lines(recorded, error, at == culprit)
        body.learn(recorded)
    if culprit is None:
        lines.append(f"# Here: {_one_line(str(error))}")
    text = "\n".join(f"    {line}" for line in lines)
    used = [name for name in _IMPORTABLE if re.search(rf"\b{name}\b", f"{text} {_lab(lab)}")]
    suppressing = "from contextlib import suppress\n\n" if "suppress(" in text else ""
    return (
        f"{_comment(heading)}\n{suppressing}from rockstate.conformance import {', '.join(used)}\n\n"
        f"with {_lab(lab)} as lab:\n{text}\n"
    )


_IMPORTABLE = ("Change", "Effort", "Lab", "Metrics", "StoreError", "Version", "refused", "unordered")


class _Body:
    """Turns calls into lines, knowing which variable has which version."""

    def __init__(self, calls: Sequence[Recorded]) -> None:
        self._used = _used_names(calls)
        self._versions: dict[Version, str] = {Version.EMPTY: "Version.EMPTY"}
        self._files: dict[str, int] = {}

    def lines(self, recorded: Recorded, error: BaseException, is_culprit: bool) -> Iterator[str]:
        """The lines of one call: as it was, asserted, refused, passed over or raised again, as its outcome wants."""
        call, outcome = recorded.call, recorded.outcome
        text = self._expression(recorded)
        if is_culprit and isinstance(error, Violation) and error.wants_answer:
            yield f"assert {_compared(text + _part(outcome.value, error.answer), error)}"
        elif is_culprit and isinstance(error, Violation) and error.wants_refusal:
            yield from (f"with refused({str(error)!r}):", f"    {text}")
        elif outcome.error is not None:
            thrown = f"# {_one_line(str(outcome.error))}"
            yield from (thrown, text) if is_culprit else ("with suppress(StoreError):", f"    {text}  {thrown}")
        else:
            yield f"{call.result} = {text}" if call.result in self._used else text

    def _expression(self, recorded: Recorded) -> str:
        call = recorded.call
        args = [self._argument(arg) for arg in call.args]
        if call.method in _TAKES_A_PATH and call.target == "lab":
            args[0] = self._path(call.args[0])
        args += [f"{name}={self._argument(value)}" for name, value in call.kwargs.items()]
        return f"{call.target}.{call.method}({', '.join(args)})"

    def _argument(self, value: Any) -> str:
        return self._versions.get(value, repr(value)) if isinstance(value, Version) else repr(value)

    def _path(self, path: str) -> str:
        """A path whose random parts are looked up: ids of known versions, and what the last listing tells apart."""
        named = path.replace("{", "{{").replace("}", "}}")
        for version, variable in self._versions.items():
            if version.id:
                named = named.replace(version.id, f"{{{variable}.id}}")
        if not _RANDOM.search(named):
            return f"f{named!r}" if named != path else repr(path)
        pattern = _RANDOM.sub("*", path)
        matching = [file for file in self._files if fnmatch.fnmatchcase(file, pattern)]
        if path not in matching:
            return repr(path)
        nth = sorted(matching, key=lambda file: (self._files[file], file)).index(path)
        return f"lab.find({pattern!r}, {nth})" if nth else f"lab.find({pattern!r})"

    def learn(self, recorded: Recorded) -> None:
        """Takes notice of what a call answered."""
        call, value = recorded.call, recorded.outcome.value
        if isinstance(value, Version) and call.result is not None:
            self._versions[value] = call.result
        if call.method == "files" and isinstance(value, dict):
            self._files = value


def _culprit(calls: Sequence[Recorded], error: BaseException) -> int | None:
    """The index of the call that shows the failure, None if no single one does."""
    latest = range(len(calls) - 1, -1, -1)
    if isinstance(error, Violation) and error.wants_answer:
        return _answering(calls, error.answer)
    if isinstance(error, Violation) and error.wants_refusal:
        return next((at for at in latest if calls[at].outcome.error is None), None)
    if isinstance(error, StoreError):
        return next((at for at in latest if calls[at].outcome.error is error), None)
    return None


def _answering(calls: Sequence[Recorded], answer: Any) -> int | None:
    """The index of the latest call that gave `answer`: as the very same object, as an equal one, or as a part."""
    latest = [at for at in range(len(calls) - 1, -1, -1) if calls[at].call.answers and calls[at].outcome.error is None]
    if isinstance(answer, list | dict):
        same = [at for at in latest if calls[at].outcome.value is answer]
        return next(iter(same), None)
    equal = [at for at in latest if calls[at].outcome.value == answer]
    partly = [at for at in latest if _part(calls[at].outcome.value, answer)]
    return next(iter([*equal, *partly]), None)


def _part(value: Any, answer: Any) -> str:
    """How `answer` is reached in `value`: `.rows`, say, or "" if it is the value itself or nowhere in it."""
    if not is_dataclass(value) or value == answer:
        return ""
    return next((f".{field.name}" for field in fields(value) if getattr(value, field.name) == answer), "")


def _compared(text: str, violation: Violation) -> str:
    if violation.any_order:
        return f"unordered({text}) == unordered({violation.wanted!r})"
    if violation.wanted is None or isinstance(violation.wanted, bool):
        return f"{text} is {violation.wanted!r}"
    return f"{text} == {violation.wanted!r}"


def _used_names(calls: Iterable[Recorded]) -> set[str | None]:
    """Variables that a later line needs: what calls are made on, and versions that are arguments or parts of paths."""
    recorded = list(calls)
    names: set[str | None] = {each.call.target for each in recorded}
    given = [arg for each in recorded for arg in (*each.call.args, *each.call.kwargs.values())]
    names |= {arg.name for arg in given if isinstance(arg, Executor | Held)}
    ids = {arg.id for arg in given if isinstance(arg, Version)}
    for each in recorded:
        version = each.outcome.value
        if isinstance(version, Version) and (
            version in given or version.id in ids - {None} or _in_paths(version, given)
        ):
            names.add(each.call.result)
    return names


def _in_paths(version: Version, given: Sequence[Any]) -> bool:
    return version.id is not None and any(isinstance(arg, str) and version.id in arg for arg in given)


def _lab(lab: Lab) -> str:
    conf = f", {lab.conf!r}" if lab.conf else ""
    jars = f", jars={list(lab.jars)!r}" if lab.jars else ""
    effort = f", effort=Effort(seed={lab.effort.seed})" if lab.effort.seed else ""
    return f"Lab({lab.provider!r}{conf}{jars}{effort})"


def _comment(text: str) -> str:
    return "\n".join(f"# {_one_line(line)}".rstrip() for line in text.splitlines()[:20])


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 160 else f"{line[:157]}..."
