"""On what a run was made."""

from __future__ import annotations

import hashlib
import os
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from benchmarks.storage import kind
from rockstate.launch.jars import jar_path


def describe(storage: Path | None) -> dict[str, Any]:
    """CPU model, cores, memory in bytes, where checkpoints lay, date (UTC) and Rockstate's jar."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count() or 1,
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "storage": kind(storage),
        "jar": jar_fingerprint(),
        "date": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
    }


def jar_fingerprint() -> str:
    """Tells Rockstate's jar from another build's."""
    return hashlib.sha256(jar_path().read_bytes()).hexdigest()[:16]


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return "unknown"
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")
