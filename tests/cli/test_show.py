"""``kingdomino show``."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from support.outcomes import ended, totals

import kingdomino as kd

Run = Callable[..., Any]


@pytest.fixture
def record() -> kd.Record:
    """Return the record of a finished game with every bonus."""
    game, bot = kd.Game(kd.Rules(2, harmony=True, middle_kingdom=True), seed=7), kd.bots.make("greedy")
    while not game.is_over:
        game.play(bot.choose(game.position))
    return kd.Record.from_game(game, players=["Ida", "greedy"], tags={"event": "a [bold] Sunday"})


@pytest.fixture
def file(record: kd.Record, tmp_path: Path) -> Path:
    """Write the record as a text file."""
    path = tmp_path / "game.txt"
    path.write_text(record.to_text())
    return path


def test_the_end_of_a_game_is_shown(run: Run, record: kd.Record, file: Path) -> None:
    result = run("show", file)
    assert (result.status, result.err) == (0, "")
    outcome = ended(record)
    for said in (
        "2 players, second edition, Harmony, Middle Kingdom, seed 7",
        "event: a [bold] Sunday",
        "Ida",
    ):
        assert said in result.out
    assert f"{max(totals(outcome))} to {min(totals(outcome))}" in result.out
    assert max(map(len, result.out.splitlines())) <= 80
    assert "\x1b" not in result.out


def test_territories_are_shown_as_squares_times_crowns(run: Run, record: kd.Record, file: Path) -> None:
    shown = run("show", file).out
    for kingdom in record.positions()[-1].kingdoms:
        for territory in kingdom.territories():
            if territory.crowns:
                assert f"{len(territory.squares)}\N{MULTIPLICATION SIGN}{territory.crowns}" in shown


def test_json_is_read_like_text(run: Run, record: kd.Record, file: Path) -> None:
    text = run("show", file).out
    file.write_text(record.to_json())
    assert run("show", file).out == text


def test_any_ply_is_shown(run: Run, refuses: Run, record: kd.Record, file: Path) -> None:
    plies = len(record.actions())
    assert "claims a domino" in run("show", file, "--ply", 0).out
    shown = {run("show", file, "--ply", ply).out for ply in range(plies + 1)}
    assert len(shown) == plies + 1
    assert run("show", file, "--ply", plies).out == run("show", file).out
    refuses("show", file, "--ply", plies + 1, said=[f"it has only {plies} plies"])
    refuses("show", file, "--ply", -1, said=["--ply"])


def test_a_picture_is_written(run: Run, file: Path, tmp_path: Path) -> None:
    for ply in (["--ply", 10], []):
        picture = tmp_path / f"{len(ply)}.svg"
        assert run("show", file, "--svg", picture, *ply).status == 0
        assert ElementTree.parse(picture).getroot().tag.endswith("svg")


def test_a_picture_that_cannot_be_written_is_reported(refuses: Run, file: Path, tmp_path: Path) -> None:
    refuses("show", file, "--svg", tmp_path / "no" / "folder.svg", said=["No such file or directory"])


def test_a_missing_file_is_refused(refuses: Run) -> None:
    refuses("show", "nowhere.txt", said=["nowhere.txt: No such file or directory"])
    refuses("show", said=["Missing argument", "kingdomino show --help"])


def test_records_of_both_versions_stand_in_one_file(run: Run, record: kd.Record, file: Path) -> None:
    annotated = record.annotated(annotations={0: kd.Annotation(cost=0.5)})
    shown = run("show", file).out
    for texts in ((annotated, record), (record, annotated)):
        file.write_text("\n".join(text.to_text() for text in texts))
        assert run("show", file).out == shown


def test_the_comment_and_the_annotation_of_a_decision_are_shown(
    run: Run, record: kd.Record, file: Path
) -> None:
    said = kd.Annotation((0.6, 0.4), best=record.actions()[8], cost=0.031, cost_points=1.4)
    file.write_text(record.annotated({8: "Why not\nthere?"}, {8: said}).to_text())
    lines = run("show", file, "--ply", 8).out.splitlines()
    assert lines[-5:] == [
        "Why not",
        "there?",
        "to win: 60%, 40%",
        f"best: {record.actions()[8]}",
        f"played: {record.actions()[8]}, costs 3.1%, 1.4 points",
    ]
    assert "Why not" not in run("show", file).out


def test_a_position_is_shown_from_its_text_a_file_or_stdin(
    run: Run, record: kd.Record, tmp_path: Path
) -> None:
    text = record.positions()[20].to_text()
    shown = run("show", text)
    assert (shown.status, shown.err) == (0, "")
    assert "2 players, second edition, Harmony, Middle Kingdom" in shown.out
    assert "Pink" in shown.out
    file, picture = tmp_path / "position.txt", tmp_path / "position.svg"
    file.write_text(f"{text}\n")
    assert run("show", file, "--svg", picture).out == run("show", "-", typed=text).out == shown.out
    assert picture.read_text() == kd.svg.position(kd.Position.parse(text))


def test_a_position_without_a_choice_is_shown_too(run: Run, record: kd.Record) -> None:
    assert "to " in run("show", record.positions()[-1].to_text()).out
    game = kd.Game(seed=7)
    while (position := game.position.play(game.legal_actions()[0])).phase != "chance":
        game.play(game.legal_actions()[0])
    assert (
        "is drawn" in run("show", position.to_text()).out
        or "is revealed" in run("show", position.to_text()).out
    )


def test_a_kingdom_is_shown_from_its_text(run: Run, refuses: Run, tmp_path: Path) -> None:
    picture = tmp_path / "kingdom.svg"
    shown = run("show", "w1w/.C", "--svg", picture)
    assert (shown.status, shown.err) == (0, "")
    assert kd.text.kingdom(kd.Kingdom.parse("w1w/.C")) in shown.out
    assert "2\N{MULTIPLICATION SIGN}1" in shown.out
    assert picture.read_text() == kd.svg.kingdom(kd.Kingdom.parse("w1w/.C"))
    assert run("show", "wwwwwwC").status == 0  # wider than 5, so it is one of the Mighty Duel
    refuses("show", "wwwwwwwC", said=["kingdom: ", "7 at the most"])
    refuses("show", "w1w/.C", "--ply", 3, said=["--ply is for records"])
    refuses("analyse", "w1w/.C", said=["nothing to choose"])


def test_the_error_for_an_empty_argument_names_the_input_to_give(refuses: Run) -> None:
    for command in ("show", "analyse"):
        refuses(command, "", said=["give the name of a file"])


def test_a_ply_of_a_position_is_refused(refuses: Run, record: kd.Record) -> None:
    refuses("show", record.positions()[20].to_text(), "--ply", 3, said=["--ply is for records"])
    refuses("show", "kd1 nonsense", said=["position: a position has 8 words"])


def test_long_names_keep_the_layout(run: Run, tmp_path: Path) -> None:
    spec = "engine:command=python3 /home/ida/engines/best/engine.py,time=0.1"
    game = kd.Game(seed=7)
    file = tmp_path / "game.txt"
    file.write_text(kd.Record.from_game(game, players=[spec, spec]).to_text())
    shown = run("show", file).out.splitlines()
    assert max(map(len, shown)) <= 80
    assert "engine:command=pyth… 1  0" in shown[1]
    assert "engine:command=pyth… 2  0" in shown[1]
