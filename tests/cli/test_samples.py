"""What the guides show of the command line is what it prints. "…" stands for lines that are left out."""

from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs/guides/analysis.md"
SAMPLES = [
    block.removeprefix("$ ").rstrip().split("\n")
    for block in GUIDE.read_text(encoding="utf-8").split("```\n")
    if block.startswith("$ kingdomino ")
]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample[0])
def test_a_sample_is_what_is_printed(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sample: list[str]
) -> None:
    command, *shown = sample
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    printed = [line.rstrip() for line in run(*command.split()[1:]).out.splitlines()]
    at = 0
    for is_left_out, group in groupby(shown, lambda line: line == "…"):
        if is_left_out:
            continue
        lines = list(group)
        while printed[at : at + len(lines)] != lines:
            at += 1
            assert at < len(printed), f"not printed: {lines}"
        at += len(lines)


def test_there_are_samples() -> None:
    assert len(SAMPLES) == 3
