# /// script
# requires-python = ">=3.11"
# dependencies = ["brotli>=1.2"]
# ///
"""Builds the engine for JavaScript into the browser client: `make engine`, and every build of the package.

Its files are compressed here, as well as brotli can, which takes seconds. Cargo rebuilds only changes. If the Rust
toolchain cannot build for WebAssembly, the package lacks the engine, and `make` reports the missing tools.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import brotli

ROOT: Final = Path(__file__).resolve().parents[1]
BUILT: Final = ROOT / "python/kingdomino/server/static/engine"
TARGET: Final = "wasm32-unknown-unknown"
FILES: Final = {"kingdomino.wasm.br": [], "play.wasm.br": ["--no-default-features"]}
"""The files, and cargo's options for their calls: all of them, or only those of a page that plays."""


def build() -> None:
    """Build the engine, and copy its other files and the networks. A source distribution already contains it."""
    if (ROOT / "PKG-INFO").exists():
        return
    BUILT.mkdir(exist_ok=True)
    for file in (*(ROOT / "crates/web/js").iterdir(), *(ROOT / "crates/search/src/value").glob("*.i8")):
        shutil.copy(file, BUILT)
    if (options := _options()) is None:
        return
    config = [f"--config=target.{TARGET}.{key}={json.dumps(value)}" for key, value in options.items()]
    standard_library = ["-Zbuild-std=std,panic_abort"] if "linker" in options else []
    said = subprocess.run(
        ["cargo", "metadata", "--no-deps", "--format-version=1"], cwd=ROOT, check=True, capture_output=True
    )
    built = Path(json.loads(said.stdout)["target_directory"], TARGET, "web/kingdomino_wasm.wasm")
    for name, features in FILES.items():
        subprocess.run(
            [
                "cargo",
                "rustc",
                "--quiet",
                "--locked",
                "--package=kingdomino-wasm",
                "--lib",
                "--crate-type=cdylib",
                "--profile=web",
                f"--target={TARGET}",
                *features,
                *config,
                *standard_library,
            ],
            cwd=ROOT,
            env=os.environ | ({"RUSTC_BOOTSTRAP": "1"} if standard_library else {}),
            check=True,
        )
        _compress(built.read_bytes(), BUILT / name)


def _compress(content: bytes, file: Path) -> None:
    if not file.exists() or brotli.decompress(file.read_bytes()) != content:
        file.write_bytes(brotli.compress(content))


def _options() -> dict[str, str | list[str]] | None:
    """Return cargo's options for WebAssembly on this machine; ``None`` if it cannot build for it."""
    flags: dict[str, str | list[str]] = {"rustflags": ["-Ctarget-feature=+simd128"]}
    found = subprocess.run(["rustc", "--print=sysroot"], cwd=ROOT, check=True, capture_output=True, text=True)
    libraries = Path(found.stdout.strip(), "lib/rustlib")
    if not (libraries / TARGET).exists() and shutil.which("rustup"):
        subprocess.run(["rustup", "target", "add", TARGET], cwd=ROOT, check=False, capture_output=True)
    if (libraries / TARGET).exists():
        return flags
    # Debian's own has the standard library as source.
    linkers = [*(f"wasm-ld-{version}" for version in range(30, 15, -1)), "wasm-ld"]
    linker = next(filter(shutil.which, linkers), None)
    if linker and (libraries / "src/rust/library/std").exists():
        return flags | {"linker": linker}
    return None


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(_options() is None)
    build()
