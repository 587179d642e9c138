"""Pictures: a kingdom, a domino, a line of them, a whole position or a result as a standalone SVG document.

Pure functions that return a `str`: the same arguments give the same text, byte for byte. A document
contains the symbols that it uses and refers to nothing else. Save it as a file, put it inline into a page
(ids of several documents never clash) or show it in a notebook.

``theme`` is always ``"light"`` or ``"dark"``. Seats are 0 pink (heart), 1 yellow (sun), 2 green (clover),
3 blue (moon).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from kingdomino import display
from kingdomino.errors import KingdominoError
from kingdomino.svg import dominoes as faces
from kingdomino.svg import overlays, squares
from kingdomino.svg.drawing import Drawing, check_size
from kingdomino.svg.positions import draw_position
from kingdomino.svg.results import HEIGHT, WIDTH, draw_result
from kingdomino.svg.squares import Frame, Layout
from kingdomino.values import Coordinates, Domino, Placement, Slot

if TYPE_CHECKING:
    from kingdomino import _core

__all__ = ["back", "domino", "kingdom", "line", "position", "result"]

_PAPER = 36  # units of parchment around a picture
_NUMBERS = 44  # units for the numbers of rows and columns


def kingdom(
    kingdom: _core.Kingdom,
    *,
    seat: int = 0,
    layout: Layout | None = None,
    domino: Domino | int | None = None,
    placements: Iterable[Placement | tuple[Coordinates, Coordinates]] = (),
    played: Placement | tuple[Coordinates, Coordinates] | None = None,
    highlight: Iterable[Coordinates] = (),
    territories: bool = False,
    coordinates: bool = False,
    size: float = 64,
    theme: str = "light",
) -> str:
    """Draw one kingdom, with the empty squares that the next domino can reach.

    seat: 0 to 3; the colour of the castle.
    layout: (x, y) -> (domino, end), from ``game.layout(seat)``. With it, each square shows its own variant
        and dominoes have visible joints; without it, every square is the plain variant.
    domino: with ``placements``, lies on the first of them, with the points that it would score, or crossed
        out if it is illegal there; alone, all its legal placements are marked.
    placements: marked with a ring, each on the joint of its two squares.
    played: a placement in a dashed frame, to compare it with the first of ``placements``.
    highlight: squares to frame.
    territories: whether each territory shows its score, squares times crowns.
    coordinates: whether columns and rows are numbered.
    size: width of a square in pixels, 1 to 10,000.

    Raises `KingdominoError` for an unknown seat, domino or theme, a size out of range, placements that are not
    two neighbouring squares near the kingdom, squares far from it, and the layout of another kingdom.
    """
    display.check_seat(seat)
    squares.check_layout(kingdom, layout)
    drawing = Drawing(theme)
    scale = check_size(size, "size") / 100
    marked = frozenset(_square(kingdom, square) for square in highlight)
    spots = display.check_placements(kingdom, placements)
    face = None if domino is None else display.find_domino(domino)
    ghost = spots.pop(0) if face and spots else None
    if face and not ghost:
        spots = kingdom.placements(face)
    dashed = display.check_placements(kingdom, [] if played is None else [played])
    covered = [end for placement in (*spots, *filter(None, [ghost]), *dashed) for end in placement]
    frame = Frame.around([*kingdom.reach, *marked, *covered])
    numbers = _NUMBERS if coordinates else 0
    box = (
        -_PAPER - numbers,
        -_PAPER,
        100 * frame.columns + 2 * _PAPER + numbers,
        100 * frame.rows + 2 * _PAPER + numbers,
    )
    drawing.rectangle(*box, 18, f'fill="{drawing.colour("parchment")}"')
    squares.draw_empty_squares(drawing, kingdom, frame)
    if coordinates:
        squares.draw_coordinates(drawing, frame)
    squares.draw_kingdom(drawing, kingdom, seat, layout, frame)
    if marked:
        overlays.draw_highlights(drawing, marked, frame)
    if territories:
        overlays.draw_territories(drawing, kingdom, frame)
    overlays.draw_spots(drawing, (spot for spot in spots if not ghost or set(spot).isdisjoint(ghost)), frame)
    if face and ghost:
        overlays.draw_ghost(drawing, kingdom, face, ghost, frame)
    for placement in dashed:
        overlays.draw_played(drawing, placement, frame)
    (left, bottom), (right, top) = kingdom.box
    extent = f"{right - left + 1} wide and {top - bottom + 1} tall"
    points = kingdom.score().total
    return drawing.document(box, scale, f"Kingdom, {extent}, {points} point{'s' * (points != 1)}")


def line(slots: Iterable[Slot | Domino | int], *, size: float = 64, theme: str = "light") -> str:
    """Draw a line like `Position.line`, lowest number on top, the numbers beside the dominoes.

    ``slots`` may also be dominoes or their numbers, without kings. ``size`` is the width of a square in pixels,
    1 to 10,000. Raises `KingdominoError` for an unknown domino, seat or theme and for a size out of range.
    """
    ordered = display.slots_of(slots)
    drawing = Drawing(theme)
    scale = check_size(size, "size") / 100
    height = faces.line_height(len(ordered))
    box = (-_PAPER, -_PAPER, faces.LEFT + 200 + 2 * _PAPER + 10, height + 2 * _PAPER + 4)
    drawing.rectangle(*box, 18, f'fill="{drawing.colour("parchment")}"')
    faces.draw_line(drawing, ordered)
    numbers = ", ".join(str(each.domino.number) for each in ordered)
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

    ``layouts`` has one entry per seat: ``game.layout(seat)``, or None if it is unknown. ``names`` has one name a
    seat (default: the colours of the kings). ``width`` is the width of the picture in pixels, 1 to 10,000
    (default: 850 to 1250, depending on the seats).

    Raises `KingdominoError` when names or layouts do not have one entry per seat, for layouts of other kingdoms,
    for an unknown theme and for a width out of range.
    """
    players = display.player_names(position, names)
    known = _checked_layouts(position, layouts)
    drawing = Drawing(theme)
    columns, rows = draw_position(drawing, position, known, players)
    scale = 1 if width is None else check_size(width, "width") / columns
    title = f"Kingdomino. {display.round_name(position)}. {display.sentence(position, players)}"
    return drawing.document((0, 0, columns, rows), scale, title)


def result(
    position: _core.Position,
    *,
    layouts: Sequence[Layout | None] | None = None,
    names: Sequence[str] | None = None,
    title: str | None = None,
    width: float = WIDTH,
    theme: str = "light",
) -> str:
    """Draw the result of a game, to share: the best kingdom large, the others beside it, and the winner.

    It is 1200 by 630 units, the shape that messengers show beside a link. ``title`` is its text (default: who has
    won, in English), ``width`` its width in pixels, 1 to 10,000. ``layouts`` and ``names`` are as for `position`.

    Raises `KingdominoError` if the game is not over, and as `position` does.
    """
    outcome = position.outcome()
    if outcome is None:
        raise KingdominoError("there is no result yet: the game is not over")
    players = display.player_names(position, names)
    known = _checked_layouts(position, layouts)
    said = display.printable(title) if title is not None else display.sentence(position, players)
    drawing = Drawing(theme)
    draw_result(drawing, position, outcome, known, players, said)
    return drawing.document((0, 0, WIDTH, HEIGHT), check_size(width, "width") / WIDTH, f"Kingdomino. {said}")


def domino(domino: Domino | int, *, size: float = 64, theme: str = "light") -> str:
    """Draw the face of a domino, its left end at the left. ``size`` is the width of a square in pixels.

    Raises `KingdominoError` for an unknown domino or theme and for a size out of range.
    """
    face = display.find_domino(domino)
    drawing = Drawing(theme)
    faces.draw_domino(drawing, face, 0, 0)
    return drawing.document((0, 0, 200, 100), check_size(size, "size") / 100, faces.description(face))


def back(number: int, *, size: float = 64, theme: str = "light") -> str:
    """Draw the back of the domino with this number. ``size`` is the width of a square in pixels.

    Raises `KingdominoError` for an unknown number or theme and for a size out of range.
    """
    number = display.find_domino(number).number
    drawing = Drawing(theme)
    faces.draw_back(drawing, number)
    return drawing.document((0, 0, 200, 100), check_size(size, "size") / 100, f"back of domino {number}")


def _checked_layouts(
    position: _core.Position, layouts: Sequence[Layout | None] | None
) -> list[Layout | None]:
    seats = len(position.kingdoms)
    if layouts is not None and len(layouts) != seats:
        raise KingdominoError(f"layouts: {len(layouts)} of them for {seats} seats")
    known: list[Layout | None] = [None] * seats if layouts is None else list(layouts)
    for country, layout in zip(position.kingdoms, known, strict=True):
        squares.check_layout(country, layout)
    return known


def _square(kingdom: _core.Kingdom, square: Coordinates) -> Coordinates:
    try:
        x, y = square
        near = abs(x) <= 2 * kingdom.size and abs(y) <= 2 * kingdom.size
    except (TypeError, ValueError):
        near = False
    if not near:
        raise KingdominoError(f"highlight: {square!r} is not a square near the kingdom")
    return x, y


def __dir__() -> list[str]:
    return __all__
