"""The squares of a kingdom, with their joints, seams and outline.

A square is 100 units wide. Art is never rotated. Neighbours of one terrain share one ground.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from kingdomino.display import find_domino
from kingdomino.errors import KingdominoError
from kingdomino.svg.drawing import Drawing, Fragment
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
        across, up = step
        x, y = (square[0] - self.left) * 100, (self.top - square[1]) * 100
        return f"M{x + 100 * (across > 0)} {y + 100 * (up < 0)}{'v100' if across else 'h100'}"

    def corner(self, square: Coordinates) -> tuple[int, int]:
        """Return the upper left corner of a square, in units from the upper left corner of the frame."""
        return (square[0] - self.left) * 100, (self.top - square[1]) * 100


def draw_empty_squares(drawing: Drawing, kingdom: Kingdom, frame: Frame) -> None:
    """Draw the empty squares of the frame."""
    drawing.open(attributes=f'color="{drawing.colour("ink")}"')
    taken = kingdom.squares
    for row, y in enumerate(range(frame.top, frame.bottom - 1, -1)):
        for column, x in enumerate(range(frame.left, frame.right + 1)):
            if (x, y) not in taken:
                drawing.use("square-empty", 100 * column, 100 * row, 100, 100)
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
    ordered = list(squares)  # in reading order
    ground = _ground(ordered, frame)
    drawing.shadow(ground, 4, 4)
    for terrain in sorted({square.terrain for square in squares.values()} - {Terrain.CASTLE}):
        alike = (square for square in ordered if squares[square].terrain is terrain)
        drawing.add(underlay(terrain, _ground(alike, frame)))
    known = layout or {}
    for square in ordered:
        x, y = frame.corner(square)
        terrain, crowns = squares[square]
        if terrain is Terrain.CASTLE:
            drawing.use("castle", x, y, 100, 100, f'color="{drawing.colour(KINGS[seat])}"')
        else:
            domino, name = known.get(square, (None, ""))
            look = variant(domino.number, name) if domino else 1
            drawing.include(_square(terrain, crowns, look, x, y, drawing.theme))
    draw_night(drawing, ground)
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


@lru_cache(1024)
def _square(terrain: Terrain, crowns: int, look: int, x: int, y: int, theme: str) -> Fragment:
    drawing = Drawing(theme)
    draw_end(drawing, End(terrain, crowns), look, x, y)
    return drawing.fragment()


def underlay(terrain: Terrain, path: str) -> str:
    """Return one ground for neighbours of a terrain, so that the joint between them shows no gap."""
    return f'<path d="{path}" fill="{ground(terrain)}"/>'


def draw_night(drawing: Drawing, path: str) -> None:
    """Darken a path in the dark theme."""
    if drawing.dark:
        drawing.add(f'<path d="{path}" fill="{_NIGHT}" opacity="{drawing.colour("veil")}"/>')


def _ground(squares: Iterable[Coordinates], frame: Frame) -> str:
    left, top = frame.left, frame.top
    return "".join([f"M{(x - left) * 100} {(top - y) * 100}h100v100h-100z" for x, y in squares])


def _borders(kingdom: Kingdom, layout: Layout | None, frame: Frame) -> tuple[str, str, str]:
    """Return the paths of the joints between equal neighbours, the seams between others, and the outline.

    With a layout, the two ends of one domino have no joint.
    """
    joints, seams, outline = [], [], []
    terrains, known = {square: content[0] for square, content in kingdom.squares.items()}, layout or {}
    for square in sorted(terrains):
        (x, y), (left, top), terrain = square, frame.corner(square), terrains[square]
        # A border that two squares share belongs to the lower or the left one.
        for neighbour, side in (
            ((x, y + 1), f"M{left} {top}h100"),
            ((x + 1, y), f"M{left + 100} {top}v100"),
        ):
            if neighbour not in terrains:
                outline.append(side)
            elif terrains[neighbour] is not terrain:
                seams.append(side)
            elif not _one_domino(square, neighbour, known):
                joints.append(side)
        if (x, y - 1) not in terrains:
            outline.append(f"M{left} {top + 100}h100")
        if (x - 1, y) not in terrains:
            outline.append(f"M{left} {top}v100")
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
