"""The build backend of pyproject.toml: builds the package with maturin, and adds files.

These are the engine for JavaScript, the commit, and the guide to writing a bot, which a server shows if it
lacks the site of the documents. A source distribution has no git and no docs/, but it already contains these
files, and so do the wheels built from it.
"""

import os
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import maturin
from maturin import (
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]


def build_wheel(
    wheel_directory: str,
    config_settings: Mapping[str, Any] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Build a wheel, and name its file."""
    with _files_written():
        file: str = maturin.build_wheel(wheel_directory, config_settings, metadata_directory)
    return file


def build_editable(
    wheel_directory: str,
    config_settings: Mapping[str, Any] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Build what an editable installation needs, and name its file."""
    _get_rust()
    # Build both at the same time. The engine for JavaScript uses the cores that the native one leaves idle.
    with subprocess.Popen(["nice", "-n", "15", sys.executable, "tools/engine.py"]) as engine:
        file: str = maturin.build_editable(wheel_directory, config_settings, metadata_directory)
    if engine.returncode:
        sys.exit("The engine for the page was not built.")
    return file


def build_sdist(sdist_directory: str, config_settings: Mapping[str, Any] | None = None) -> str:
    """Build a source distribution, and name its file."""
    with _files_written():
        file: str = maturin.build_sdist(sdist_directory, config_settings)
    return file


def _get_rust() -> None:
    if not shutil.which("cargo"):  # maturin would then get Rust with this package, but later
        from puccinialin import setup_rust

        os.environ.update(setup_rust())


@contextmanager
def _files_written() -> Iterator[None]:
    _get_rust()
    runpy.run_path("tools/engine.py")["build"]()
    module = runpy.run_path("python/kingdomino/cli/version.py")
    commit, guide = module["commit"](), Path("docs/guides/engines.md")
    texts = {
        module["RECORDED"]: f"{commit}\n" if commit else None,
        Path("python/kingdomino/server/engines.md"): guide.read_text("utf-8") if guide.exists() else None,
    }
    written = {file: text for file, text in texts.items() if text is not None and not file.exists()}
    for file, text in written.items():
        file.write_text(text, encoding="utf-8")
    try:
        yield
    finally:
        for file in written:
            file.unlink()
