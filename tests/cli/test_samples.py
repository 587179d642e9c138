"""The guides' samples of the command line match its output. "…" stands for omitted lines."""

import re
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

ROOT = Path(__file__).parents[2]
GUIDES = sorted(ROOT.glob("docs/guides/*.md"))
SAMPLES = [
    block.removeprefix("$ ").rstrip().split("\n")
    for guide in GUIDES
    for block in guide.read_text(encoding="utf-8").split("```\n")
    if block.startswith("$ kingdomino ")
]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample[0])
def test_a_sample_matches_the_output(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sample: list[str]
) -> None:
    command, *shown = [re.sub(r"in [\d.]+ seconds", "in … seconds", line) for line in sample]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    out = re.sub(r"in [\d.]+ seconds", "in … seconds", run(*command.split()[1:]).out)
    printed = [line.rstrip() for line in out.splitlines()]
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
    assert len(SAMPLES) == 5
