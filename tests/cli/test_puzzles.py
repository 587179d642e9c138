"""The commands `puzzle` and `puzzles`."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import kingdomino as kd
from kingdomino.analysis import making
from kingdomino.analysis.puzzles import line_of, parse
from kingdomino.cli.terminal import puzzling

Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzling, "LIMIT", kd.bots.Limit(playouts=400))
    monkeypatch.setattr(making, "_GLANCE", 50)
    monkeypatch.setattr(making, "BUDGET", 100)


def a_claim() -> kd.analysis.Puzzle:
    return next(one for one in kd.analysis.puzzles() if one.solutions[0].kind == "claim")


def test_a_wrong_attempt_is_answered_and_the_solution_shown(run: Run) -> None:
    puzzle = a_claim()
    wrong = [one for one in puzzle.position.legal_actions() if not puzzle.is_solved_by(one)]
    result = run("puzzle", "--name", puzzle.name, typed=f"{wrong[0]}\n{puzzle.solutions[0]}\n")
    assert result.status == 0
    assert f"{wrong[0]}: " in result.out
    assert "Solved after 1 wrong attempt." in result.out
    assert f"The best is {puzzle.solutions[0]}" in result.out


def test_one_can_give_up_leave_and_ask(run: Run) -> None:
    puzzle = a_claim()
    result = run("puzzle", "--name", puzzle.name, typed="?\nmap\nscore\nunseen\n\nhint\nclaim 99\nsolution\n")
    assert result.status == 0
    assert "give up, and see the solution" in result.out
    assert "a puzzle has no hint" in result.out
    assert "Solved" not in result.out
    assert f"The best is {puzzle.solutions[0]}" in result.out
    for typed in ("quit\n", ""):
        result = run("puzzle", "--name", puzzle.name, typed=typed)
        assert result.status == 0
        assert "The best is" not in result.out


def test_a_puzzle_is_chosen_by_day_theme_and_level(run: Run) -> None:
    daily = kd.analysis.daily_puzzle("2026-03-01")
    assert f"Puzzle {daily.name}, " in run("puzzle", "--date", "2026-03-01").out
    assert "Puzzle " in run("puzzle").out
    result = run("puzzle", "--theme", daily.themes[0], "--level", daily.level)
    assert f", level {daily.level}: " in result.out


def test_a_puzzle_that_does_not_exist_is_refused(refuses: Callable[..., None]) -> None:
    refuses("puzzle", "--name", "none", said=["no puzzle has the name 'none'"])
    refuses("puzzle", "--theme", "luck", said=["no puzzle has the theme 'luck': the themes are "])
    refuses("puzzle", "--date", "2026-02-30", said=["is not a date"])
    refuses("puzzle", "--date", "2026-03-01", "--level", 3, said=["exclude each other"])


def test_making_can_be_stopped_and_goes_on_to_the_same_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, pieces = tmp_path / "whole.txt", tmp_path / "pieces.txt"
    arguments = ("--seed", 3, "--games", 2)
    assert run("puzzles", "make", "--out", whole, *arguments).status == 0
    assert parse(whole.read_text())

    def stopped(number: int, seed: int) -> Iterator[kd.analysis.Puzzle]:
        if number == 1:
            raise KeyboardInterrupt
        return making.puzzles_of_game(number, seed)

    with monkeypatch.context() as patch:
        patch.setattr("kingdomino.cli.puzzles.puzzles_of_game", stopped)
        assert run("puzzles", "make", "--out", pieces, *arguments).status == 130
    assert len(parse(pieces.read_text())) < len(parse(whole.read_text()))
    part = tmp_path / "pieces.txt.part"
    part.write_text(part.read_text() + "cut sh")
    assert run("puzzles", "make", "--out", pieces, *arguments).status == 0
    assert pieces.read_text() == whole.read_text()
    assert part.read_text() == (tmp_path / "whole.txt.part").read_text()


def test_making_refuses_the_games_of_another_seed(refuses: Callable[..., None], tmp_path: Path) -> None:
    (tmp_path / "a.txt.part").write_text("kingdomino puzzles 1 of seed 1\n")
    refuses("puzzles", "make", "--out", tmp_path / "a.txt", "--seed", 2, said=["is not of seed 2"])
    refuses("puzzles", "make", "--out", tmp_path / "none" / "a.txt", said=["no such folder"])


def test_rating_replaces_the_levels_alone(run: Run, refuses: Callable[..., None], tmp_path: Path) -> None:
    file = tmp_path / "puzzles.txt"
    puzzle = a_claim()
    text = f"kingdomino puzzles 1\n{line_of(replace(puzzle, level=1))}\nend 1\n"
    file.write_text(text)
    assert run("puzzles", "rate", file).status == 0
    assert parse(file.read_text()) == (making.rated(puzzle),)
    file.write_text(text[:-7])
    refuses("puzzles", "rate", file, said=["cut short"])
    assert file.read_text() == text[:-7]
