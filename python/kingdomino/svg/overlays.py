"""Overlays of a kingdom: highlighted squares, legal placements, the ghost of a domino, territory scores."""

from __future__ import annotations

import math
from collections.abc import Iterable, Set
from typing import TYPE_CHECKING

from kingdomino.svg.drawing import Drawing, pill_width
from kingdomino.svg.squares import STEPS, Frame, draw_end
from kingdomino.svg.symbols import variant
from kingdomino.values import Coordinates, Domino, Placement, Territory

if TYPE_CHECKING:
    from kingdomino._core import Kingdom

_TIMES = "\N{MULTIPLICATION SIGN}"
_BASE = 57  # from the top of a square to the middle of a label


def draw_highlights(drawing: Drawing, squares: Set[Coordinates], frame: Frame) -> None:
    """Draw a bright line around these squares."""
    around = "".join(
        frame.side(square, step)
        for square in sorted(squares)
        for step in STEPS
        if (square[0] + step[0], square[1] + step[1]) not in squares
    )
    for colour, width in ((drawing.colour("kd-spot-paper"), 13), (drawing.colour("accent"), 7)):
        stroke = f'stroke="{colour}" stroke-width="{width}" stroke-linecap="round"'
        drawing.add(f'<path d="{around}" fill="none" {stroke}/>')


def draw_spots(drawing: Drawing, placements: Iterable[Placement], frame: Frame) -> None:
    """Draw a ring on the joint of each placement, one for both ways round of a domino."""
    corners = ((frame.corner(left), frame.corner(right)) for left, right in placements)
    for x, y in dict.fromkeys(((x + u) // 2 + 50, (y + v) // 2 + 50) for (x, y), (u, v) in corners):
        drawing.use("spot", x - 17, y - 17, 34, 34, f'color="{drawing.colour("accent")}"')


def draw_ghost(
    drawing: Drawing, kingdom: Kingdom, domino: Domino, placement: Placement, frame: Frame
) -> None:
    """Draw the domino at this placement, framed, with the points it would score or crossed out if illegal."""
    refused = kingdom.refusal(domino, placement) is not None
    ink, paper = drawing.colour("no" if refused else "accent"), drawing.colour("kd-spot-paper")
    ends = [frame.corner(square) for square in placement]
    left, top = min(x for x, _ in ends), min(y for _, y in ends)
    upright = ends[0][0] == ends[1][0]
    width, height = (100, 200) if upright else (200, 100)
    drawing.shadow(f"M{left} {top}h{width}v{height}h{-width}z", 9, 8)
    drawing.open(attributes='opacity=".6"' if refused else "")
    for name, end, corner in zip(("left", "right"), (domino.left, domino.right), ends, strict=True):
        draw_end(drawing, end, variant(domino.number, name), *corner)
    drawing.close()
    # The frame symbol is horizontal. Unlike art, it may be rotated.
    place = f"translate({left + 100} {top}) rotate(90)" if upright else f"translate({left} {top})"
    drawing.open(attributes=f'transform="{place}"')
    drawing.use("ghost-illegal" if refused else "ghost-legal", -6, -6, 212, 112, f'color="{ink}"')
    drawing.close()
    # Over the lower edge, where it hides neither the domino's own crowns nor crowns of squares below.
    beneath = {(x, y - 1) for x, y in placement} & set(kingdom.squares)
    x, y = left + width // 2, top + height - (24 if beneath else 0)
    if refused:
        drawing.add(f'<circle cx="{x}" cy="{y}" r="19" fill="{ink}" stroke="{paper}" stroke-width="2.5"/>')
        stroke = f'stroke="{paper}" stroke-width="4" stroke-linecap="round"'
        drawing.add(f'<path d="M{x - 7} {y - 7}l14 14m0-14l-14 14" {stroke}/>')
    else:
        gain = kingdom.place(domino, placement).score().total - kingdom.score().total
        drawing.pill(f"+{gain}", x, y, 27, ink, drawing.colour("on-accent"), paper)


def draw_played(drawing: Drawing, placement: Placement, frame: Frame) -> None:
    """Draw a dashed frame around the two squares of a placement."""
    ends = [frame.corner(square) for square in placement]
    left, top = min(x for x, _ in ends), min(y for _, y in ends)
    width, height = (100, 200) if ends[0][0] == ends[1][0] else (200, 100)
    dashed = f'stroke="{drawing.colour("ink")}" stroke-dasharray="13 9"'
    for stroke, thick in ((f'stroke="{drawing.colour("kd-spot-paper")}"', 9), (dashed, 5)):
        drawing.rectangle(left, top, width, height, 5, f'fill="none" {stroke} stroke-width="{thick}"')


def draw_territories(drawing: Drawing, kingdom: Kingdom, frame: Frame, crowned: bool = False) -> None:
    """Write on each territory its squares, crowns and score, in a softer colour without crowns.

    Where no two squares lie side by side there is room for the score only. ``crowned`` leaves out territories without
    crowns.
    """
    paper, ink, soft = (drawing.colour(name) for name in ("parchment", "ink", "ink-soft"))
    ranked = sorted(kingdom.territories(), key=_rank)
    taken: list[_Strip] = []
    for territory in (each for each in ranked if each.crowns or not crowned):
        squares = {frame.corner(square) for square in territory.squares}
        roomy = any((x + 100, y) in squares for x, y in squares)
        words, size, colour = f"{len(squares)} {_TIMES} {territory.crowns}", 20, soft
        if territory.crowns:
            words, size, colour = f"{words} = {territory.score}" if roomy else str(territory.score), 30, ink
        x, y = _place_of_label(squares, pill_width(words, size), taken)
        drawing.pill(words, x, y, size, paper, colour, colour)


def _rank(territory: Territory) -> tuple[int, int, list[Coordinates]]:
    return -territory.score, -len(territory.squares), sorted(territory.squares)


_Strip = tuple[float, float, float]  # left, right, base: the part of a row of squares under a label


def _place_of_label(squares: Set[tuple[int, int]], width: float, taken: list[_Strip]) -> tuple[float, float]:
    """Find the best place for a label: inside its territory, near the middle, clear of other labels.

    A label lies in the lower part of a row of squares, where it hides no crowns.
    """
    middle = (sum(x for x, _ in squares) / len(squares) + 50, sum(y for _, y in squares) / len(squares) + 50)

    def cost(place: tuple[float, float]) -> tuple[float, float, float]:
        x, y = place
        left, right = x - width / 2, x + width / 2
        row = [corner for corner, top in squares if top == y - _BASE]
        inside = sum(_overlap(left, right, corner, corner + 100) for corner in row)
        hidden = sum(_overlap(left, right, *strip) for *strip, base in taken if base == y)
        return (width - inside + 3 * hidden + 0.2 * math.dist(place, middle), y, x)

    x, y = min(((x + dx, y + _BASE) for x, y in squares for dx in (50, 100)), key=cost)
    taken.append((x - width / 2, x + width / 2, y))
    return x, y


def _overlap(left: float, right: float, other_left: float, other_right: float) -> float:
    return max(0.0, min(right, other_right) - max(left, other_left))
