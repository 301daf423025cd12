"""What is wrong with a checkpoint, sorted: what came first, and what only follows from it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rockstate.inspection.findings import Findings, Problem, Store, count_text

# What `io.rockstate.inspect.Chain` and `LoggedCommit` say of files and versions that are sound in themselves.
_GOES_ON = re.compile(r"It goes on from commit (\S+) of version (\d+), which cannot be loaded")
_NO_RESTART = re.compile(r"The query's last committed batch is \d+, and its version \d+ cannot be loaded\b.*")
_NO_WAY_BACK = re.compile(r"The query cannot go back to batch (\S+), which its logs still have: .*")
_OF_ATTEMPT = re.compile(r"\d+_.+\.delta")
_OF_ANY_ATTEMPT = re.compile(r"\d+\.delta")


@dataclass(frozen=True)
class Root:
    """A problem that is no consequence of another one.

    Attributes:
        uri: the file that it is with; the store's folder, if the file's name is not known.
        follows: the problems of the same store that would not be there without it, by version.
    """

    uri: str
    problem: Problem
    follows: tuple[Problem, ...] = ()

    @property
    def stops_restart(self) -> bool:
        """Whether it, or what follows from it, keeps the query from starting."""
        return any(problem.stops_restart for problem in (self.problem, *self.follows))

    @property
    def consequences(self) -> str:
        """What follows from it, in words; "" if nothing does."""
        files = [problem for problem in self.follows if _GOES_ON.match(problem.problem)]
        back = [found[1] for problem in self.follows if (found := _NO_WAY_BACK.match(problem.problem))]
        told = [f"{count_text(len(files), 'file')} after it cannot be loaded either"] if files else []
        if any(_NO_RESTART.match(problem.problem) for problem in self.follows):
            told.append("the query cannot restart")
        if back:
            told.append(f"the query cannot go back to batch {', '.join(back)}")
        *others, last = told or [""]
        return f"Therefore {', '.join(others)}{', and ' if others else ''}{last}." if told else ""


def roots_of(findings: Findings) -> tuple[Root, ...]:
    """All that is wrong with the query's files and with its stores; what keeps it from starting comes first."""
    of_query = (Root(f"{findings.location}/{problem.file}", problem) for problem in findings.query_problems)
    roots = (*of_query, *(root for store in findings.stores for root in _of_store(store)))
    return tuple(sorted(roots, key=lambda root: not root.stops_restart))


def verdict(findings: Findings) -> str:
    """What is known of the checkpoint's health, as a sentence."""
    stores = findings.stores
    if not findings.is_sound:
        return _count(findings)
    if stores and all(store.verified for store in stores):
        read = sum(store.deltas.files + store.snapshots.files + store.tables.files for store in stores)
        return (
            "The checkpoint is sound: the query can restart, and go back to each batch in its logs."
            f" All {read:,} files of {count_text(len(findings.operators), 'stateful operator')} were read,"
            " and none is damaged."
        )
    if not findings.provider_is_other:
        return (
            "By the names of its logs and stores nothing is missing. What is in the files, and what Spark keeps of its"
            " operators, was not read: `rockstate verify` does that."
        )
    if not findings.provider_is_sparks:
        return "The query's logs are sound. Its stores were not looked at: only its provider knows their files."
    return (
        "By the names of its logs and stores nothing is missing, and no file is empty. Another provider's files have no"
        " checksums that could be verified."
    )


def _count(findings: Findings) -> str:
    roots = roots_of(findings)
    follow = sum(len(root.follows) for root in roots)
    after = f", and {follow:,} that {'follows' if follow == 1 else 'follow'}" if follow else ""
    restart = {True: " The query can restart all the same.", False: " The query cannot restart as it is.", None: ""}
    problems = f"There {'is' if len(roots) == 1 else 'are'} {count_text(len(roots), 'problem')}{after}."
    return problems + restart[findings.can_restart]


def _of_store(store: Store) -> Iterator[Root]:
    """Its roots in the order of the problems; one that is not among them comes where what follows from it would."""
    found: dict[Problem, list[Problem]] = {}
    for problem in sorted(store.problems, key=_certain_first):
        root = _root_of(problem, store, [*found])
        found.setdefault(root, [])
        if root is not problem:
            found[root].append(problem)
    for root, follows in found.items():
        yield Root(_uri(store, root), root, tuple(sorted(follows, key=lambda problem: problem.version or 0)))


def _certain_first(problem: Problem) -> tuple[int, int]:
    """What may follow from others comes after them: first files, then versions."""
    said = problem.problem
    kinds = (_GOES_ON, _NO_RESTART, _NO_WAY_BACK)
    kind = next((n for n, pattern in enumerate(kinds, start=1) if pattern.match(said)), 0)
    return kind, (problem.version or 0) if kind else 0


def _root_of(problem: Problem, store: Store, roots: list[Problem]) -> Problem:
    """The root that it follows from: itself, one of `roots`, or that of a file which is not there."""
    said = problem.problem
    snapshots = [root for root in roots if root.file.endswith((".snapshot", ".sst"))]
    of_snapshots = snapshots[-1] if snapshots else None  # what they went on from has been cleaned up
    if _NO_RESTART.match(said) or _NO_WAY_BACK.match(said):
        before = [root for root in roots if root.version is not None and root.version <= (problem.version or 0)]
        return max(before, key=lambda root: root.version or 0, default=of_snapshots or problem)
    base = _GOES_ON.match(said)
    if base is None:
        return problem
    version = int(base[2])
    steps = {each.version: found for each in store.problems if (found := _GOES_ON.match(each.problem))}
    while version in steps:
        base = steps[version]
        version = int(base[2])
    others = [root for root in roots if root.version == version]
    if others:
        return others[0]
    if any(first <= version <= last for first, last in store.loadable):
        return problem  # the version is there by another attempt
    if of_snapshots:
        return of_snapshots
    name = f"{version}_{base[1]}.delta" if _OF_ATTEMPT.fullmatch(problem.file) else f"{version}.delta"
    return Problem(name, version, "The file is not there", "Restore it from a backup, or restart the query before it.")


def name_of(problem: Problem) -> str:
    """The file's name, or the version: of one whose attempt is not known no file has the name."""
    if _OF_ANY_ATTEMPT.fullmatch(problem.file) and problem.problem.startswith("The query"):
        return f"version {problem.version}"
    return problem.file


def _uri(store: Store, problem: Problem) -> str:
    return f"{store.location}/{problem.file}" if name_of(problem) == problem.file else store.location
