"""Settings for all tests.

Hypothesis uses the same examples on every machine, without a deadline. Temporary files are in memory. Each
test restores the registry of bots and the log.
"""

import logging
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
    """Keep temporary files in memory if there is room: a server waits for its disk at every action."""
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= ENOUGH:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


@pytest.fixture(autouse=True)
def _registered_bots_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Limit a registration of a bot to one test."""
    registry = kd.bots._registry  # noqa: SLF001 - only tests undo a registration
    monkeypatch.setattr(registry, "_kinds", dict(registry._kinds))  # noqa: SLF001
    yield
    sys.modules.pop("support.bad_bots_registered", None)  # the next import registers the bots again


@pytest.fixture(autouse=True)
def _logging_is_restored() -> Iterator[None]:
    """Undo the log settings of a server in this process: its stream closes after the test."""
    yield
    root = logging.getLogger()
    for handler in root.handlers[:]:
        if type(handler) is logging.StreamHandler:  # pytest's have their own types
            root.removeHandler(handler)
    logging.getLogger("kingdomino").setLevel(logging.NOTSET)
