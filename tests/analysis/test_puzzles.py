"""Puzzles: those that come with the library, and how they are made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import kingdomino as kd
from kingdomino.analysis import Puzzle, daily_puzzle, making, puzzles
from kingdomino.analysis.puzzles import line_of, parse, to_text

POSITION = (
    "kd1 2.second.random.harmony.middle 1 place:1 1@1,16@1,42@0,46@0 5,11,43,44 "
    "2-4,6-10,12-15,17-41,45,47-48 C;C"
)


def file(*lines: str) -> str:
    return "\n".join(["kingdomino puzzles 1", *lines, f"end {len(lines)}", ""])


def line(
    name: str = "a1",
    level: str = "3",
    cost: str = "4.2",
    themes: str = "room",
    solution: str = "place 1,0>2,0",
) -> str:
    return "\t".join([name, level, cost, themes, solution, POSITION])


def test_the_puzzles_of_the_library_are_whole() -> None:
    found = puzzles()
    assert parse(to_text(found)) == found
    assert len((Path(kd.__file__).parent / "server/static/puzzles.txt").read_bytes()) < 300_000
    for puzzle in found:
        position = puzzle.position
        classes = {position.equivalent(action) for action in position.legal_actions()}
        solved = {position.equivalent(action) for action in puzzle.solutions}
        assert len(solved) == 1
        assert len(classes) > 1
        assert position.equivalent(kd.bots.choose(position, "greedy", 0)) not in solved


def test_equivalent_actions_are_solutions_too() -> None:
    [puzzle] = parse(file(line()))
    assert {str(one) for one in puzzle.solutions} == {
        "place 1,0>2,0",
        "place 0,1>0,2",
        "place -2,0>-1,0",
        "place 0,-2>0,-1",
    }
    assert puzzle.is_solved_by(kd.Action.parse("place 0,2>0,1"))
    assert not puzzle.is_solved_by(kd.Action.parse("place 1,0>1,1"))


def test_every_puzzle_has_its_day() -> None:
    days = [f"2026-{month:02}-{day:02}" for month in range(1, 13) for day in range(1, 29)]
    names = {daily_puzzle(day).name for day in days}
    assert len(names) > min(len(puzzles()), len(days)) // 2
    assert daily_puzzle("2126-01-01").name in {puzzle.name for puzzle in puzzles()}


@pytest.mark.parametrize("day", ["", "tomorrow", "2026-02-30", "2026-1-1", "0000-01-01", "9" * 100_000])
def test_a_day_that_does_not_exist_is_refused(day: str) -> None:
    with pytest.raises(kd.ParseError, match=r"is not a date \(like 2026-03-01\)$"):
        daily_puzzle(day)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "these are no puzzles"),
        ("kingdomino puzzles 2\nend 0\n", "another version"),
        (file(line(), line("b2"))[:-7], "cut short"),
        (file(line(), line("b2"))[:-80], "line 3: "),
        (file(line()).replace("end 1", "end 7"), "line 3: the end counts"),
        (file(line(), line()), 'line 3: the name "a1" is given for the second time'),
        (file(line(solution="claim 5")), "line 2: the solution claim 5 is illegal"),
        (file(line(level="0")), 'line 2: "0" is not a level'),
        (file(line(cost="-1")), 'line 2: "-1" is not a cost'),
        (file(line(themes="luck")), 'line 2: "luck" is not a theme'),
        (file(line()[:-3]), "line 2: "),
        (file("x" * 10**6), "line 2: a puzzle has six fields"),
    ],
)
def test_a_wrong_file_is_refused_in_one_sentence(text: str, said: str) -> None:
    with pytest.raises(kd.ParseError) as refused:
        parse(text)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


@pytest.fixture(scope="module")
def made() -> list[Puzzle]:
    return list(made_roughly(0))


def made_roughly(seed: int) -> list[Puzzle]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(making, "_GLANCE", 50)
        patch.setattr(making, "BUDGET", 100)
        return list(making.puzzles_of_game(0, seed))


def test_making_repeats_itself(made: list[Puzzle]) -> None:
    assert made
    assert made_roughly(0) == made
    assert made_roughly(1) != made
    assert parse(to_text(made)) == tuple(made)


def test_a_puzzle_has_the_lowest_level_that_finds_it(
    made: list[Puzzle], monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = made[0]
    wrong = next(one for one in puzzle.position.legal_actions() if not puzzle.is_solved_by(one))

    def choice(lowest: int) -> None:
        monkeypatch.setattr(
            making,
            "level_move",
            lambda _position, level, _seed: (puzzle.solutions[0] if level >= lowest else wrong, None),
        )

    for lowest in (1, 4, 8):
        choice(lowest)
        assert making.rated(puzzle) == replace(puzzle, level=lowest)


def test_a_puzzle_is_written_as_its_line_in_the_file() -> None:
    [puzzle] = parse(file(line(solution="place 0,1>0,2")))
    assert parse(file(line_of(puzzle))) == (puzzle,)
