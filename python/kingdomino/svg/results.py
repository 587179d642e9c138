"""The result of a game, to share: 1200 by 630 units, the shape that messengers show beside a link.

The winner's kingdom is large on the left; the result and the other kingdoms are on the right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kingdomino.svg.dominoes import draw_emblem, draw_king
from kingdomino.svg.drawing import Drawing, fitted, text_width
from kingdomino.svg.positions import SHEET, draw_seat, draw_table, window_of
from kingdomino.svg.squares import Layout, draw_empty_squares, draw_kingdom

if TYPE_CHECKING:
    from kingdomino._core import Kingdom, Position
    from kingdomino.values import Outcome

WIDTH, HEIGHT = 1200, 630
_EDGE = 44
_LEFT = 562  # of the part beside the large kingdom
_RIGHT = WIDTH - _EDGE
_OTHERS = {1: (196, 340), 2: (206, 166), 3: (196, 114)}  # where the first begins, and the height of each
_GAP = 16
_TITLES = ((46, 1), (42, 1), (38, 1), (46, 2), (42, 2), (38, 2), (34, 2), (30, 2), (26, 2))  # size, lines


def draw_result(
    drawing: Drawing,
    position: Position,
    outcome: Outcome,
    layouts: Sequence[Layout | None],
    names: Sequence[str],
    title: str,
) -> None:
    """Draw the result at (0, 0)."""
    first, *others = outcome.ranking
    draw_table(drawing, WIDTH, HEIGHT, 0)
    drawing.open(_EDGE, _EDGE, (HEIGHT - 2 * _EDGE) / SHEET[1])
    draw_seat(drawing, position, first, layouts[first], names[first])
    drawing.close()
    draw_king(drawing, first, _LEFT + 78, 152, 102)
    _draw_title(drawing, title, _LEFT + 100)
    top, height = _OTHERS[len(others)]
    for row, seat in enumerate(others):
        base = top + row * (height + _GAP)
        _draw_small(drawing, position.kingdoms[seat], seat, layouts[seat], base, height)
        score = str(outcome.scores[seat].total)
        if len(others) == 1:
            _draw_below(drawing, seat, names[seat], score, _LEFT + height + 28, base + height / 2)
        else:
            _draw_beside(drawing, seat, names[seat], score, _LEFT + height + 28, base + height / 2)
    mark = f'text-anchor="end" font-weight="600" fill="{drawing.colour("ink-soft")}"'
    drawing.text("Kingdomino", _RIGHT, HEIGHT - _EDGE + 14, 25, mark)


def _draw_title(drawing: Drawing, title: str, left: float) -> None:
    """Write the title in one line or two, as large as there is room."""
    room = _RIGHT - left
    for size, most in _TITLES:
        lines = _wrapped(title, size, room)
        if len(lines) <= most:
            break
    lines = [lines[0], " ".join(lines[1:])] if len(lines) > 1 else lines
    base = 101 + 0.34 * size - 0.58 * size * (len(lines) - 1)
    for row, line in enumerate(lines):
        words = fitted(line, size, room, bold=True)
        drawing.text(words, left, base + 1.16 * size * row, size, 'font-weight="700"')


def _wrapped(text: str, size: float, room: float) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size, bold=True) <= room or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _draw_small(
    drawing: Drawing, kingdom: Kingdom, seat: int, layout: Layout | None, top: float, size: float
) -> None:
    """Draw a small kingdom on a sheet of its own."""
    edge, window = 0.06 * size, window_of(kingdom)
    drawing.sheet(_LEFT, top, size, size, 0.06 * size)
    drawing.open(_LEFT + edge, top + edge, (size - 2 * edge) / (100 * kingdom.size))
    draw_empty_squares(drawing, kingdom, window)
    draw_kingdom(drawing, kingdom, seat, layout, window)
    drawing.close()


def _draw_below(drawing: Drawing, seat: int, name: str, score: str, left: float, middle: float) -> None:
    """Write the score below the name."""
    draw_emblem(drawing, seat, left + 13, middle - 38, 27)
    words = fitted(name, 29, _RIGHT - left - 38, bold=True)
    drawing.text(words, left + 38, middle - 28, 29, 'font-weight="600"')
    drawing.text(score, left, middle + 44, 64, 'font-weight="700"')


def _draw_beside(drawing: Drawing, seat: int, name: str, score: str, left: float, middle: float) -> None:
    """Write the score beside the name."""
    draw_emblem(drawing, seat, left + 13, middle, 27)
    words = fitted(name, 29, _RIGHT - left - 140, bold=True)
    drawing.text(words, left + 38, middle + 10, 29, 'font-weight="600"')
    drawing.text(score, _RIGHT, middle + 14, 42, 'text-anchor="end" font-weight="700"')
