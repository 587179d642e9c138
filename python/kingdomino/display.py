"""Common parts of pictures and texts: sentences, names, the lines on the table, checks of arguments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING
from unicodedata import category

from kingdomino._core import DOMINOES
from kingdomino.errors import KingdominoError
from kingdomino.values import Coordinates, Domino, Outcome, Placement, Slot

if TYPE_CHECKING:
    from kingdomino._core import Kingdom, Position, Rules

SEAT_NAMES = ("Pink", "Yellow", "Green", "Blue")
"""The default names of the seats: the colours of their kings."""

_NUMBERS = range(1, len(DOMINOES) + 1)
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"


def sentence(position: Position, names: Sequence[str] | None = None) -> str:
    """Return a sentence about the current decision, such as ``Ida places domino 20.``, or about the winners.

    Raises `KingdominoError` unless ``names`` has one entry per seat.
    """
    players = player_names(position, names)
    if position.phase == "chance":
        return "The next line is revealed." if position.due == "line" else "The next king is drawn."
    outcome = position.outcome()
    if outcome is not None:
        return _victory(outcome, players)
    assert position.to_move is not None
    mover, domino = players[position.to_move], position.domino
    if domino is None:
        return f"{mover} claims {_unclaimed(position)}."
    if position.kingdoms[position.to_move].best_gain(domino) is not None:
        return f"{mover} places domino {domino.number}."
    return f"{mover} discards domino {domino.number}: it fits nowhere."


def next_step(position: Position, names: Sequence[str] | None = None) -> str:
    """Return the next step after the `sentence`, or at the end a tie in points; "" if neither applies.

    Raises `KingdominoError` unless ``names`` has one entry per seat.
    """
    players = player_names(position, names)
    outcome = position.outcome()
    if outcome is not None:
        best = outcome.scores[outcome.ranking[0]].total
        level = [players[seat] for seat in outcome.ranking if outcome.scores[seat].total == best]
        each = "both" if len(level) == 2 else "all"
        return f"{_listed(level, 'and')} {each} have {best} points." if len(level) > 1 else ""
    if position.to_move is not None and position.domino is not None and position.next_line:
        return f"Then {players[position.to_move]} claims {_unclaimed(position)}."
    return ""


def rules_name(rules: Rules) -> str:
    """Describe a rules set: ``2 players, second edition, Harmony``."""
    words = [f"{rules.players} players", f"{rules.edition} edition"]
    words += ["Mighty Duel"] * rules.mighty_duel + ["Harmony"] * rules.harmony
    words += ["Middle Kingdom"] * rules.middle_kingdom + ["snake opening"] * (rules.opening == "snake")
    return ", ".join(words)


def round_name(position: Position) -> str:
    """Describe the round: ``Round 8 of 12``, ``Opening`` while the first line is claimed, or ``The end``."""
    if position.is_over:
        return "The end"
    return f"Round {position.round} of {position.rules.rounds}" if position.round else "Opening"


def lines_on_table(position: Position) -> list[tuple[str, tuple[Slot, ...]]]:
    """List the lines on the table with their titles. Unclaimed dominoes leave at the end of the round."""
    if position.is_over:
        return []
    if not position.round:
        return [("First line", position.line)]
    following = [("Next line", position.next_line)] if position.next_line else []
    return [("This line", position.line), *following]


def slots_of(line: Iterable[Slot | Domino | int]) -> list[Slot]:
    """Return the slots of a line, lowest number first; a `Domino` or a number gives a slot without a king.

    Raises `KingdominoError` for an unknown domino or seat.
    """
    slots = [one if isinstance(one, Slot) else Slot(find_domino(one)) for one in line]
    for slot in slots:
        find_domino(slot.domino)
        if slot.seat is not None:
            check_seat(slot.seat)
    return sorted(slots, key=lambda slot: slot.domino.number)


def player_names(position: Position, names: Sequence[object] | None) -> tuple[str, ...]:
    """Return one name per seat, by default from `SEAT_NAMES`. Raises `KingdominoError` for a wrong number."""
    seats = len(position.kingdoms)
    if names is None:
        return SEAT_NAMES[:seats]
    if isinstance(names, str) or len(names) != seats:
        raise KingdominoError(f"names: {names!r} is not one name for each of the {seats} seats")
    return tuple(printable(str(name)) for name in names)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 game``, ``20 games``."""
    return f"{number} {noun}{'s' * (number != 1)}"


def distinct(names: Sequence[str]) -> list[str]:
    """Number repeated names: ``greedy 1``, ``greedy 2``."""
    count, seen, result = Counter(names), Counter[str](), []
    for name in names:
        seen[name] += 1
        result.append(f"{name} {seen[name]}" if count[name] > 1 else name)
    return result


def shortened(name: str, longest: int = 20) -> str:
    """Shorten a name, often a long spec string, so that tables and boards keep their layout."""
    return name if len(name) <= longest else f"{name[: longest - 1]}…"


def is_line(text: object) -> bool:
    """Whether this is one line of printable text without spaces around it, as required for names in records."""
    return isinstance(text, str) and text != "" and text == text.strip() and text.isprintable()


@lru_cache(1024)
def printable(text: str) -> str:
    """Replace control characters, which could control a terminal, break XML or change the writing direction.

    Keep all kinds of spaces, and the joiners of letters and emoji.
    """
    return "".join(
        letter
        if letter.isprintable() or category(letter) == "Zs" or letter in _JOINERS
        else "\N{REPLACEMENT CHARACTER}"
        for letter in text
    )


def find_domino(domino: Domino | int) -> Domino:
    """Return this domino, or the one with this number. Raises `KingdominoError` if it is not one of the 48."""
    number = domino.number if isinstance(domino, Domino) else domino
    if number not in _NUMBERS:
        raise KingdominoError(f"no domino {number!r}: they are numbered 1 to {len(DOMINOES)}")
    found = DOMINOES[number - 1]
    if isinstance(domino, Domino) and domino is not found and domino != found:
        raise KingdominoError(f"not a domino of the game: {domino}; {number} is {found.left}, {found.right}")
    return found


def check_seat(seat: object) -> int:
    """Return the seat. Raises `KingdominoError` unless it is 0, 1, 2 or 3."""
    if not isinstance(seat, int) or seat not in range(len(SEAT_NAMES)):
        raise KingdominoError(f"no seat {seat!r}: seats are numbered 0 to {len(SEAT_NAMES) - 1}")
    return seat


def check_placements(
    kingdom: Kingdom, placements: Iterable[Placement | tuple[Coordinates, Coordinates]]
) -> list[Placement]:
    """Return the placements as `Placement` values.

    Raises `KingdominoError` unless each is two neighbouring squares near the kingdom.
    """
    checked = []
    for placement in placements:
        try:
            (left_x, left_y), (right_x, right_y) = placement
            near = abs(left_x - right_x) + abs(left_y - right_y) == 1
            inside = all(abs(value) <= 2 * kingdom.size for value in (left_x, left_y, right_x, right_y))
        except (TypeError, ValueError):
            near = inside = False
        if not (near and inside):
            raise KingdominoError(f"not two neighbouring squares near the kingdom: {placement!r}")
        checked.append(Placement((left_x, left_y), (right_x, right_y)))
    return checked


def _victory(outcome: Outcome, players: Sequence[str]) -> str:
    winners = _listed([players[seat] for seat in outcome.winners], "and")
    if len(outcome.winners) > 1:
        return f"{winners} share the victory."
    reasons = {"largest_territory": "by the larger territory", "crowns": "by more crowns"}
    points = outcome.scores[outcome.winners[0]].total
    return f"{winners} wins {reasons.get(outcome.decided_by, f'with {points} points')}."


def _unclaimed(position: Position) -> str:
    return _listed([str(slot.domino.number) for slot in position.offered if slot.seat is None], "or")


def _listed(items: Sequence[str], last: str) -> str:
    return f" {last} ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))
