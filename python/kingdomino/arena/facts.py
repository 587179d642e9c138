"""What a result depends on beside the plan: the versions, the machine, the command; never who or where."""

from __future__ import annotations

import os
import platform
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import kingdomino as kd


@dataclass(frozen=True, slots=True)
class Facts:
    """One stretch of a run: begun on a day (UTC), by a command, on a kind of machine."""

    date: str
    command: str
    on: str
    jobs: int | None
    version: str
    python: str
    system: str
    processor: str
    cores: int

    def to_mapping(self) -> dict[str, Any]:
        """Give the facts as JSON can hold them; ``Facts(**mapping)`` reads them back."""
        return asdict(self)


def gather(command: str, on: str, jobs: int | None) -> Facts:
    """Look at this process and this machine. A host's name is nobody's business, and is left out."""
    return Facts(
        date=datetime.now(UTC).date().isoformat(),
        command=command,
        on=on,
        jobs=jobs,
        version=kd.__version__,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.machine()}",
        processor=_processor(),
        cores=available_cores(),
    )


def available_cores() -> int:
    """Give how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
