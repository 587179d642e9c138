"""Small or slow disks for tests and measurements."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_ZEROS: Final = bytes(1_000_000)
_SLOW: Final = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
#define SLOW(name) int name(int file) { usleep(DELAY); return ((int (*)(int))dlsym(RTLD_NEXT, #name))(file); }
SLOW(fsync)
SLOW(fdatasync)
"""


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[None]:
    """Mount a disk in memory on a folder. Raises `PermissionError` without root privileges."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "small", str(folder)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        raise PermissionError(done.stderr.strip())
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(file: Path) -> None:
    """Fill the rest of a file's disk with it."""
    with suppress(OSError), file.open("wb", buffering=0) as filler:
        while True:
            filler.write(_ZEROS)


def slow_flushes(folder: Path, seconds: float) -> dict[str, str]:
    """Return an environment that delays each `fsync` and `fdatasync` of a program; needs gcc.

    Builds the library that delays them in ``folder``.
    """
    library = folder / "slow.so"
    build = [
        "gcc",
        "-shared",
        "-fPIC",
        f"-DDELAY={round(seconds * 1e6)}",
        "-x",
        "c",
        "-",
        "-o",
        str(library),
        "-ldl",
    ]
    subprocess.run(build, input=_SLOW, text=True, check=True)
    return {"LD_PRELOAD": str(library)}
