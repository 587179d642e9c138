"""Dominoes: one alone, its back, and a line of them with its kings.

A domino is 200 by 100 units.
"""

from collections.abc import Iterable
from functools import lru_cache

from kingdomino.display import find_domino
from kingdomino.svg.drawing import Drawing, Fragment
from kingdomino.svg.squares import draw_end, draw_night, underlay
from kingdomino.svg.symbols import KINGS, variant
from kingdomino.values import Domino, Slot

ROW = 120
"""Units from one domino of a line to the next."""

LEFT = 58
"""Units for the numbers to the left of a line."""

_KING = (54, 71)
_CORNERS = '<clipPath id=""><rect width="200" height="100" rx="9"/></clipPath>'


def line_height(dominoes: int) -> int:
    """Return the height of a line with this many dominoes."""
    return max(0, dominoes * ROW - 20)


def draw_domino(drawing: Drawing, domino: Domino, x: float, y: float) -> None:
    """Draw a domino with its left end at the left and rounded corners."""
    corners = drawing.define("corners", _CORNERS)
    drawing.open(x, y, attributes=f'clip-path="{corners}"')
    if domino.left.terrain is domino.right.terrain:
        drawing.add(underlay(domino.left.terrain, "M0 0h200v100H0z"))
    for name, end, left in (("left", domino.left, 0), ("right", domino.right, 100)):
        draw_end(drawing, end, variant(domino.number, name), left, 0)
    if domino.left.terrain is not domino.right.terrain:
        drawing.add(f'<path d="M100 0v100" stroke="{drawing.colour("seam")}" stroke-width="3" opacity=".4"/>')
    draw_night(drawing, "M0 0h200v100H0z")
    drawing.close()


def draw_line(drawing: Drawing, slots: Iterable[Slot], now: Domino | None = None) -> None:
    """Draw dominoes one below the other, with their numbers and the kings of the claimed ones.

    ``now`` gets a frame. Dominoes that are done leave an empty place.
    """
    for row, (domino, seat, is_done) in enumerate(slots):
        drawing.include(_in_line(domino.number, row, domino == now, is_done, drawing.theme))
        if seat is not None and not is_done:
            draw_king(drawing, seat, LEFT + 200 + _KING[0] / 6, row * ROW + 105, _KING[1])


@lru_cache(512)
def _in_line(number: int, row: int, is_now: bool, is_gone: bool, theme: str) -> Fragment:
    """Draw a domino of a line, without its king."""
    drawing, domino, top = Drawing(theme), find_domino(number), row * ROW
    ink, weight = ("ink-soft", 500) if is_gone else ("ink", 700)
    attributes = f'text-anchor="end" font-weight="{weight}" fill="{drawing.colour(ink)}"'
    drawing.text(str(number), LEFT - 16, top + 60, 29, attributes)
    if is_gone:
        edge = f'stroke="{drawing.colour("edge-strong")}" stroke-width="2" stroke-dasharray="7 6"'
        drawing.rectangle(LEFT + 1, top + 1, 198, 98, 9, f'fill="none" {edge}')
        return drawing.fragment()
    drawing.shadow(f"M{LEFT} {top}h200v100h-200z", 4, 5)
    draw_domino(drawing, domino, LEFT, top)
    if is_now:
        frame = f'fill="none" stroke="{drawing.colour("accent")}" stroke-width="5"'
        drawing.rectangle(LEFT - 6, top - 6, 212, 112, 13, frame)
    return drawing.fragment()


def draw_back(drawing: Drawing, number: int) -> None:
    """Draw the back of a domino, at (0, 0)."""
    drawing.use("domino-back", 0, 0, 200, 100)
    drawing.text(str(number), 100, 62, 36, 'text-anchor="middle" font-weight="700" fill="#f0d9a4"')


def draw_king(drawing: Drawing, seat: int, right: float, foot: float, height: float) -> None:
    """Draw the king of a seat with its right side and its foot at these coordinates."""
    width, colour = height * 64 / 84, drawing.colour(KINGS[seat])
    drawing.use(f"king-{KINGS[seat]}", right - width, foot - height, width, height, f'color="{colour}"')


def draw_emblem(drawing: Drawing, seat: int, x: float, y: float, size: float) -> None:
    """Draw the emblem of a seat in its colour, centred on (x, y)."""
    colour = f'color="{drawing.colour(KINGS[seat])}"'
    drawing.use(f"seal-{KINGS[seat]}", x - size / 2, y - size / 2, size, size, colour)


def description(domino: Domino) -> str:
    """Describe a domino: ``domino 20: wheat, 1 crown; lake``."""
    ends = []
    for end in (domino.left, domino.right):
        crowns = f", {end.crowns} crown{'s' if end.crowns > 1 else ''}" if end.crowns else ""
        ends.append(f"{end.terrain}{crowns}")
    return f"domino {domino.number}: {'; '.join(ends)}"
