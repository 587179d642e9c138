"""Pictures: a kingdom, a domino, a line of them or a whole position as a standalone SVG document.

Pure functions that return a `str`: the same arguments give the same text, byte for byte. A document
carries the few symbols that it uses, refers to nothing outside itself and may be saved as a file, put
inline into a page (several on one page do not disturb each other) or shown in a notebook.

``theme`` is ``"light"`` or ``"dark"`` everywhere. Seats are 0 pink (heart), 1 yellow (sun), 2 green
(clover), 3 blue (moon).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from kingdomino import shown
from kingdomino.errors import KingdominoError
from kingdomino.svg import _land, _lines, _marks
from kingdomino.svg._drawing import Drawing, check_size
from kingdomino.svg._land import Frame, Layout
from kingdomino.svg._position import draw_position
from kingdomino.values import Coordinates, Domino, Placement

if TYPE_CHECKING:
    from kingdomino import _core

__all__ = ["back", "domino", "kingdom", "line", "position"]

_PAPER = 36  # units of parchment around a picture
_NUMBERS = 44  # units for the numbers of rows and columns


def kingdom(
    kingdom: _core.Kingdom,
    *,
    seat: int = 0,
    layout: Layout | None = None,
    domino: Domino | int | None = None,
    placements: Iterable[Placement | tuple[Coordinates, Coordinates]] = (),
    highlight: Iterable[Coordinates] = (),
    territories: bool = False,
    coordinates: bool = False,
    size: float = 64,
    theme: str = "light",
) -> str:
    """Draw one kingdom, with the empty squares that the next domino can still reach.

    ``seat`` gives the castle its colour. ``layout`` (from ``game.layout(seat)``) says which end of
    which domino lies where: each square then shows its own variant, and the joints between dominoes
    are drawn; without it every square is the plain one. ``placements`` are shown as spots, each on
    the joint of the two squares. ``domino`` with ``placements`` lies on the first of them as a
    ghost, with the points that it brings, or crossed out where the rules refuse it; ``domino`` alone
    shows spots for all its legal placements. ``highlight`` frames squares. ``territories`` writes on
    each territory what it scores: its squares times its crowns. ``coordinates`` numbers columns and
    rows. ``size`` is the width of a square in pixels.

    Raises `KingdominoError` for a seat, domino, theme or size that does not exist, for placements
    that are not two neighbouring squares near the kingdom, for squares far from it, and for a
    layout of another kingdom.
    """
    shown.check_seat(seat)
    _land.check_layout(kingdom, layout)
    drawing = Drawing(theme)
    scale = check_size(size, "size") / 100
    marked = frozenset(_square(kingdom, square) for square in highlight)
    spots = shown.joints(kingdom, placements)
    hand = None if domino is None else shown.find_domino(domino)
    ghost = spots.pop(0) if hand and spots else None
    if hand and not ghost:
        spots = kingdom.placements(hand)
    covered = [end for placement in (*spots, *filter(None, [ghost])) for end in placement]
    frame = Frame.around([*shown.reach(kingdom), *marked, *covered])
    numbers = _NUMBERS if coordinates else 0
    box = (
        -_PAPER - numbers,
        -_PAPER,
        100 * frame.columns + 2 * _PAPER + numbers,
        100 * frame.rows + 2 * _PAPER + numbers,
    )
    drawing.rectangle(*box, 18, f'fill="{drawing.colour("parchment")}"')
    _land.draw_empty_squares(drawing, kingdom, frame)
    if coordinates:
        _land.draw_coordinates(drawing, frame)
    _land.draw_land(drawing, kingdom, seat, layout, frame)
    if marked:
        _marks.draw_marks(drawing, marked, frame)
    if territories:
        _marks.draw_counts(drawing, kingdom, frame)
    _marks.draw_spots(drawing, (spot for spot in spots if not ghost or set(spot).isdisjoint(ghost)), frame)
    if hand and ghost:
        _marks.draw_ghost(drawing, kingdom, hand, ghost, frame)
    (left, bottom), (right, top) = kingdom.box
    extent = f"{right - left + 1} wide and {top - bottom + 1} tall"
    points = kingdom.score().total
    return drawing.document(box, scale, f"Kingdom, {extent}, {points} point{'s' * (points != 1)}")


def line(
    dominoes: Iterable[Domino | int],
    *,
    claims: Mapping[int, int] | None = None,
    size: float = 64,
    theme: str = "light",
) -> str:
    """Draw a line of dominoes, lowest number on top, the numbers beside them.

    ``claims`` maps the number of a domino to the seat whose king stands on it. ``size`` is the width
    of a square in pixels (a domino has two). Raises `KingdominoError` for a domino, seat, theme or
    size that does not exist.
    """
    ordered = sorted(map(shown.find_domino, dominoes))
    kings = {number: shown.check_seat(seat) for number, seat in (claims or {}).items()}
    drawing = Drawing(theme)
    scale = check_size(size, "size") / 100
    height = _lines.line_height(len(ordered))
    box = (-_PAPER, -_PAPER, _lines.LEFT + 200 + 2 * _PAPER + 10, height + 2 * _PAPER + 4)
    drawing.rectangle(*box, 18, f'fill="{drawing.colour("parchment")}"')
    _lines.draw_line(drawing, ordered, kings)
    numbers = ", ".join(str(each.number) for each in ordered)
    return drawing.document(box, scale, f"Line of dominoes: {numbers}" if ordered else "Empty line")


def position(
    position: _core.Position,
    *,
    layouts: Sequence[Layout | None] | None = None,
    names: Sequence[str] | None = None,
    width: float | None = None,
    theme: str = "light",
) -> str:
    """Draw a whole position: the kingdoms with names and scores, both lines, and whose turn it is.

    ``layouts`` has one entry a seat, from ``game.layout(seat)``, or None where it is not known;
    ``names`` has one name a seat (default: the colours of the kings). ``width`` is that of the
    picture in pixels (default: as large as it was drawn, 850 to 1250 for two to four seats).

    Raises `KingdominoError` when names or layouts are not one a seat, for layouts of other
    kingdoms, and for a theme or width that does not exist.
    """
    players = shown.player_names(position, names)
    seats = len(position.kingdoms)
    if layouts is not None and len(layouts) != seats:
        raise KingdominoError(f"layouts: {len(layouts)} of them for {seats} seats")
    known = [None] * seats if layouts is None else list(layouts)
    for country, layout in zip(position.kingdoms, known, strict=True):
        _land.check_layout(country, layout)
    drawing = Drawing(theme)
    columns, rows = draw_position(drawing, position, known, players)
    scale = 1 if width is None else check_size(width, "width") / columns
    title = f"Kingdomino. {shown.round_name(position)}. {shown.sentence(position, players)}"
    return drawing.document((0, 0, columns, rows), scale, title)


def domino(domino: Domino | int, *, size: float = 64, theme: str = "light") -> str:
    """Draw the face of a domino, its left end at the left. ``size`` is the width of a square in pixels.

    Raises `KingdominoError` for a domino, theme or size that does not exist.
    """
    face = shown.find_domino(domino)
    drawing = Drawing(theme)
    _lines.draw_domino(drawing, face, 0, 0)
    return drawing.document((0, 0, 200, 100), check_size(size, "size") / 100, _lines.described(face))


def back(number: int, *, size: float = 64, theme: str = "light") -> str:
    """Draw the back of a domino with its number. ``size`` is the width of a square in pixels.

    Raises `KingdominoError` for a domino, theme or size that does not exist.
    """
    number = shown.find_domino(number).number
    drawing = Drawing(theme)
    _lines.draw_back(drawing, number)
    return drawing.document((0, 0, 200, 100), check_size(size, "size") / 100, f"back of domino {number}")


def _square(kingdom: _core.Kingdom, square: Coordinates) -> Coordinates:
    try:
        x, y = square
        near = abs(x) <= 2 * kingdom.size and abs(y) <= 2 * kingdom.size
    except (TypeError, ValueError):
        near = False
    if not near:
        raise KingdominoError(f"highlight: {square!r} is not a square near the kingdom")
    return x, y
