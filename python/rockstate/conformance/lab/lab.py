"""A fresh checkpoint folder of the provider under test, and everything that can be done to it."""

from __future__ import annotations

import base64
import fnmatch
import itertools
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, TypeAlias

from rockstate.conformance.calls.answers import Calls
from rockstate.conformance.calls.call import Call, as_it_is
from rockstate.conformance.calls.outcomes import HarnessError, NotInSpark, Outcome, StoreError, Timeout
from rockstate.conformance.calls.recorder import Recorder
from rockstate.conformance.calls.since import lack_of, minor_of
from rockstate.conformance.jvm.driver import shared_driver
from rockstate.conformance.jvm.protocol import Driver
from rockstate.conformance.lab import kinds
from rockstate.conformance.lab.effort import Effort
from rockstate.conformance.lab.executor import Executor
from rockstate.conformance.lab.handles import Handles
from rockstate.conformance.lab.kinds import DEFAULT_PLACE, Place
from rockstate.conformance.lab.trial import Trial
from rockstate.launch.versions import is_since

FaultMode: TypeAlias = Literal[
    "crash_before", "crash_after", "crash_torn", "fail_once", "fail_read_once", "fail_read_midway", "fail_look_once"
]
CHECKPOINT_FORMAT = "spark.sql.streaming.stateStore.checkpointFormatVersion"
_PROVIDER_CLASS = "spark.sql.streaming.stateStore.providerClass"
_ON_ITS_THREAD = "on_its_thread"
_numbers = itertools.count(1)


class Lab:
    """One fresh checkpoint folder; a context manager that closes and forgets everything at its end.

    Args:
        provider: the class under test.
        conf: Spark confs for every executor.
        capabilities: what the provider can do, see `rockstate.conformance.CAPABILITIES`.
        driver: performs the commands; None for one that all labs of this process share.
        effort: for checks with random histories.
    """

    def __init__(
        self,
        provider: str,
        conf: Mapping[str, str] | None = None,
        *,
        jars: Sequence[str] = (),
        capabilities: Iterable[str] = (),
        driver: Driver | None = None,
        effort: Effort | None = None,
    ) -> None:
        if driver is None:
            in_jvm = {key: value for key, value in (conf or {}).items() if not key.startswith("spark.sql.")}
            driver = shared_driver(jars, in_jvm)
        self.provider = provider
        self.conf = dict(conf or {})
        self.jars = tuple(jars)
        self.capabilities = frozenset(capabilities)
        self.effort = effort or Effort()
        self.driver = driver
        self.name = f"lab{next(_numbers)}"
        self.recorder = Recorder()
        self._trial: Trial[Lab] = Trial(self)
        self._names: dict[str, int] = {}
        self._handles = Handles()
        self._crashes = False
        self._kind: dict[str, Any] = {}

    def open_all_as(self, **kind: Any) -> None:
        """Has `open` take these of its arguments where they are not given, from now on, in `fresh` labs, too."""
        self._kind = kind

    @property
    def latest(self) -> Lab:
        """The lab whose calls show a failure: the first that hung, or else the newest of this one and `fresh` ones."""
        return self._trial.hung or self._trial.newest

    @property
    def checkpoint_ids(self) -> bool:
        """Whether versions have checkpoint ids."""
        return "checkpoint-ids" in self.capabilities

    def has(self, op: str) -> bool:
        """Whether the running Spark has the call `op`, such as `multi_get`; a check may do without it."""
        since = minor_of(op)
        return since is None or is_since(self.driver.spark, since)

    def fresh(self, *, driver: Driver | None = None) -> Lab:
        """Another lab like this one, empty, or on another driver: for each example of a search, or each crash point."""
        lab = Lab(
            self.provider,
            self.conf,
            jars=self.jars,
            capabilities=self.capabilities,
            driver=driver or self.driver,
            effort=self.effort,
        )
        lab._trial = self._trial
        lab._kind = self._kind
        self._trial.add(lab)
        return lab

    def open(
        self,
        name: str = "a",
        *,
        encoder: str = "none",
        families: bool = False,
        multi: bool = False,
        place: Place = DEFAULT_PLACE,
        conf: Mapping[str, str] | None = None,
    ) -> Executor:
        """A new executor that has never seen this store.

        Args:
            encoder: how keys are encoded: none, prefix or range, and others that `LabRows` has.
            families: whether the store has column families.
            multi: whether a key of the default family may have several values.
            place: the store's name, its partition, its operator's number if that is not 0, and the checkpoint's folder.
            conf: Spark confs beside the lab's.
        """
        kind = {"encoder": encoder, "families": families, "multi": multi, "place": place, "conf": dict(conf or {})}
        return self._open("open", (), name, {}, kind)

    def open_on(self, threads: int, name: str = "a", **kind: Any) -> Executor:
        """The same; so many threads call it in turns, and that of maintenance closes it."""
        return self._open("open_on", (threads,), name, {"threads": threads}, kind)

    def open_beside(self, other: Executor, name: str, **kind: Any) -> Executor:
        """The same in the process of another executor: all others have a process of their own."""
        return self._open("open_beside", (other,), name, {"beside": other.name}, kind)

    def open_with(self, other: Executor, name: str, *, on_its_thread: bool = False, **kind: Any) -> Executor:
        """The same for the same run of the query; with `on_its_thread` the same task calls both."""
        asked = {_ON_ITS_THREAD: True} if on_its_thread else {}
        return self._open("open_with", (other,), name, {"beside": other.name, "with": True, **asked}, kind)

    def files(self) -> dict[str, int]:
        """Every file of the checkpoint: its path and its length in bytes, sorted."""
        files: dict[str, int] = self._storage("files", parse=lambda answer: dict(sorted(answer)))
        return files

    def files_as_written(self) -> list[str]:
        """The path of every file, oldest first."""
        paths: list[str] = self._storage("files", parse=lambda answer: [path for path, _ in answer])
        return paths

    def find(self, pattern: str, nth: int = 0) -> str:
        """The path of the `nth` of the files that match `pattern`, smallest first: for names that differ each time."""
        sizes = {path: length for path, length in self.files().items() if fnmatch.fnmatchcase(path, pattern)}
        return sorted(sizes, key=lambda path: (sizes[path], path))[nth]

    def read(self, path: str) -> bytes:
        """A file's bytes."""
        content: bytes = self._storage("read", path, parse=base64.b64decode, path=path)
        return content

    def write(self, path: str, content: bytes) -> None:
        """Puts a file there, in place of one that is there."""
        self._storage("write", path, content, path=path, base64=base64.b64encode(content).decode())

    def create(self, path: str) -> None:
        """Puts an empty file there, with the folders above it, as another writer of the checkpoint does."""
        self._storage("create", path, path=path)

    def delete(self, path: str) -> None:
        """Deletes a file."""
        self._storage("delete", path, path=path)

    def truncate(self, path: str, length: int) -> None:
        """Leaves a file only its first `length` bytes."""
        self._rewrite("truncate", path, length, self._peek(path)[:length])

    def flip(self, path: str, bit: int) -> None:
        """Flips one bit of a file; bit 9 is the second lowest of its second byte."""
        content = bytearray(self._peek(path))
        content[bit // 8] ^= 1 << (bit % 8)
        self._rewrite("flip", path, bit, bytes(content))

    def save(self, name: str) -> None:
        """Remembers the whole checkpoint folder under `name`."""
        self._storage("save", name, **{"as": name})

    def restore(self, name: str) -> None:
        """Puts the checkpoint folder back to what `save` remembered."""
        self._storage("restore", name, **{"from": name})

    def fault(self, at: int, mode: FaultMode) -> None:
        """Makes the `at`-th storage call from now on (1 is the next) go wrong.

        Of those that change something; of opens with `fail_read_once` and `fail_read_midway`, which lets half of the
        file be read; and of listings and statuses with `fail_look_once`.
        """
        self._storage("fault", at, mode, at=at, mode=mode)
        self._crashes = mode.startswith("crash")

    def heal(self) -> bool:
        """Makes the storage work again; whether the fault struck. If it was a crash, every executor is gone with it."""
        if self._crashes:
            self.close_down(self._handles.giving_up())
        struck = bool(self._storage("heal"))
        if struck and self._crashes:
            self._handles.forget()
        self._crashes = False
        return struck

    def calls(self) -> Calls:
        """The storage calls since the last `fault`, `heal` or `calls`."""
        calls: Calls = self._storage("calls", parse=lambda answer: Calls(**answer))
        return calls

    def threads(self) -> int:
        """How many threads the JVM has in which all executors are."""
        return int(self.do(Call("lab", "threads", {"op": "threads"})))

    def local_files(self) -> int:
        """How many files are on the JVM's local disk, in the folders that Spark has made there."""
        return int(self.do(Call("lab", "local_files", {"op": "local_files"})))

    def run(self, calls: Sequence[Call]) -> list[Outcome]:
        """Performs several calls, made by `Store.call`, in one go; a failing one does not stop the others.

        Raises:
            NotInSpark: the running Spark lacks one of them; none is made.
        """
        for call in calls:
            self._require(call)
        answers = self._ask([call.request for call in calls])
        outcomes = [self._outcome(call, answer) for call, answer in zip(calls, answers, strict=True)]
        for call, outcome in zip(calls, outcomes, strict=True):
            self.recorder.add(call, outcome)
        return outcomes

    def do(self, call: Call) -> Any:
        """Performs one call and returns its answer.

        Raises:
            StoreError: what the provider threw.
            Timeout: the provider hangs.
            NotInSpark: the running Spark lacks the call.
        """
        return self.run([call])[0].get()

    def close_executor(self, call: Call, reopen: Mapping[str, Any] | None = None) -> None:
        """Closes the executor that `call` is made on, if it is open; with `reopen` opens another in its place."""
        closing = self._handles.closing(call.target)
        self.close_down(closing[:-1])
        requests = [*closing[-1:], *([reopen] if reopen else [])]
        outcomes = [self._outcome(call, answer) for answer in self._ask(requests)]
        outcome = next((outcome for outcome in outcomes if outcome.error is not None), Outcome())
        self.recorder.add(call, outcome)
        outcome.get()

    def close_down(self, requests: Sequence[Mapping[str, Any]]) -> None:
        """Performs requests whose outcome matters to nobody, and that the provider may refuse."""
        with suppress(HarnessError):
            self._ask(requests)

    def new_name(self, stem: str) -> str:
        """A name for a variable of the recorded program: `stem` itself, or with a number."""
        number = self._names[stem] = self._names.get(stem, 0) + 1
        return stem if (number == 1 and len(stem) > 1) or (stem in "abcd" and number == 1) else f"{stem}{number}"

    def close(self) -> None:
        """Closes every executor, as far as that works, and forgets the folder; with it the labs that `fresh` made."""
        for lab in self._trial.ended(self):
            requests = [*lab._handles.closing_all(), {"op": "drop", "lab": lab.name}]
            with suppress(HarnessError):
                self.driver.run([lab._sent(request) for request in requests])
            lab._handles.forget()

    def __enter__(self) -> Lab:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(
        self, method: str, args: tuple[Any, ...], name: str, options: dict[str, Any], kind: Mapping[str, Any]
    ) -> Executor:
        """Opens an executor as `method` does, with these options of the driver's; `kind` is what `open` takes."""
        given = kinds.given({**self._kind, **kinds.given(kind)})
        variable = self.new_name(name)
        request = self._opening(variable, {**kinds.as_options(given), **options}, given.get("conf"))
        kwargs = {**given, **{key: value for key, value in options.items() if key == _ON_ITS_THREAD}}
        self.do(Call("lab", method, request, (*args, variable), kwargs, variable))
        return Executor(self, variable, request)

    def _opening(self, variable: str, options: dict[str, Any], conf: Mapping[str, str] | None) -> dict[str, Any]:
        confs = {**self.conf, **(conf or {}), _PROVIDER_CLASS: self.provider}
        seed = {"seed": self.effort.seed} if self.effort.seed else {}
        return {"op": "provider_open", "provider": variable, "lab": self.name, **options, **seed, "conf": confs}

    def _require(self, call: Call) -> None:
        lack = lack_of(call.request)
        if lack is not None and not is_since(self.driver.spark, lack[1]):
            raise NotInSpark(*lack, self.driver.spark)

    def _storage(self, op: str, /, *args: Any, parse: Any = as_it_is, **request: Any) -> Any:
        return self.do(Call("lab", op, {"op": op, "lab": self.name, **request}, args, parse=parse))

    def _peek(self, path: str) -> bytes:
        request = {"op": "read", "lab": self.name, "path": path}
        return base64.b64decode(self._outcome(Call("lab", "read", request), self._ask([request])[0]).get())

    def _rewrite(self, method: str, path: str, argument: int, content: bytes) -> None:
        encoded = base64.b64encode(content).decode()
        request = {"op": "write", "lab": self.name, "path": path, "base64": encoded}
        self.do(Call("lab", method, request, (path, argument)))

    def _ask(self, requests: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The driver's answers; after a call of this check has hung, no more is asked."""
        if self._trial.hung is not None or not requests:
            return [_HUNG for _ in requests]
        answers = self.driver.run([self._sent(request) for request in requests])
        for request, answer in zip(requests, answers, strict=True):
            self._handles.note(request, has_failed="error" in answer)
        return answers

    def _sent(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The request with handles that no other lab of the driver has."""
        sent = {key: f"{self.name}.{value}" if key in _HANDLES else value for key, value in request.items()}
        return {**sent, "timeout": self.effort.patience}

    def _outcome(self, call: Call, answer: Mapping[str, Any]) -> Outcome:
        if "error" not in answer:
            return Outcome(call.parse(answer["ok"]))
        java_class, message = answer["error"]["class"], answer["error"].get("message") or ""
        if java_class == "Usage":
            raise HarnessError(f"{call.target}.{call.method}: {message}")
        if java_class != "Timeout":
            return Outcome(error=StoreError(java_class, message))
        self._trial.hung = self._trial.hung or self
        return Outcome(error=Timeout(java_class, message))


_HANDLES = ("provider", "store", "iter", "as", "from", "beside")
_HUNG = {"error": {"class": "Timeout", "message": "An earlier call of this check never came back"}}
