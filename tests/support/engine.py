"""The engine for the page, which some toolchains cannot build."""

import os
from pathlib import Path

import pytest

from kingdomino import server

_FILE = Path(server.__file__).with_name("static") / "engine/kingdomino.wasm.br"

needs_engine = pytest.mark.skipif(
    not _FILE.exists() and not os.environ.get("CI"), reason="no engine for the page: run `make engine`"
)
