"""What a process says first, kept in case it ends early."""

from __future__ import annotations

import os
from threading import Thread

_KEPT = 256 * 1024
_SECONDS_TO_END = 5


class FirstWords:
    """Takes all that is written to `pipe`, and keeps the beginning."""

    def __init__(self) -> None:
        reading, self.pipe = os.pipe()
        self._kept = b""
        self._reader = Thread(target=self._read, args=(reading,), daemon=True)
        self._reader.start()
        self._is_open = True

    def close(self) -> None:
        """Gives up this process's end; that of a process which was started with it stays."""
        if self._is_open:
            os.close(self.pipe)
            self._is_open = False

    def text(self) -> str:
        """What was said by a process that has ended. Closes this process's end."""
        self.close()
        self._reader.join(_SECONDS_TO_END)
        return self._kept.decode(errors="replace")

    def _read(self, reading: int) -> None:
        with os.fdopen(reading, "rb", buffering=0) as words:
            while said := words.read(8192):
                self._kept += said[: _KEPT - len(self._kept)]
