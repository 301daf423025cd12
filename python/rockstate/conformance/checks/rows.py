"""Short forms for the rows that checks write and read: a name for a key, a text for a value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from rockstate.conformance.calls import Call
from rockstate.conformance.executor import Executor
from rockstate.conformance.lab import Lab
from rockstate.conformance.outcomes import StoreError, Timeout, Version, Violation
from rockstate.conformance.store import Pair, Row, Store

Rows: TypeAlias = Mapping[str, str]
"""Values by key of the `none` encoder."""

EMPTY = Version.EMPTY


def key(name: str) -> Row:
    """A key of the `none` encoder."""
    return [name]


def value(text: str) -> Row:
    """A value that carries `text` twice, so that a mixture of two rows is seen."""
    return [text, sum(map(ord, text))]


def write(lab: Lab, store: Store, puts: Rows | None = None, removes: Iterable[str] = ()) -> None:
    """Removes, then puts, in one batch."""
    calls = [store.call("remove", key(name)) for name in removes]
    calls += [store.call("put", key(name), value(text)) for name, text in (puts or {}).items()]
    write_calls(lab, calls)


def write_calls(lab: Lab, calls: Sequence[Call]) -> None:
    """Performs calls in one batch; raises the first error."""
    for outcome in lab.run(calls):
        outcome.get()


def commit(
    lab: Lab, executor: Executor, base: Version, puts: Rows | None = None, removes: Iterable[str] = ()
) -> Version:
    """One transaction on `base`."""
    store = executor.begin(base)
    write(lab, store, puts, removes)
    return store.commit()


def commit_each(lab: Lab, executor: Executor, base: Version, batches: Iterable[Rows]) -> list[Version]:
    """One version per batch of puts; `base` and they, in order."""
    versions = [base]
    for puts in batches:
        versions.append(commit(lab, executor, versions[-1], puts))
    return versions


def rows_of(pairs: Iterable[Pair]) -> dict[str, str]:
    """What a scan of the default family answered; a key that comes twice or a mixed row is a violation."""
    found: dict[str, str] = {}
    for row_key, row_value in pairs:
        name, text = str(row_key[0]), str(row_value[0])
        if name in found:
            raise Violation(f"A scan gave the key {name!r} twice")
        if row_value != value(text):
            raise Violation(f"The row of key {name!r} is {row_value!r}, which nobody wrote")
        found[name] = text
    return found


def rows_at(executor: Executor, version: Version) -> dict[str, str]:
    """All rows of a version."""
    store = executor.begin_read(version)
    try:
        return rows_of(store.scan())
    finally:
        store.release()


def expect_rows(executor: Executor, version: Version, wanted: Rows, when: str) -> None:
    """The rows of a version are exactly these."""
    found = rows_at(executor, version)
    if found != wanted:
        raise Violation(f"Version {version.version} {when} {difference(found, wanted)}")


def expect_rows_or_error(executor: Executor, version: Version, wanted: Rows, when: str) -> bool:
    """The rows of a version are exactly these, or it is refused; whether it was read."""
    try:
        found = rows_at(executor, version)
    except Timeout:
        raise
    except StoreError:
        return False
    if found != wanted:
        raise Violation(f"Version {version.version} {when} {difference(found, wanted)}")
    return True


def difference(found: Rows, wanted: Rows) -> str:
    """In words, how what was found differs from what was wanted."""
    lost = {name: text for name, text in wanted.items() if name not in found}
    strange = {name: text for name, text in found.items() if name not in wanted}
    changed = {name: found[name] for name in wanted if name in found and found[name] != wanted[name]}
    parts = [f"lacks {_some(lost)}"] if lost else []
    parts += [f"has {_some(strange)}, which it must not have"] if strange else []
    parts += [f"has {_some(changed)} instead of {_some({name: wanted[name] for name in changed})}"] if changed else []
    return " and ".join(parts)


def _some(rows: Rows) -> str:
    shown = ", ".join(f"{name}={text}" for name, text in sorted(rows.items())[:4])
    return f"{shown} and {len(rows) - 4} more rows" if len(rows) > 4 else shown
