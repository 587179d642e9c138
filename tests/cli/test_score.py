"""``kingdomino score``."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.photos import CORNERS, as_file, photographed, played, taught_by

import kingdomino as kd

Run = Callable[..., Any]

HOLED = "w1fw/.Cl1/ff."


def test_a_kingdom_is_scored_from_its_text_a_file_or_stdin(run: Run, tmp_path: Path) -> None:
    shown = run("score", HOLED)
    assert (shown.status, shown.err) == (0, "")
    for said in ("w1 f  w", "1\N{MULTIPLICATION SIGN}1", "2 points"):
        assert said in shown.out
    assert "doubt" not in shown.out
    file = tmp_path / "kingdom.txt"
    file.write_text("wheat 1, wood, field\n,castle,water 1\nforest,wood,\n")
    assert run("score", file).out == shown.out
    assert run("score", "-", typed=file.read_text()).out == shown.out
    assert run("score", file.read_text()).out == shown.out


def test_bonuses_count_when_they_are_asked_for(run: Run) -> None:
    assert "12 points: 2 territories, 10 Middle Kingdom" in run("score", HOLED, "--middle-kingdom").out
    assert "Harmony" not in run("score", HOLED, "--harmony").out


def test_a_doubt_has_row_and_column(run: Run) -> None:
    shown = run("score", "ffC/m3m.").out
    assert "doubt: no dominoes make these squares, each used once (row 2 column 1)" in shown
    assert "doubt: no domino has swamp with 3 crowns (row 1 column 2)" in run("score", "Cs3s").out


def test_a_kingdom_that_does_not_fit_into_5x5_is_one_of_7x7(run: Run, refuses: Run) -> None:
    assert run("score", "Cwwwwwf").status == 0
    assert run("score", "Cww", "--mighty-duel").status == 0
    refuses("score", "Cwwwwwwwf", said=["9 squares wide"])


def test_the_best_kingdom_of_the_same_dominoes_is_shown(run: Run, refuses: Run) -> None:
    shown = run("score", HOLED, "--best").out
    assert "The same dominoes can score at least" in shown
    refuses("score", "Cm3m", "--best", said=["no dominoes make this kingdom"])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("nowhere.txt", "nowhere.txt: No such file or directory"),
        ("", "this is empty"),
        ("wheat, lava", "row 1, column 2: no terrain is called"),
        ("ww/ff", "0 castles"),
        ("C/w4", "row 2, column 1: 4 crowns"),
        ("x" * 5_000, "x"),
    ],
)
def test_invalid_text_is_refused_in_one_line(refuses: Run, given: str, said: str) -> None:
    refuses("score", given, said=[said])


def test_the_text_that_every_kingdom_has_is_read(run: Run) -> None:
    game, bot = kd.Game(seed=3), kd.bots.make("greedy")
    while not game.is_over:
        game.play(bot.choose(game.position))
    for kingdom in game.position.kingdoms:
        assert f"{kingdom.score().total} points" in run("score", kingdom.to_text()).out


@pytest.fixture
def kitchen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Photograph a kingdom of our own art, which the reader has been taught."""
    monkeypatch.setattr(kd.photo, "read", partial(kd.photo.read, taught=taught_by(4)))
    file = tmp_path / "kitchen.jpg"
    file.write_bytes(as_file(photographed(played(11), 12)))
    return file


@pytest.fixture
def corners() -> list[str]:
    """Return the corners as a reader types them."""
    return ["--corners", *(f"{x:.0f},{y:.0f}" for x, y in CORNERS)]


def test_a_photograph_is_scored(run: Run, kitchen: Path, corners: list[str]) -> None:
    shown = run("score", kitchen, *corners)
    assert shown.status == 0
    assert str(played(11).score()) in shown.out


def test_the_squares_to_check_have_row_and_column(
    run: Run, kitchen: Path, corners: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sure = kd.photo.read(kitchen, corners=CORNERS)
    squares = [
        square._replace(is_doubtful=number == 7, probability=0.5)
        for number, square in enumerate(sure.squares)
    ]
    monkeypatch.setattr(kd.photo, "read", lambda *_: sure._replace(squares=tuple(squares)))
    assert run("score", kitchen, *corners).out.startswith("check row 2 column 3: ")


def test_a_photograph_without_a_kingdom_is_refused_with_the_reason(
    kitchen: Path, corners: list[str], refuses: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = kd.photo.read(kitchen, corners=CORNERS)
    squares = [square._replace(square=None) for square in read.squares]
    monkeypatch.setattr(kd.photo, "read", lambda *_: read._replace(kingdom=None, squares=tuple(squares)))
    refuses("score", kitchen, *corners, said=["0 castles"])


def test_a_picture_that_cannot_be_read_is_refused_in_one_line(
    tmp_path: Path, kitchen: Path, corners: list[str], refuses: Run
) -> None:
    whole = kitchen.read_bytes()
    for name, content, said in (
        ("text.jpg", b"w1ff/.C.", "not a JPEG, PNG or WebP picture"),
        ("phone.heic", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "save the picture as JPEG"),
        ("half.jpg", whole[: len(whole) // 2], "damaged or incomplete"),
    ):
        (tmp_path / name).write_bytes(content)
        refuses("score", tmp_path / name, said=[name, said])
    refuses("score", tmp_path / "nothing.jpg", said=["nothing.jpg: No such file or directory"])
    refuses("score", kitchen, "--corners", "1,1", "2", "3,3", "4,4", said=["'2' is no corner"])
    refuses("score", kitchen, "--corners", "1,1", "2,2", "3,3", "4,4", said=["corners must go around"])
    refuses("score", kitchen, *corners, "--size", "6", said=["6"])
    refuses("score", HOLED, *corners, said=["--corners is for photographs"])
