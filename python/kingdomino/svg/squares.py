"""The squares of a kingdom, with their joints, seams and outline.

A square is 100 units wide. Art is never rotated. Neighbours of one terrain share one ground.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from kingdomino.display import find_domino
from kingdomino.errors import KingdominoError
from kingdomino.svg.drawing import Drawing
from kingdomino.svg.symbols import KINGS, ground, variant
from kingdomino.values import Coordinates, Domino, End, Terrain

if TYPE_CHECKING:
    from kingdomino._core import Kingdom

Layout = Mapping[Coordinates, tuple[Domino, str]]
"""(x, y) -> the domino there and its end, "left" or "right", as `Game.layout` returns it."""

Step = tuple[int, int]
STEPS: tuple[Step, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""The steps to the four neighbours of a square."""

_NIGHT = "#120b06"


class Frame(NamedTuple):
    """The squares that a picture shows, both corners included."""

    left: int
    bottom: int
    right: int
    top: int

    @classmethod
    def around(cls, corners: Iterable[Coordinates]) -> Frame:
        """Return the smallest frame that contains these squares."""
        across, up = zip(*corners, strict=True)
        return cls(min(across), min(up), max(across), max(up))

    @property
    def columns(self) -> int:
        """Its width in squares."""
        return self.right - self.left + 1

    @property
    def rows(self) -> int:
        """Its height in squares."""
        return self.top - self.bottom + 1

    def side(self, square: Coordinates, step: Step) -> str:
        """Return the path of one side of a square: the side that the step crosses."""
        x, y = self.corner(square)
        right, down = x + 100 * (step == (1, 0)), y + 100 * (step == (0, -1))
        return f"M{right} {down}{'v100' if step[0] else 'h100'}"

    def corner(self, square: Coordinates) -> tuple[int, int]:
        """Return the upper left corner of a square, in units from the upper left corner of the frame."""
        return (square[0] - self.left) * 100, (self.top - square[1]) * 100


def draw_empty_squares(drawing: Drawing, kingdom: Kingdom, frame: Frame) -> None:
    """Draw the empty squares of the frame."""
    drawing.open(attributes=f'color="{drawing.colour("ink")}"')
    taken = kingdom.squares
    for y in range(frame.top, frame.bottom - 1, -1):
        for x in range(frame.left, frame.right + 1):
            if (x, y) not in taken:
                drawing.use("square-empty", *frame.corner((x, y)), 100, 100)
    drawing.close()


def draw_coordinates(drawing: Drawing, frame: Frame) -> None:
    """Write the column numbers below the frame and the row numbers to its left."""
    quiet = f'text-anchor="middle" fill="{drawing.colour("ink-soft")}"'
    for x in range(frame.left, frame.right + 1):
        drawing.text(signed(x), frame.corner((x, 0))[0] + 50, frame.rows * 100 + 34, 22, quiet, sans=True)
    for y in range(frame.bottom, frame.top + 1):
        drawing.text(signed(y), -24, frame.corner((0, y))[1] + 58, 22, quiet, sans=True)


def draw_kingdom(drawing: Drawing, kingdom: Kingdom, seat: int, layout: Layout | None, frame: Frame) -> None:
    """Draw the covered squares in reading order, with their seams and their outline."""
    squares = kingdom.squares
    ordered = sorted(squares, key=lambda square: (-square[1], square[0]))
    drawing.shadow(_ground(ordered, frame), 4, 4)
    for terrain in sorted({square.terrain for square in squares.values()} - {Terrain.CASTLE}):
        alike = (square for square in ordered if squares[square].terrain is terrain)
        drawing.add(underlay(terrain, _ground(alike, frame)))
    for square in ordered:
        x, y = frame.corner(square)
        terrain, crowns = squares[square]
        if terrain is Terrain.CASTLE:
            drawing.use("castle", x, y, 100, 100, f'color="{drawing.colour(KINGS[seat])}"')
        else:
            domino, name = (layout or {}).get(square, (None, ""))
            draw_end(drawing, End(terrain, crowns), variant(domino.number, name) if domino else 1, x, y)
    draw_night(drawing, _ground(ordered, frame))
    joints, seams, outline = _borders(kingdom, layout, frame)
    for path, width, opacity in ((joints, 2, ".16"), (seams, 4, ".55"), (outline, 4, ".75")):
        if path:
            stroke = f'stroke="{drawing.colour("seam")}" stroke-width="{width}" opacity="{opacity}"'
            drawing.add(f'<path d="{path}" fill="none" stroke-linecap="round" {stroke}/>')


def draw_end(drawing: Drawing, end: End, look: int, x: float, y: float) -> None:
    """Draw one end of a domino with its crowns."""
    drawing.use(f"{end.terrain}-{look}", x, y, 100, 100)
    if end.crowns:
        drawing.use(f"crowns-{end.crowns}", x, y, 100, 100)


def underlay(terrain: Terrain, path: str) -> str:
    """Return one ground for neighbours of a terrain, so that the joint between them shows no gap."""
    return f'<path d="{path}" fill="{ground(terrain)}"/>'


def draw_night(drawing: Drawing, path: str) -> None:
    """Darken a path in the dark theme."""
    if drawing.dark:
        drawing.add(f'<path d="{path}" fill="{_NIGHT}" opacity="{drawing.colour("veil")}"/>')


def _ground(squares: Iterable[Coordinates], frame: Frame) -> str:
    return "".join("M{} {}h100v100h-100z".format(*frame.corner(square)) for square in squares)


def _borders(kingdom: Kingdom, layout: Layout | None, frame: Frame) -> tuple[str, str, str]:
    """Return the paths of the joints between equal neighbours, the seams between others, and the outline.

    With a layout, the two ends of one domino have no joint.
    """
    joints, seams, outline = [], [], []
    squares = kingdom.squares
    for square in sorted(squares):
        for step in STEPS:
            neighbour = (square[0] + step[0], square[1] + step[1])
            if neighbour not in squares:
                outline.append(frame.side(square, step))
            elif neighbour > square and squares[square].terrain is not squares[neighbour].terrain:
                seams.append(frame.side(square, step))
            elif neighbour > square and not _one_domino(square, neighbour, layout or {}):
                joints.append(frame.side(square, step))
    return "".join(joints), "".join(seams), "".join(outline)


def _one_domino(square: Coordinates, neighbour: Coordinates, layout: Layout) -> bool:
    return square in layout and neighbour in layout and layout[square][0] == layout[neighbour][0]


def check_layout(kingdom: Kingdom, layout: Layout | None) -> None:
    """Raise a `KingdominoError` if the layout contradicts the squares of the kingdom."""
    for square, (domino, name) in (layout or {}).items():
        find_domino(domino)
        if name not in ("left", "right"):
            raise KingdominoError(f"layout: square {square} shows the end {name!r}: it is 'left' or 'right'")
        end = domino.left if name == "left" else domino.right
        if tuple(kingdom.squares.get(square, ())) != tuple(end):
            raise KingdominoError(f"layout: square {square} is not the {name} end of domino {domino}")


def signed(number: int) -> str:
    """Write a number with a typographic minus sign."""
    return str(number).replace("-", "\N{MINUS SIGN}")
