"""Bad input: rules, kingdoms, positions and decks that are impossible. The error lists all faults."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.setups import BEGUN, DECK_IN_ORDER, HUGE

import kingdomino as kd

TABLE = (Path(__file__).parents[2] / "docs/formats/position.md").read_text("utf-8")
DOCUMENTED = {
    code for row in re.findall(r"^\| (`.*?) \|", TABLE, re.MULTILINE) for code in re.findall("`(.*?)`", row)
}


def faults_of(make: Callable[[], object]) -> tuple[str, ...]:
    """Return the faults of an impossible setup; check that the message has each, with a documented code."""
    with pytest.raises(kd.SetupError) as error:
        make()
    for fault in error.value.details:
        assert str(fault) in str(error.value)
        assert fault.code in DOCUMENTED
    return error.value.faults


# Rules


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"players": 1}, "not 1$"),
        ({"players": 5}, "not 5$"),
        ({"players": -2}, "not -2$"),
        ({"players": HUGE}, str(HUGE)),
        ({"players": 258}, "258"),
        ({"edition": "third"}, "third"),
        ({"edition": ""}, "edition"),
        ({"opening": "draft"}, "draft"),
        ({"players": 3, "mighty_duel": True}, "Mighty Duel"),
        ({"players": 4, "opening": "snake"}, "snake"),
    ],
)
def test_rules_that_cannot_be_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(kd.RulesError, match=said):
        kd.Rules(**options)


def test_the_error_for_impossible_rules_names_every_reason() -> None:
    with pytest.raises(kd.RulesError, match=r"Mighty Duel.*snake"):
        kd.Rules(4, mighty_duel=True, opening="snake")


@pytest.mark.parametrize(
    "text",
    ["", "2.second.random.", "5.second.random", "2.random.second", "3.second.random.duel", "2.Second.random"],
    ids=repr,
)
def test_a_text_that_is_no_rules_set_cannot_be_read(text: str) -> None:
    with pytest.raises(kd.ParseError) as error:
        kd.Rules.parse(text)
    assert text in str(error.value)


# Kingdoms


def test_the_error_for_a_kingdom_lists_every_fault() -> None:
    squares = {
        (0, 0): ("wheat", 0),
        (1, 0): ("lava", 0),
        (0, 1): ("wheat", 4),
        (0, -1): ("wheat", -1),
        (5, 5): ("mine", 3),
    }
    faults = faults_of(lambda: kd.Kingdom.from_squares(squares))
    for said in ("(0, 0)", "'lava'", "4 crowns", "-1 crowns", "6 squares wide", "(5, 5) is not connected"):
        assert [fault for fault in faults if said.strip("'") in fault], said
    for square in ("(0, 0)", "(1, 0)", "(0, 1)", "(0, -1)", "(5, 5)"):
        assert [fault for fault in faults if f"square {square}" in fault], square


def test_squares_and_crowns_beyond_all_numbers_are_faults_beside_others() -> None:
    squares = {(HUGE, 0): ("wheat", 0), (1, 0): ("lava", 0), (0, 1): ("wheat", HUGE)}
    faults = faults_of(lambda: kd.Kingdom.from_squares(squares))
    for said in (str(HUGE), "lava", f"{HUGE} crowns"):
        assert [fault for fault in faults if said in fault], said


@pytest.mark.parametrize(
    ("squares", "said"),
    [
        ({(1, 0): ("castle", 0)}, "castle"),
        ({(1, 0): ("", 0)}, "(1, 0)"),
        ({(1, 1): ("wheat", 0)}, "(1, 1) is not connected"),
        ({(x, 0): ("wheat", 0) for x in range(1, 6)}, "6 squares wide"),
        ({(0, y): ("wheat", 0) for y in range(-5, 0)}, "6 squares tall"),
        ({(2**62, 2**62): ("wheat", 0)}, "is not connected"),
    ],
)
def test_squares_that_are_no_kingdom_are_refused(squares: dict[Any, Any], said: str) -> None:
    assert [fault for fault in faults_of(lambda: kd.Kingdom.from_squares(squares)) if said in fault]


def test_only_the_mighty_duel_allows_seven_squares() -> None:
    squares = {(x, 0): ("wheat", 0) for x in range(1, 7)}
    assert kd.Kingdom.from_squares(squares, size=7).box == ((0, 0), (6, 0))
    faults_of(lambda: kd.Kingdom.from_squares(squares, size=5))


@pytest.mark.parametrize("size", [0, 4, 6, 8, -5, HUGE])
def test_a_kingdom_has_one_of_two_sizes(size: int) -> None:
    for make in (
        lambda: kd.Kingdom(size),
        lambda: kd.Kingdom.parse("C", size),
        lambda: kd.Kingdom.from_squares({}, size),
    ):
        assert str(size) in faults_of(make)[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "w",
        "CC",
        "Cw4",
        "C1",
        "Cw/C",
        ".C",
        "C w",
        "Cwwwww",
        "C/w/w/w/w/w",
        "w.C",
        "C" * 1000,
        "w" * 100_000,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_a_text_that_is_no_kingdom_cannot_be_read(text: str) -> None:
    assert faults_of(lambda: kd.Kingdom.parse(text))


def test_the_error_for_a_kingdoms_text_lists_every_fault() -> None:
    faults = faults_of(lambda: kd.Kingdom.parse("Cx5w/w.....wwf"))
    for said in ("'x'", "'5'", "equally long"):
        assert [fault for fault in faults if said in fault], said


# Positions


def test_the_position_that_the_others_differ_from_is_right() -> None:
    assert kd.Position.parse(BEGUN).to_text() == BEGUN


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("kd1", "kd2", "kd2"),
        ("kd1 ", "", "8 words"),
        ("C;C", "C;C more", "8 words"),
        ("2.second", "2.third", "third"),
        ("random 1", "random 7", "round"),
        ("random 1", "random -1", "round"),
        ("random 1", "random x", "round"),
        ("place:0", "place:2", "place:2"),
        ("place:0", "place", "place"),
        ("place:0", "jump:0", "jump:0"),
        ("place:0", "place:1", "seat 0's turn, not seat 1's"),
        ("place:0", "over", "over"),
        ("3@0", "3@2", "3@2"),
        ("3@0", "99@0", "99"),
        ("3@0", "3", "king"),
        ("3@0,17@1", "17@1,3@0", "lowest first"),
        ("3@0", "3@1", "kings"),
        ("3@0,", "", "3 dominoes"),
        ("5,9,30,44", "5@0,9,30,44", "kings"),
        ("5,9,30,44", "5,9,30", "3 dominoes"),
        ("5,9,30,44", "3,9,30,44", "both lines"),
        ("5,9,30,44", "5,9,30,44,45", "5 dominoes"),
        ("5,9,30,44", "-", "0 dominoes"),
        ("1-2,4", "4", "38 dominoes are unseen"),
        ("1-2,4", "1-4", "3"),
        ("1-2", "2-1", "backwards"),
        ("1-2", "1-2,2", "twice"),
        ("1-2", "0-2", "0"),
        ("C;C", "C", "1 kingdoms for 2 players"),
        ("C;C", "C;C;C", "3 kingdoms for 2 players"),
        ("C;C", "C;Cx", "kingdom of seat 1"),
        ("C;C", "C;Cww", "3 squares after 0 dominoes"),
        (
            "C;C",
            "C;Cw",
            "seat 1: it has 2 squares, but the number must be odd: the castle, and two squares for each",
        ),
    ],
)
def test_the_error_for_an_impossible_position_names_the_fault(old: str, new: str, said: str) -> None:
    assert old in BEGUN
    faults = faults_of(lambda: kd.Position.parse(BEGUN.replace(old, new, 1)))
    assert [fault for fault in faults if said in fault], faults


def test_the_error_for_a_positions_text_lists_every_unreadable_part() -> None:
    text = "kd1 2.second.random 9 jump:0 99@0,17@5,22@0,41@1 5,9,30,x 2-1 Cq;C;wwwwwwC"
    faults = faults_of(lambda: kd.Position.parse(text))
    for said in ("round", "jump:0", "99", "17@5", "x", "backwards", "'q'", "3 kingdoms"):
        assert [fault for fault in faults if said in fault], said


def test_the_error_for_a_position_lists_every_contradiction() -> None:
    text = (
        BEGUN.replace("place:0", "place:1")
        .replace("5,9", "3,9")
        .replace("-48", "-47")
        .replace("C;C", "Cww;C")
    )
    faults = faults_of(lambda: kd.Position.parse(text))
    for said in ("seat 0's turn", "both lines", "unseen", "3 squares after 0 dominoes"):
        assert [fault for fault in faults if said in fault], said


# Decks and openings


@pytest.mark.parametrize(
    ("deck", "opening", "said"),
    [
        (DECK_IN_ORDER[1:], [0, 1, 0, 1], ["23 dominoes, not 24"]),
        ([*DECK_IN_ORDER, 25], [0, 1, 0, 1], ["25 dominoes, not 24"]),
        ([1, *DECK_IN_ORDER[:-1]], [0, 1, 0, 1], ["domino 1 is twice"]),
        (DECK_IN_ORDER, [0, 1, 0], ["opening"]),
        (DECK_IN_ORDER, [0, 0, 0, 1], ["opening"]),
        (DECK_IN_ORDER, [0, 1, 2, 1], ["opening"]),
        ([], [], ["0 dominoes", "opening"]),
        ([5, 5, 6, 6], [0], ["4 dominoes, not 24", "domino 5 is twice", "domino 6 is twice", "opening"]),
    ],
)
def test_the_error_for_a_deal_lists_every_fault(deck: list[int], opening: list[int], said: list[str]) -> None:
    faults = faults_of(lambda: kd.Game(deck=deck, opening=opening))
    for words in said:
        assert [fault for fault in faults if words in fault], words


def test_the_snake_rules_refuse_another_opening() -> None:
    for opening in ([0, 1, 0, 1], [0, 0, 1, 1]):
        faults = faults_of(lambda: kd.Game(kd.Rules(opening="snake"), deck=DECK_IN_ORDER, opening=opening))  # noqa: B023
        assert "snake" in faults[0]
