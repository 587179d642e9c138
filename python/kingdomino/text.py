"""Boards as text: for a terminal, a log or a doctest.

Pure functions that return a `str` without a final newline. Plain text is ASCII, apart from players' names.
``colour=True`` adds ANSI escape codes with 256 colours.

A square is a letter for its terrain (w wheat, f forest, l lake, g grassland, s swamp, m mine, C the castle)
and a digit for its crowns. ``.`` is an empty square that the next domino can reach.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
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
    reach,
    round_name,
    sentence,
)
from kingdomino.errors import KingdominoError
from kingdomino.values import Coordinates, Domino, Placement, Square, Terrain

if TYPE_CHECKING:
    from kingdomino._core import Kingdom, Position

_LETTERS = {terrain: "C" if terrain is Terrain.CASTLE else terrain[0] for terrain in Terrain}
_CELL = 3  # columns a square: a space, the terrain, the crowns

# Select Graphic Rendition codes: the nearest of the 256 colours to those of the drawn art.
_SQUARE_STYLES = {
    Terrain.WHEAT: "38;5;232;48;5;179",
    Terrain.FOREST: "38;5;231;48;5;22",
    Terrain.LAKE: "38;5;232;48;5;74",
    Terrain.GRASSLAND: "38;5;232;48;5;151",
    Terrain.SWAMP: "38;5;231;48;5;96",
    Terrain.MINE: "38;5;231;48;5;240",
}
_CASTLE_STYLES = ("1;38;5;161;48;5;187", "1;38;5;130;48;5;187", "1;38;5;28;48;5;187", "1;38;5;25;48;5;187")
_SEAT_STYLES = ("1;38;5;168", "1;38;5;136", "1;38;5;29", "1;38;5;68")  # readable on black and on white
_CROWN_STYLE = "1;38;5;221;48;5;235"
_SPOT_STYLE = "1;38;5;30"
_QUIET_STYLE = "38;5;244"
_PLAIN_STYLE = ""

_Piece: TypeAlias = tuple[str, str]  # a text and its style
_Row: TypeAlias = list[_Piece]


def kingdom(
    kingdom: Kingdom,
    *,
    colour: bool = False,
    coordinates: bool = True,
    placements: Iterable[Placement | tuple[Coordinates, Coordinates]] = (),
    seat: int = 0,
) -> str:
    """Write a kingdom as rows of letters, highest y first.

    colour: whether to add ANSI escape codes.
    coordinates: whether to write x above and y to the left, as in ``place 1,0>2,0``.
    placements: numbered from 1 in their order, each number at the joint of its two squares (``3,8`` for two
        placements with one joint).
    seat: 0 to 3; the colour of the castle.

    The board has the squares that the next domino can reach. Raises `KingdominoError` for an unknown seat and for
    a placement that is not two neighbouring squares near the kingdom.
    """
    check_seat(seat)
    return "\n".join(_paint(row, colour) for row in _board(kingdom, seat, coordinates, placements))


def line(
    dominoes: Iterable[Domino | int],
    *,
    claims: Mapping[int, int] | None = None,
    names: Sequence[str] | None = None,
    colour: bool = False,
) -> str:
    """Write dominoes one below the other, lowest number on top, with the owners of the kings on them.

    ``claims`` maps the number of a domino to the seat whose king stands on it. ``names`` has one entry a seat.
    Raises `KingdominoError` for an unknown domino or seat.
    """
    rows = _line_rows(dominoes, claims or {}, SEAT_NAMES if names is None else names)
    return "\n".join(_paint(row, colour) for row in rows)


def position(
    position: Position, *, colour: bool = False, names: Sequence[str] | None = None, width: int | None = None
) -> str:
    """Write a whole position: whose turn it is, the kingdoms side by side with their scores, the lines.

    ``names`` has one entry a seat (default: the colours of the kings). ``width`` is the number of columns that
    the text may take (default: 80); a single board may be wider.

    Raises `KingdominoError` when ``names`` does not have one entry a seat or ``width`` is not positive.
    """
    players = player_names(position, names)
    if width is not None and width < 1:
        raise KingdominoError(f"a width of {width} columns: it must be 1 or more")
    blocks: list[list[_Row]] = []
    for seat, (country, score) in enumerate(zip(position.kingdoms, position.scores(), strict=True)):
        mark = ">" if seat == position.to_move else " "
        heading = [(f"{mark} ", _SPOT_STYLE), (players[seat], _SEAT_STYLES[seat]), (f"  {score.total}", "1")]
        blocks.append([heading, *_board(country, seat, True, ())])
    head: list[_Row] = [[(f"{round_name(position)}. {sentence(position, names)}", "1")]]
    if then := next_step(position, names):
        head.append([(then, _PLAIN_STYLE)])
    parts = [head, *_side_by_side(blocks, width or 80)]
    lines = [
        [[(f"  {title}", "1")], *_line_rows(dominoes, position.claims, players, position.domino, gone)]
        for title, dominoes, gone in lines_on_table(position)
    ]
    parts += _side_by_side(lines, width or 80)
    return "\n\n".join("\n".join(_paint(row, colour) for row in part) for part in parts)


def _board(
    kingdom: Kingdom,
    seat: int,
    coordinates: bool,
    placements: Iterable[Placement | tuple[Coordinates, Coordinates]],
) -> list[_Row]:
    (left, bottom), (right, top) = reach(kingdom)
    columns, squares, labels = range(left, right + 1), kingdom.squares, _joint_labels(kingdom, placements)
    gap = max(map(len, labels.values()), default=0)
    rows: list[_Row] = []
    if coordinates:
        across = "".join(f"{x:>2}".ljust(_CELL + gap) for x in columns)
        rows.append([(" " * 4 + across, _QUIET_STYLE)])
    for y in range(top, bottom - 1, -1):
        row: _Row = [(f"{y:>3} ", _QUIET_STYLE)] if coordinates else []
        for x in columns:
            square = squares.get((x, y))
            row += _cell(square, seat)
            if gap and x < right:
                label = labels.get(((x, y), (x + 1, y)), "").center(gap)
                row.append(_joint(label, square, squares.get((x + 1, y)), seat))
        rows.append(row)
        if gap and y > bottom:
            below: _Row = [(" " * 4, _PLAIN_STYLE)] if coordinates else []
            for x in columns:
                label = f" {labels.get(((x, y - 1), (x, y)), '')}".ljust(_CELL + gap)
                square, under = squares.get((x, y)), squares.get((x, y - 1))
                below += [_joint(label[:_CELL], square, under, seat), (label[_CELL:], _SPOT_STYLE)]
            rows.append(below)
    return rows


def _joint_labels(
    kingdom: Kingdom, placements: Iterable[Placement | tuple[Coordinates, Coordinates]]
) -> dict[tuple[Coordinates, Coordinates], str]:
    """Return the label of each joint: its two squares in rising order -> numbers of placements."""
    labels: dict[tuple[Coordinates, Coordinates], str] = {}
    for number, (one, other) in enumerate(check_placements(kingdom, placements), start=1):
        joint = (min(one, other), max(one, other))
        labels[joint] = f"{labels[joint]},{number}" if joint in labels else str(number)
    return labels


def _cell(square: Square | None, seat: int = 0) -> _Row:
    if square is None:
        return [(" . ", _QUIET_STYLE)]
    style = _square_style(square, seat)
    letter = (f" {_LETTERS[square.terrain]}", style)
    return [letter, (str(square.crowns), _CROWN_STYLE) if square.crowns else (" ", style)]


def _joint(label: str, square: Square | None, neighbour: Square | None, seat: int) -> _Piece:
    """Fill the gap between two squares, coloured if both are covered."""
    return (label, _square_style(square, seat) if square and neighbour else _SPOT_STYLE)


def _square_style(square: Square, seat: int) -> str:
    return _CASTLE_STYLES[seat] if square.terrain is Terrain.CASTLE else _SQUARE_STYLES[square.terrain]


def _line_rows(
    dominoes: Iterable[Domino | int],
    claims: Mapping[int, int],
    names: Sequence[str],
    now: Domino | None = None,
    gone: frozenset[int] = frozenset(),
) -> list[_Row]:
    rows: list[_Row] = []
    for domino in sorted(map(find_domino, dominoes)):
        mark = ">" if domino == now else " "
        number_style = _QUIET_STYLE if domino.number in gone else "1"
        row: _Row = [(mark, _SPOT_STYLE), (f"{domino.number:>3}  ", number_style)]
        if domino.number in gone:
            row.append((" -", _QUIET_STYLE))
        else:
            row += _cell(Square(*domino.left)) + _cell(Square(*domino.right))
        if domino.number in claims:
            seat = check_seat(claims[domino.number])
            row.append((f"  {names[seat]}", _SEAT_STYLES[seat]))
        rows.append(row)
    return rows


def _side_by_side(blocks: list[list[_Row]], width: int) -> list[list[_Row]]:
    """Set blocks side by side, three columns apart, in as many bands as the width requires."""
    bands: list[list[_Row]] = []
    used = 0
    for block in blocks:
        wide = max(map(_width, block))
        if bands and used + 3 + wide <= width:
            band = bands[-1]
            band += [[] for _ in range(len(block) - len(band))]
            for row, more in zip(band, block, strict=False):
                row += [(" " * (used + 3 - _width(row)), _PLAIN_STYLE), *more]
            used += 3 + wide
        else:
            bands.append([list(row) for row in block])
            used = wide
    return bands


def _width(row: _Row) -> int:
    """Count the terminal columns of a row. East Asian letters and emoji are two columns wide."""
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for text, _ in row
        for letter in text
    )


def _paint(row: _Row, colour: bool) -> str:
    if not colour:
        return "".join(text for text, _ in row).rstrip()
    runs = ((style, "".join(text for text, _ in run)) for style, run in groupby(row, key=itemgetter(1)))
    return "".join(f"\x1b[{style}m{text}\x1b[0m" if style else text for style, text in runs)
