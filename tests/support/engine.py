"""The engine for the page, which some toolchains cannot build."""

import os
from pathlib import Path

import pytest

from kingdomino import server

_FILE = Path(server.__file__).with_name("static") / "engine/kingdomino.wasm.br"
INSTANTIATE = """
import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
const { instantiate } = await import(engine);
const start = async (file) =>
  instantiate(await WebAssembly.compile(brotliDecompressSync(readFileSync(new URL(`${file}.wasm.br`, engine)))));
"""
"""The beginning of a script for Node: it starts an engine's file, and returns the function for its calls."""

needs_engine = pytest.mark.skipif(
    not _FILE.exists() and not os.environ.get("CI"), reason="no engine for the page: run `make engine`"
)
