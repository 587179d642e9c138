"""Whole games in readable text, regenerated and compared line by line with the files.

After an intended change, `python tools/playthroughs.py` writes them again; reviewers then see the difference.
"""

import runpy
from pathlib import Path

import pytest

import kingdomino as kd

TOOL = runpy.run_path(str(Path(__file__).parent.parent / "tools" / "playthroughs.py"))
KEPT = sorted(TOOL["FOLDER"].glob("*.txt"))


def test_the_folder_has_every_playthrough_and_no_other_file() -> None:
    assert sorted(path.name for path in KEPT) == sorted(f"{text}.txt" for text in TOOL["RULES"])


@pytest.mark.parametrize(("rules", "seed"), TOOL["RULES"].items())
def test_a_playthrough_is_as_in_its_file(rules: str, seed: int) -> None:
    kept = (TOOL["FOLDER"] / f"{rules}.txt").read_text(encoding="utf-8").splitlines()
    played = TOOL["playthrough"](rules, seed).splitlines()
    for number, (now, then) in enumerate(zip(played, kept, strict=False), start=1):
        assert now == then, f"{rules}.txt, line {number}"
    assert len(played) == len(kept)


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_the_record_of_a_kept_game_can_be_replayed(path: Path) -> None:
    _, _, text = path.read_text(encoding="utf-8").partition("## record\n")
    record = kd.Record.parse(text)
    assert record.to_text() == text
    assert record.rules.to_text() == path.stem
    assert record.replay().outcome() == record.outcome()
