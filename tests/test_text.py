from collections.abc import Callable

import pytest
from support.fakes import KINGDOM, position_like, slot
from support.outcomes import outcome_of

import kingdomino as kd
from kingdomino import display


def test_a_kingdom_is_letters_crowns_and_the_squares_within_reach() -> None:
    assert kd.text.kingdom(KINGDOM).splitlines() == [
        "    -2 -1  0  1  2  3  4",
        "  4  .  .  .  .  .  .  .",
        "  3  .  .  .  .  .  .  .",
        "  2  .  .  s  .  .  .  .",
        "  1  .  .  m3 .  .  .  .",
        "  0  .  .  C  w  w1 .  .",
        " -1  .  .  .  .  .  .  .",
        " -2  .  .  .  .  .  .  .",
    ]


def test_the_board_of_a_full_box_has_no_room_around_it() -> None:
    row = kd.Kingdom.from_squares({(x, 0): ("lake", 0) for x in range(1, 5)}, size=5)
    assert kd.text.kingdom(row, coordinates=False).splitlines() == [
        " .  .  .  .  .",
        " .  .  .  .  .",
        " C  l  l  l  l",
        " .  .  .  .  .",
        " .  .  .  .  .",
    ]


def test_placements_are_numbered_at_their_joints() -> None:
    placements = [((3, 0), (3, 1)), ((3, 1), (3, 0)), ((-1, 0), (-2, 0))]
    assert kd.text.kingdom(KINGDOM, placements=placements).splitlines() == [
        "    -2    -1     0     1     2     3     4",
        "  4  .     .     .     .     .     .     .",
        "",
        "  3  .     .     .     .     .     .     .",
        "",
        "  2  .     .     s     .     .     .     .",
        "",
        "  1  .     .     m3    .     .     .     .",
        "                                   1,2",
        "  0  .  3  .     C     w     w1    .     .",
        "",
        " -1  .     .     .     .     .     .     .",
        "",
        " -2  .     .     .     .     .     .     .",
    ]


def test_a_line_has_its_lowest_domino_on_top_and_the_owners_of_its_kings() -> None:
    assert kd.text.line(
        [kd.Slot(kd.DOMINOES[19], 2), kd.DOMINOES[5], 47], names=["Ida", "Oskar", "Mara"]
    ) == ("   6   f  f\n  20   w1 l   Mara\n  47   s  m2")
    assert "\x1b" not in kd.text.line([kd.Slot(kd.DOMINOES[19], 0)], names=["\x1b[2J"])


def test_a_position_says_whose_turn_it_is_and_shows_every_kingdom_and_both_lines() -> None:
    assert kd.text.position(position_like(), names=["Ida", "Oskar"]).splitlines() == [
        "Round 2 of 6. Oskar places domino 6.",
        "Then Oskar claims 3, 30 or 48.",
        "",
        "  Ida  5                    > Oskar  0",
        "    -2 -1  0  1  2  3  4        -2 -1  0  1  2",
        "  4  .  .  .  .  .  .  .      2  .  .  .  .  .",
        "  3  .  .  .  .  .  .  .      1  .  .  .  .  .",
        "  2  .  .  s  .  .  .  .      0  .  .  C  .  .",
        "  1  .  .  m3 .  .  .  .     -1  .  .  .  .  .",
        "  0  .  .  C  w  w1 .  .     -2  .  .  .  .  .",
        " -1  .  .  .  .  .  .  .",
        " -2  .  .  .  .  .  .  .",
        "",
        "  This line             Next line",
        "   2   -                 3   f  f",
        ">  6   f  f   Oskar     30   l1 w",
        "  20   w1 l   Ida       36   w  g1  Ida",
        "  47   s  m2  Oskar     48   w  m3",
    ]


def test_boards_stack_on_a_narrow_terminal() -> None:
    text = kd.text.position(position_like(), width=40)
    assert max(map(len, text.splitlines())) <= 40
    assert text.index("Pink  5") < text.index("Yellow  0")


def test_colour_adds_escape_codes_and_changes_no_letter() -> None:
    plain, coloured = kd.text.position(position_like()), kd.text.position(position_like(), colour=True)
    assert "\x1b" not in plain
    assert [line.rstrip() for line in stripped(coloured).splitlines()] == plain.splitlines()
    for row in coloured.splitlines():
        assert "\x1b[" not in row or row.rstrip().endswith("\x1b[0m"), "a colour runs on"


def test_plain_boards_are_ascii() -> None:
    assert kd.text.position(position_like()).isascii()


def test_a_name_cannot_steer_the_terminal() -> None:
    assert "\x1b" not in kd.text.position(position_like(), names=["Ida\x1b[2J", "Oskar\n\r"])


def test_spaces_and_joined_letters_of_names_stay_as_they_are() -> None:
    position = kd.Game(seed=1).position
    for name in (
        "山田\u3000太郎",
        "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    ):
        assert name in display.sentence(position, [name, name + "2"])
    for turned in ("a\u202eb", "a\u2066b", "a\u061cb"):
        assert "a\ufffdb" in display.sentence(position, [turned, turned + "2"])


def test_wide_letters_do_not_push_the_boards_apart() -> None:
    rows = kd.text.position(position_like(), names=["伊達", "Oskar"]).splitlines()
    assert rows[3] == "  伊達  5                   > Oskar  0"


OPENING_LINE = (slot(2), slot(6, 1), slot(20, 0), slot(47, 1))


@pytest.mark.parametrize(
    ("changed", "sentence", "after"),
    [
        ({}, "Yellow places domino 6.", "Then Yellow claims 3, 30 or 48."),
        ({"phase": "claim", "domino": None}, "Yellow claims 3, 30 or 48.", ""),
        ({"next_line": ()}, "Yellow places domino 6.", ""),
        (
            {"round": 0, "phase": "claim", "domino": None, "next_line": (), "offered": OPENING_LINE},
            "Yellow claims 2.",
            "",
        ),
    ],
)
def test_the_sentence_describes_the_current_phase(
    changed: dict[str, object], sentence: str, after: str
) -> None:
    position = position_like(**changed)
    assert (display.sentence(position), display.next_step(position)) == (sentence, after)


def test_the_sentence_says_when_a_domino_fits_nowhere() -> None:
    full = kd.Kingdom.from_squares(
        {(x, y): ("lake", 0) for x in range(5) for y in range(5) if (x, y) != (0, 0)}, size=5
    )
    position = position_like(kingdoms=(KINGDOM, full))
    assert display.sentence(position) == "Yellow discards domino 6: it fits nowhere."


@pytest.mark.parametrize(
    ("outcome", "sentence", "after"),
    [
        (outcome_of((50, 41), (0, 1), (0,), "score"), "Ida wins with 50 points.", ""),
        (
            outcome_of((50, 50), (1, 0), (1,), "largest_territory"),
            "Oskar wins by the larger territory.",
            "Oskar and Ida both have 50 points.",
        ),
        (
            outcome_of((50, 50), (1, 0), (1,), "crowns"),
            "Oskar wins by more crowns.",
            "Oskar and Ida both have 50 points.",
        ),
        (
            outcome_of((9, 9), (0, 1), (0, 1), "shared"),
            "Ida and Oskar share the victory.",
            "Ida and Oskar both have 9 points.",
        ),
    ],
)
def test_the_sentence_at_the_end_says_who_wins_and_by_what(
    outcome: kd.Outcome, sentence: str, after: str
) -> None:
    position = position_like(to_move=None, phase="over", is_over=True, domino=None, outcome=lambda: outcome)
    names = ["Ida", "Oskar"]
    assert (display.sentence(position, names), display.next_step(position, names)) == (sentence, after)
    assert kd.text.position(position, names=names).startswith(f"The end. {sentence}")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: kd.text.kingdom(KINGDOM, seat=4),
        lambda: kd.text.kingdom(KINGDOM, placements=[((1, 1), (2, 2))]),
        lambda: kd.text.kingdom(KINGDOM, placements=[((99, 0), (100, 0))]),
        lambda: kd.text.line([49]),
        lambda: kd.text.line([kd.Slot(kd.DOMINOES[19], 4)]),
        lambda: kd.text.line([kd.Slot(kd.DOMINOES[19], 3)], names=["Ida", "Oskar"]),
        lambda: kd.text.position(position_like(), names=["Ida"]),
        lambda: kd.text.position(position_like(), width=0),
    ],
)
def test_wrong_arguments_raise_an_error_of_the_library(wrong: Callable[[], str]) -> None:
    with pytest.raises(kd.KingdominoError):
        wrong()


def stripped(coloured: str) -> str:
    """Remove the escape codes from a text."""
    parts = coloured.split("\x1b[")
    return parts[0] + "".join(part.partition("m")[2] for part in parts[1:])
