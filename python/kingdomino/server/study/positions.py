"""Positions as the analysis board shows them, sets them up, and plays on from them.

A position is what everyone can see: no deck of any game comes here. The engine checks every set-up and every move.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Final, Literal

from pydantic import FailFast, Field

import kingdomino as kd
from kingdomino.server.tables.core import choices, events
from kingdomino.server.tables.core.events import Model, TerrainName
from kingdomino.server.tables.core.refusals import Fault, Refusal, illegal
from kingdomino.server.tables.core.rules import ChosenRules, ClientObject

__all__ = ["Checked", "SetUp", "SetUpKing", "SetUpSquare", "Studied", "play", "read", "set_up", "study"]

_SQUARES: Final = 49
_LETTERS: Final = {"wheat": "w", "forest": "f", "lake": "l", "grassland": "g", "swamp": "s", "mine": "m"}
_NONE: Final = "-"
_MOST_FAULTS: Final = 20
"""Faults of a text in one answer. A short text can have thousands: `1-48,1-48,…`."""
_ENDS: Final = {
    (str(end.terrain), end.crowns) for domino in kd.DOMINOES for end in (domino.left, domino.right)
}


class Studied(events.Shown):
    """A position, and what can be done in it.

    ``due``: what chance brings next in the phase `chance`. ``kings``: the seats of which a
    king can then be drawn. ``finished``: how many turns of the round are over.
    """

    rules: events.Rules
    phase: Literal["claim", "place", "chance", "over"]
    due: Literal["line", "king"] | None
    seat: int | None
    domino: int | None
    fits: bool
    finished: int
    kings: tuple[int, ...]
    choices: choices.Choices | None
    winners: tuple[int, ...] | None


class Checked(Model):
    """What a set-up is: a position, or impossible because of ``faults``, which are all that were found."""

    position: Studied | None
    faults: tuple[Fault, ...]


class SetUpKing(ClientObject):
    """A domino of a line, and the seat whose king is on it."""

    domino: Annotated[int, Field(ge=1, le=48)]
    seat: Annotated[int, Field(ge=0, le=3)] | None = None


class SetUpSquare(ClientObject):
    """A covered square of a kingdom, relative to the castle."""

    x: Annotated[int, Field(ge=-12, le=12)]
    y: Annotated[int, Field(ge=-12, le=12)]
    terrain: TerrainName
    crowns: Annotated[int, Field(ge=0, le=3)] = 0


class SetUp(ChosenRules):
    """A position that someone is setting up. It may be impossible.

    ``finished``: how many turns of the round are over, from the lowest domino of the line on. ``settled``: the next
    seat has placed its domino and claims now. ``seat``: who claims in round 0; later the line says it.
    """

    round: Annotated[int, Field(ge=0, le=12)] = 1
    finished: Annotated[int, Field(ge=0, le=4)] = 0
    settled: bool = False
    seat: Annotated[int, Field(ge=0, le=3)] = 0
    # Only the first fault in a list is said: a body has room for 60,000, which take a third of a second.
    line: Annotated[tuple[SetUpKing, ...], Field(max_length=8), FailFast()] = ()
    next_line: Annotated[tuple[SetUpKing, ...], Field(max_length=8), FailFast()] = ()
    unseen: Annotated[tuple[Annotated[int, Field(ge=1, le=48)], ...], Field(max_length=48), FailFast()] = ()
    kingdoms: Annotated[
        tuple[Annotated[tuple[SetUpSquare, ...], Field(max_length=_SQUARES), FailFast()], ...],
        Field(max_length=4),
        FailFast(),
    ] = ()


def read(text: str) -> kd.Position:
    """Read the text of a position. Raises `Refusal` with every fault."""
    try:
        return kd.Position.parse(text)
    except kd.SetupError as error:
        raise _impossible(error.details) from None


def set_up(body: SetUp) -> Checked:
    """Check a set-up. Raises `Refusal` for rules that there are not."""
    rules = body.rules()
    faults = tuple(_impossible_ends(body))
    try:
        position = kd.Position.parse(_text(body, rules))
    except kd.SetupError as error:
        faults += error.details
    if faults:
        return Checked(position=None, faults=tuple(map(Fault.of, faults)))
    return Checked(position=study(position), faults=())


def play(position: kd.Position, move: str) -> kd.Position:
    """Play an action, or what chance brings: `reveal 3 9 22 41`, `draw 1`, or `chance` for something that can come.

    Raises `Refusal`.
    """
    word, *numbers = move.split() or [""]
    try:
        if move == "chance":
            if position.phase != "chance":
                raise Refusal("illegal_action", "nothing is due here")
            return kd.Game.from_position(position, secrets.randbits(64)).position
        if word == "reveal" and all(map(str.isdecimal, numbers)):
            return position.reveal([int(number) for number in numbers])
        if word == "draw" and len(numbers) == 1 and numbers[0].isdecimal():
            return position.draw(int(numbers[0]))
        return position.play(move)
    except kd.SetupError as error:
        raise _impossible(error.details) from None
    except kd.KingdominoError as error:
        raise illegal(error) from None


def study(position: kd.Position) -> Studied:
    """Show a position."""
    shown = events.shown(position)
    to_move, domino, outcome = position.to_move, position.domino, position.outcome()
    return Studied(
        **shown,
        rules=events.Rules.of(position.rules),
        phase=position.phase,
        due=position.due,
        seat=to_move,
        domino=domino and domino.number,
        fits=to_move is not None
        and domino is not None
        and bool(position.kingdoms[to_move].placements(domino)),
        finished=shown["position"].split(" ")[4].count("*"),
        kings=tuple(_drawable(position)) if position.due == "king" else (),
        choices=choices.choices(position, 0) if to_move is not None else None,
        winners=outcome and outcome.winners,
    )


def _impossible(faults: Sequence[kd.Fault]) -> Refusal:
    faults = faults[:_MOST_FAULTS]
    return Refusal("bad_position", "; ".join(map(str, faults)), faults=tuple(map(Fault.of, faults)))


def _impossible_ends(body: SetUp) -> Iterator[kd.Fault]:
    """Find what no domino has. The engine allows it in a position, for studies; who taps squares has made a mistake."""
    for seat, kingdom in enumerate(body.kingdoms[: body.players]):
        for one in kingdom:
            if (one.terrain, one.crowns) not in _ENDS:
                sentence = (
                    f"kingdom of seat {seat}: no domino has {one.terrain} with {one.crowns} crowns, "
                    f"as on ({one.x}, {one.y})"
                )
                yield kd.Fault("no_such_end", sentence, seat, (one.x, one.y), found=one.crowns)


def _drawable(position: kd.Position) -> Iterator[int]:
    for seat in range(position.rules.players):
        try:
            position.draw(seat)
        except kd.SetupError:
            continue
        yield seat


def _text(body: SetUp, rules: kd.Rules) -> str:
    """Write a set-up as the text of a position, which may be impossible."""
    line, next_line = (sorted(each, key=lambda one: one.domino) for each in (body.line, body.next_line))
    if body.round == 0:
        stage, words = f"claim:{body.seat}", (_line(next_line, 0), _NONE)
    else:
        acting = line[body.finished].seat if body.finished < len(line) else None
        is_last = body.round == rules.rounds and body.finished == len(line)
        stage = "over" if is_last else f"{'claim' if body.settled else 'place'}:{acting or 0}"
        words = _line(line, body.finished), _line(next_line, 0)
    kingdoms = [*body.kingdoms[: rules.players], *[()] * (rules.players - len(body.kingdoms))]
    return " ".join(
        (
            *("kd1", rules.to_text(), str(body.round), stage, *words),
            _ranges(sorted(set(body.unseen))),
            ";".join(map(_kingdom, kingdoms)),
        )
    )


def _line(line: Sequence[SetUpKing], finished: int) -> str:
    entries = (
        f"{'*' if place < finished else ''}{one.domino}{'' if one.seat is None else f'@{one.seat}'}"
        for place, one in enumerate(line)
    )
    return ",".join(entries) or _NONE


def _ranges(numbers: Sequence[int]) -> str:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in runs) or _NONE


def _kingdom(squares: Iterable[SetUpSquare]) -> str:
    letters = {
        (one.x, one.y): f"{_LETTERS[one.terrain]}{one.crowns or ''}"
        for one in squares
        if (one.x, one.y) != (0, 0)
    } | {(0, 0): "C"}
    across, up = {x for x, _ in letters}, {y for _, y in letters}
    rows = (
        "".join(letters.get((x, y), ".") for x in range(min(across), max(across) + 1))
        for y in range(max(up), min(up) - 1, -1)
    )
    return "/".join(rows)
