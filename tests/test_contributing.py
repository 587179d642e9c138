"""CONTRIBUTING follows three things through the program: its files exist, and they define its names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = ROOT / "python/kingdomino"
TEXT: Final = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
_FILE: Final = re.compile(r"[\w/.-]+\.(?:py|rs|js)")
_DEFINITION: Final = r"\b(?:class|def|struct|enum|fn|function)\s+{}\b"


def steps(walk: str) -> list[str]:
    """Return the numbered steps of a walk."""
    _, found, after = TEXT.partition(f"\n**{walk}")
    assert found, walk
    return re.split(r"(?m)^\d\. ", after.split("\n\n")[1])[1:]


def definitions(step: str) -> Iterator[tuple[str, str | None]]:
    """Yield the names of a step, each with the file that follows it."""
    name = None
    for word in re.findall(r"`([^`]+)`", step):
        if _FILE.fullmatch(word):
            assert name, f"{word} follows no name"
            yield name, word
            name = None
        else:
            if name:
                yield name, None
            name = word
    if name:
        yield name, None


def sources(file: str | None) -> list[Path]:
    """Return a file, given from the root or from the package; without one, all files of the crates and the package."""
    if file is not None:
        return [path for path in (ROOT / file, PACKAGE / file) if path.is_file()]
    crates = (ROOT / "crates").glob("*/src/**/*.rs")
    return [*crates, *PACKAGE.rglob("*.py")]


@pytest.mark.parametrize("walk", ["A refusal", "An action at a table", "A bot's turn"])
def test_a_walk_leads_through_three_files_that_define_its_names(walk: str) -> None:
    listed = steps(walk)
    assert len(listed) == 3
    for name, file in [pair for step in listed for pair in definitions(step)]:
        files = sources(file)
        assert files, f"{file} does not exist"
        for part in re.findall(r"\w+", name.removeprefix("kd.")):
            pattern = re.compile(_DEFINITION.format(part))
            is_defined = any(pattern.search(path.read_text(encoding="utf-8")) for path in files)
            assert is_defined or name == "str(refusal)", f"{name} is not defined in {file or 'any file'}"
