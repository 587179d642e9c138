"""Builds the package as maturin does, with the commit written into it: the build backend of pyproject.toml.

A source distribution has no git but already has the commit, and so the wheels built from it have it, too.
"""

import runpy
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import maturin
from maturin import (
    build_editable,
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
    with _commit_written():
        file: str = maturin.build_wheel(wheel_directory, config_settings, metadata_directory)
    return file


def build_sdist(sdist_directory: str, config_settings: Mapping[str, Any] | None = None) -> str:
    """Build a source distribution, and name its file."""
    with _commit_written():
        file: str = maturin.build_sdist(sdist_directory, config_settings)
    return file


@contextmanager
def _commit_written() -> Iterator[None]:
    module = runpy.run_path("python/kingdomino/cli/version.py")
    commit, file = module["commit"](), module["RECORDED"]
    if commit is None or file.exists():
        yield
        return
    file.write_text(f"{commit}\n", encoding="ascii")
    try:
        yield
    finally:
        file.unlink()
