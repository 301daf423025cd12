"""What the JVM does while it does it: watched, and cancelled when whoever waits for it is interrupted."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from operator import index
from threading import Event, Thread
from typing import Any

from rockstate.base.errors import OutOfMemory
from rockstate.session import gateway

#: Told the phase, such as "write" or "read back", how many of its tasks are done, and of how many.
MoveProgress = Callable[[str, int, int], None]

_LOOK_SECONDS = 0.2
_CANCEL_SECONDS = 20


def in_json(asked: dict[str, Any]) -> str:
    """What the JVM is asked for. Whole numbers may be of any type, such as NumPy's."""
    return json.dumps(asked, default=index)


class FinishedFirst(KeyboardInterrupt):
    """Ctrl-C came when all was done: there is nothing unfinished."""


class Running:
    """The JVM does it in a thread of its own. This one waits, and stays free for Ctrl-C.

    Args:
        call: asks the JVM's `PythonGateway` for it, and returns the answer.
        moves_files: whether it moves files of a checkpoint, so that an interrupt waits until none is on its way. Else
            it waits for its tasks to end for some seconds at most.
    """

    def __init__(self, call: Callable[[Any], str], moves_files: bool = False) -> None:
        from pyspark import InheritableThread

        self._reader = gateway.checkpoint_reader()
        self._answer: Future[str] = Future()
        self._ended = Event()
        self._cancel_seconds = None if moves_files else _CANCEL_SECONDS
        self._seen: dict[str, Any] = {}
        self._mover = InheritableThread(target=self._move, args=(call,), daemon=True)
        self._watcher = Thread(target=self._watch, daemon=True)

    def wait(self, progress: MoveProgress | None) -> dict[str, Any]:
        """What the JVM answers; its errors are raised as ours. What interrupts it cancels the job.

        Raises:
            FinishedFirst: Ctrl-C came too late to cancel anything.
            OutOfMemory: the JVM has ended.
        """
        self._mover.start()
        if progress:
            self._watcher.start()
        try:
            while not self._ended.wait(_LOOK_SECONDS):
                if progress and self._seen:
                    progress(self._seen["phase"], self._seen["done"], self._seen["of"])
        except BaseException as interrupt:
            with suppress(OutOfMemory):  # the JVM may have ended
                self._reader.cancel()
            self._ended.wait(self._cancel_seconds)
            if isinstance(interrupt, KeyboardInterrupt) and self._is_done():
                raise FinishedFirst from interrupt
            raise
        found = gateway.answer(self._answer.result())
        last = gateway.answer(self._reader.progress())
        if progress and last:
            progress(last["phase"], last["done"], last["of"])
        return found

    def _is_done(self) -> bool:
        return (
            self._ended.is_set() and not self._answer.exception() and "error" not in json.loads(self._answer.result())
        )

    def _move(self, call: Callable[[Any], str]) -> None:
        try:
            self._answer.set_result(call(self._reader))
        except BaseException as error:
            self._answer.set_exception(error)
        finally:
            self._ended.set()

    def _watch(self) -> None:
        """Another connection than that of the waiting thread: PySpark's own handler of Ctrl-C uses that."""
        with suppress(OutOfMemory):  # the JVM has ended, which the waiting thread tells
            while not self._ended.wait(_LOOK_SECONDS):
                self._seen = gateway.answer(self._reader.progress())
