"""What holds for every test: the same Hypothesis examples on every machine, no clock over them, files that no
disk has to write, and the bots that there are before it.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

import kingdomino as kd

settings.register_profile("kingdomino", deadline=None, derandomize=True, database=None)
settings.load_profile("kingdomino")

MEMORY = Path("/dev/shm")
ENOUGH = 512 * 2**20
"""Bytes: several times what all tests write."""


def pytest_configure() -> None:
    """Keep what tests write in memory, where there is enough: a server waits for its disk at every move."""
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= ENOUGH:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


@pytest.fixture(autouse=True)
def _registered_bots_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a bot be known to the test that registers it, and to no other."""
    registry = kd.bots._registry  # noqa: SLF001 - nobody else takes a registration back
    monkeypatch.setattr(registry, "_factories", dict(registry._factories))  # noqa: SLF001
    yield
    sys.modules.pop("bad_bots_registered", None)  # to be imported, and to register, by whoever needs it next
