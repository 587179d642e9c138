"""A small disk that can be filled, for tests and measurements of what happens when there is no room."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

_ZEROS: Final = bytes(1_000_000)


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[None]:
    """Mount a disk in memory on a folder. Raises `PermissionError` if we may not: only root may."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "small", str(folder)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        raise PermissionError(done.stderr.strip())
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(file: Path) -> None:
    """Let a file take all the room of its disk."""
    with suppress(OSError), file.open("wb", buffering=0) as filler:
        while True:
            filler.write(_ZEROS)
