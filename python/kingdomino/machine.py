"""The machine: its processor, and how many of its cores this process may use."""

import os
import platform
from pathlib import Path

_CPUINFO = Path("/proc/cpuinfo")


def available_cores() -> int:
    """Return how many cores this process may use: fewer than the machine has if it is confined to some of them."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def processor() -> str:
    """Name the processor as the system does: ``AMD EPYC 7B13``, or the architecture if it says no more."""
    if _CPUINFO.exists():
        for line in _CPUINFO.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
