"""Kingdoms and positions as text: for a terminal, a log or a doctest.

Pure functions that return a `str` without a final newline. Plain text is ASCII, apart from players' names.
``colour=True`` adds ANSI escape codes with 256 colours.

A square is a letter for its terrain (w wheat, f forest, l lake, g grassland, s swamp, m mine, C the castle)
and a digit for its crowns. ``.`` is an empty square that the next domino can reach.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

from kingdomino.display import (
    SEAT_NAMES,
    check_placements,
    check_seat,
    find_domino,
    lines_on_table,
    next_step,
    player_names,
    printable,
    round_name,
    sentence,
    slots_of,
)
from kingdomino.errors import KingdominoError
from kingdomino.values import Coordinates, Domino, Placement, Slot

if TYPE_CHECKING:
    from kingdomino._core import Kingdom, Position

__all__ = ["kingdom", "line", "position"]

_CELL = 3  # columns a square: a space, the terrain, the crowns
_SQUARE = re.compile(r"[.Cwflgsm][1-3]?")  # in the text of a kingdom

# Select Graphic Rendition codes: the nearest of the 256 colours to the art's colours.
_SQUARE_STYLES = {
    "w": "38;5;232;48;5;179",
    "f": "38;5;231;48;5;22",
    "l": "38;5;232;48;5;74",
    "g": "38;5;232;48;5;151",
    "s": "38;5;231;48;5;96",
    "m": "38;5;231;48;5;240",
}
_CASTLE_STYLES = ("1;38;5;161;48;5;187", "1;38;5;130;48;5;187", "1;38;5;28;48;5;187", "1;38;5;25;48;5;187")
_SEAT_STYLES = ("1;38;5;168", "1;38;5;136", "1;38;5;29", "1;38;5;68")  # readable on black and on white
_CROWN_STYLE = "1;38;5;221;48;5;235"
_SPOT_STYLE = "1;38;5;30"
_QUIET_STYLE = "38;5;244"
_PLAIN_STYLE = ""

_Piece: TypeAlias = tuple[str, str]  # a text and its style
_Row: TypeAlias = tuple[str, int]  # a text as it is printed, and the columns that it takes


def kingdom(
    kingdom: Kingdom,
    *,
    colour: bool = False,
    coordinates: bool = True,
    placements: Iterable[Placement | tuple[Coordinates, Coordinates]] = (),
    seat: int = 0,
    room: bool = True,
) -> str:
    """Write a kingdom as rows of letters, highest y first.

    colour: whether to add ANSI escape codes.
    coordinates: whether to write x above and y to the left, as in ``place 1,0>2,0``.
    placements: numbered from 1 in order, each number between its two squares (``3,8`` for two placements at the same
        place).
    seat: 0 to 3; the colour of the castle.
    room: whether to write the empty squares around the kingdom that the next domino can reach.

    Raises `KingdominoError` for an unknown seat, and for a placement that is not two neighbouring squares near the
    kingdom.
    """
    check_seat(seat)
    return _joined(_board(kingdom, seat, coordinates, placements, colour, room=room))


def line(
    slots: Iterable[Slot | Domino | int], *, names: Sequence[str] | None = None, colour: bool = False
) -> str:
    """Write a line like `Position.line`, lowest number on top, with the owners of the kings.

    ``slots`` may also be dominoes or their numbers, without kings. ``names`` has one entry per seat.
    Raises `KingdominoError` for an unknown domino or seat, and for a seat with a king but no name.
    """
    shown = SEAT_NAMES if names is None else [printable(name) for name in names]
    return _joined(_line_rows(slots_of(slots), shown, colour))


def position(
    position: Position, *, colour: bool = False, names: Sequence[str] | None = None, width: int | None = None
) -> str:
    """Write a whole position: whose turn it is, the kingdoms side by side with their scores, the lines.

    ``names`` has one entry per seat (default: the colours of the kings). ``width`` is the number of columns (default:
    80); a single board may be wider.

    Raises `KingdominoError` unless ``names`` has one entry per seat and ``width`` is positive.
    """
    players = player_names(position, names)
    if width is not None and width < 1:
        raise KingdominoError(f"a width of {width} columns: it must be 1 or more")
    blocks: list[list[_Row]] = []
    to_move = position.to_move
    for seat, (country, score) in enumerate(zip(position.kingdoms, position.scores(), strict=True)):
        heading = _heading(players[seat], seat, seat == to_move, score.total, colour)
        blocks.append([heading, *_whole_board(country, seat, colour)])
    head = [_row([(f"{round_name(position)}. {sentence(position, names)}", "1")], colour)]
    if then := next_step(position, names):
        head.append(_row([(then, _PLAIN_STYLE)], colour))
    parts = [head, *_side_by_side(blocks, width or 80)]
    lines = [
        [_title(title, colour), *_line_rows(slots, players, colour, position.domino)]
        for title, slots in lines_on_table(position)
    ]
    parts += _side_by_side(lines, width or 80)
    return "\n\n".join(map(_joined, parts))


@lru_cache(8)
def _whole_board(kingdom: Kingdom, seat: int, colour: bool) -> list[_Row]:
    """Write a kingdom of a position. Cached, because a turn changes at most one kingdom."""
    return _board(kingdom, seat, True, (), colour)


def _board(
    kingdom: Kingdom,
    seat: int,
    coordinates: bool,
    placements: Iterable[Placement | tuple[Coordinates, Coordinates]],
    colour: bool,
    *,
    room: bool = True,
) -> list[_Row]:
    (low_x, low_y), (high_x, high_y) = kingdom.box
    (left, bottom), (right, top) = kingdom.reach if room else kingdom.box
    columns, labels = range(left, right + 1), _joint_labels(kingdom, placements)
    gap = max(map(len, labels.values()), default=0)
    # Rows as in a kingdom's text, plus the squares around it that a domino can reach.
    empty, before, after = "." * len(columns), "." * (low_x - left), "." * (right - high_x)
    texts = [f"{before}{row}{after}" for row in kingdom.to_text().split("/")]
    texts = [empty] * (top - high_y) + texts + [empty] * (low_y - bottom)
    rows: list[_Row] = []
    if coordinates:
        rows.append(_column_numbers(columns, _CELL + gap, colour))
    if not (gap or colour):
        width = 4 * coordinates + _CELL * len(columns)
        heights: Iterable[int | None] = range(top, bottom - 1, -1) if coordinates else [None] * len(texts)
        return rows + [(_plain(row, y), width) for row, y in zip(texts, heights, strict=True)]
    grid = [_SQUARE.findall(row) for row in texts]
    for y, row, under in zip(range(top, bottom - 1, -1), grid, [*grid[1:], []], strict=True):
        pieces: list[_Piece] = [(f"{y:>3} ", _QUIET_STYLE)] if coordinates else []
        for x, square, neighbour in zip(columns, row, [*row[1:], "."], strict=True):
            pieces += _cell(square, seat)
            if gap and x < right:
                label = labels.get(((x, y), (x + 1, y)), "").center(gap)
                pieces.append(_joint(label, square, neighbour, seat))
        rows.append(_row(pieces, colour))
        if gap and under:
            below: list[_Piece] = [(" " * 4, _PLAIN_STYLE)] if coordinates else []
            for x, square, neighbour in zip(columns, row, under, strict=True):
                label = f" {labels.get(((x, y - 1), (x, y)), '')}".ljust(_CELL + gap)
                below += [_joint(label[:_CELL], square, neighbour, seat), (label[_CELL:], _SPOT_STYLE)]
            rows.append(_row(below, colour))
    return rows


def _joint_labels(
    kingdom: Kingdom, placements: Iterable[Placement | tuple[Coordinates, Coordinates]]
) -> dict[tuple[Coordinates, Coordinates], str]:
    """Map each pair of neighbouring squares, in ascending order, to the numbers of its placements."""
    labels: dict[tuple[Coordinates, Coordinates], str] = {}
    if placements == ():
        return labels
    for number, (one, other) in enumerate(check_placements(kingdom, placements), start=1):
        joint = (min(one, other), max(one, other))
        labels[joint] = f"{labels[joint]},{number}" if joint in labels else str(number)
    return labels


@lru_cache(1024)
def _heading(name: str, seat: int, to_move: bool, points: int, colour: bool) -> _Row:
    mark = ">" if to_move else " "
    return _row([(f"{mark} ", _SPOT_STYLE), (name, _SEAT_STYLES[seat]), (f"  {points}", "1")], colour)


@cache
def _title(title: str, colour: bool) -> _Row:
    return _row([(f"  {title}", "1")], colour)


@cache
def _column_numbers(columns: range, width: int, colour: bool) -> _Row:
    return _row([(" " * 4 + "".join(f"{x:>2}".ljust(width) for x in columns), _QUIET_STYLE)], colour)


@lru_cache(1024)
def _plain(row: str, y: int | None) -> str:
    """Write a row of a kingdom's text: the row's number, then a cell for each square."""
    number = "" if y is None else f"{y:>3} "
    return number + "".join(f" {square:<2}" for square in _SQUARE.findall(row))


@cache
def _cell(square: str, seat: int = 0) -> tuple[_Piece, ...]:
    """Return the pieces of a square, given as in the text of a kingdom: ``w1``, ``f``, ``C`` or ``.``."""
    if square == ".":
        return ((" . ", _QUIET_STYLE),)
    style, crowns = _square_style(square, seat), square[1:]
    return ((f" {square[0]}", style), (crowns, _CROWN_STYLE) if crowns else (" ", style))


def _joint(label: str, square: str, neighbour: str, seat: int) -> _Piece:
    """Fill the gap between two squares, coloured if both are covered."""
    covered = square != "." and neighbour != "."
    return (label, _square_style(square, seat) if covered else _SPOT_STYLE)


def _square_style(square: str, seat: int) -> str:
    return _CASTLE_STYLES[seat] if square == "C" else _SQUARE_STYLES[square[0]]


def _line_rows(
    slots: Iterable[Slot], names: Sequence[str], colour: bool, now: Domino | None = None
) -> list[_Row]:
    rows: list[_Row] = []
    for domino, seat, is_done in slots:
        text, width = _domino(domino.number, domino == now, is_done, colour)
        if seat is not None and not is_done:
            if seat >= len(names):
                raise KingdominoError(
                    f"{len(names)} names, but seat {seat} has claimed domino {domino.number}"
                )
            name, columns = _name(names[seat], seat, colour)
            text, width = text + name, width + columns
        rows.append((text, width))
    return rows


@lru_cache(1024)
def _name(name: str, seat: int, colour: bool) -> _Row:
    return _row([(f"  {name}", _SEAT_STYLES[seat])], colour)


@cache
def _domino(number: int, is_now: bool, is_gone: bool, colour: bool) -> _Row:
    """Write the number and the face of a domino in a line."""
    domino = find_domino(number)
    pieces = [(">" if is_now else " ", _SPOT_STYLE), (f"{number:>3}  ", _QUIET_STYLE if is_gone else "1")]
    if is_gone:
        return _row([*pieces, (" -", _QUIET_STYLE)], colour)
    ends = (f"{end.terrain[0]}{end.crowns or ''}" for end in (domino.left, domino.right))
    return _row([*pieces, *(piece for end in ends for piece in _cell(end))], colour)


def _side_by_side(blocks: list[list[_Row]], width: int) -> list[list[_Row]]:
    """Arrange blocks side by side, three columns apart, in as many bands as the width requires."""
    bands: list[list[_Row]] = []
    used = 0
    for block in blocks:
        wide = max([columns for _, columns in block])
        if bands and used + 3 + wide <= width:
            band = bands[-1] + [("", 0)] * (len(block) - len(bands[-1]))
            used += 3
            joined = [
                (f"{before}{' ' * (used - taken)}{text}", used + columns)
                for (before, taken), (text, columns) in zip(band, block, strict=False)
            ]
            bands[-1] = joined + band[len(block) :]
            used += wide
        else:
            bands.append(block)
            used = wide
    return bands


def _row(pieces: list[_Piece], colour: bool) -> _Row:
    """Join pieces, each run of one style between its escape codes."""
    plain = "".join([text for text, _ in pieces])
    if not colour:
        return plain, _width(plain)
    runs = ((style, "".join(text for text, _ in run)) for style, run in groupby(pieces, key=itemgetter(1)))
    return "".join(f"\x1b[{style}m{text}\x1b[0m" if style else text for style, text in runs), _width(plain)


def _width(text: str) -> int:
    """Count the terminal columns of a text. East Asian letters and emoji are two columns wide."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def _joined(rows: Iterable[_Row]) -> str:
    """Join rows to a text, without spaces at their ends."""
    return "\n".join([text.rstrip() for text, _ in rows])


def __dir__() -> list[str]:
    return __all__
