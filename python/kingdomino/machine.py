"""The machine: its processor, and the number of cores for this process."""

import os
import platform
from pathlib import Path

_CPUINFO = Path("/proc/cpuinfo")


def available_cores() -> int:
    """Return the number of cores that this process may use, which can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def processor() -> str:
    """Return the system's name of the processor, ``AMD EPYC 7B13``, or else the architecture."""
    if _CPUINFO.exists():
        for line in _CPUINFO.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
