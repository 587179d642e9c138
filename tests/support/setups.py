"""Games and positions for the tests of single rules.

Kingdoms are written as their text: rows from the top, ``.`` empty, ``C`` the castle, a terrain its
letter (wheat, forest, lake, grassland, swamp, mine), then its crowns.
"""

from collections.abc import Sequence

import kingdomino as kd

WHEAT, FOREST, LAKE, GRASSLAND = 1, 3, 7, 10  # dominoes with the same terrain twice and no crown
WHEAT_FOREST, WHEAT_LAKE, FOREST_LAKE, WHEAT_MINE = 13, 14, 17, 48

DECK_OF_24 = (1, 2, 3, 4, 13, 14, 15, 16, 17, 18, 19, 20, 25, 26, 27, 28, 33, 34, 35, 36, 45, 46, 47, 48)
ALL_48 = tuple(range(1, 49))

DECK_IN_ORDER = tuple(range(1, 25))

BEGUN = (
    "kd1 2.second.random 1 place:0 3@0,17@1,22@0,41@1 5,9,30,44"
    " 1-2,4,6-8,10-16,18-21,23-29,31-40,42-43,45-48 C;C"
)
"""A position in the first round; tests change it into impossible ones."""

HUGE = 10**30
"""A number too large for every number type of the engine."""

MINES = "/".join(["m3" * 7] * 3 + ["m3m3m3Cm3m3m3"] + ["m3" * 7] * 3)
"""The 7x7 kingdom with the highest score, 48 squares times 144 crowns; no dominoes can form it."""

NOTHING_FITS = "wwwww/w.w.w/wwCww/w.w.w/wwwww"
"""A 5x5 kingdom with four gaps of one square, so that no domino fits."""


def play(game: kd.Game, *actions: str) -> kd.Game:
    """Play these actions in order, and return the game."""
    for action in actions:
        game.play(action)
    return game


def play_first_choices(game: kd.Game) -> kd.Game:
    """Play the first legal action again and again to the end, and return the game."""
    while not game.is_over:
        game.play(game.legal_actions()[0])
    return game


def game_begun() -> kd.Game:
    """Deal lines 1-4, 5-8, …: seat 0 has claimed 1 and 3, seat 1 2 and 4, and has to place domino 1."""
    return play(
        kd.Game(deck=DECK_IN_ORDER, opening=[0, 1, 0, 1], seed=1), "claim 1", "claim 2", "claim 3", "claim 4"
    )


def kings_in_seat_order(rules: kd.Rules) -> list[int]:
    """Name the seat of every king: 0, 0, 1, 1 for two players, 0, 1, 2 for three."""
    return [seat for seat in range(rules.players) for _ in range(rules.kings)]


def numbers(line: Sequence[kd.Slot]) -> list[int]:
    """List the dominoes of a line by their numbers."""
    return [slot.domino.number for slot in line]


def kings_on(position: kd.Position) -> dict[int, int]:
    """Map each claimed domino that waits for its turn to its seat."""
    return {
        slot.domino.number: slot.seat
        for slot in (*position.line, *position.next_line)
        if slot.seat is not None and not slot.is_done
    }


def runs(numbers: list[int]) -> str:
    """Write a set of dominoes as positions do: 1-3,7; or - for none."""
    written: list[str] = []
    for number in sorted(numbers):
        if number - 1 in numbers:
            written[-1] = f"{written[-1].partition('-')[0]}-{number}"
        else:
            written.append(str(number))
    return ",".join(written) or "-"


def unseen_after(shown: list[int], rules: kd.Rules) -> str:
    """Write the unseen dominoes of a last round with these on the table: the highest others."""
    others = [number for number in range(1, 49) if number not in shown]
    return runs(others[len(others) - (48 - rules.dominoes) :])


def finished(rules: kd.Rules, *kingdoms: str) -> kd.Position:
    """Return the final position of a game with these kingdoms."""
    kings = kings_in_seat_order(rules)
    line = ",".join(f"*{number}@{seat}" for number, seat in enumerate(kings, start=1))
    unseen = unseen_after(list(range(1, 5)), rules)
    return kd.Position.parse(
        f"kd1 {rules.to_text()} {rules.rounds} over {line} - {unseen} {';'.join(kingdoms)}"
    )


def in_last_round(number: int, kingdom: str, rules: kd.Rules | None = None) -> kd.Position:
    """Return a position of the last round: seat 0 has to place this domino in this kingdom."""
    rules = rules or kd.Rules()
    kings = kings_in_seat_order(rules)
    numbers = sorted([number, *[other for other in (5, 6, 8, 9) if other != number][: len(kings) - 1]])
    others = iter(kings[1:])
    line, before = [], True
    for other in numbers:
        before = before and other != number
        line.append(f"{'*' * before}{other}@{0 if other == number else next(others)}")
    kingdoms = ";".join([kingdom, *["C"] * (rules.players - 1)])
    unseen = unseen_after(numbers, rules)
    return kd.Position.parse(
        f"kd1 {rules.to_text()} {rules.rounds} place:0 {','.join(line)} - {unseen} {kingdoms}"
    )
