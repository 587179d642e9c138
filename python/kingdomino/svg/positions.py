"""A whole position: every kingdom on its sheet, both lines, whose turn it is.

Each kingdom has a window of the largest size, so that all squares are equally large. Two kingdoms lie side
by side and four two by two, with the lines to their right. With three, the lines take the fourth place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from kingdomino.display import lines_on_table, next_step, round_name, sentence
from kingdomino.svg.dominoes import LEFT, draw_emblem, draw_king, draw_line
from kingdomino.svg.drawing import Drawing, Fragment, fitted, text_width
from kingdomino.svg.overlays import draw_territories
from kingdomino.svg.squares import Frame, Layout, draw_empty_squares, draw_kingdom

if TYPE_CHECKING:
    from kingdomino._core import Kingdom, Position
    from kingdomino.values import Coordinates, Domino, Outcome

_MARGIN = 44
_WINDOW = 320  # one kingdom, square
_SHEET_TOP, _SHEET_EDGE = 78, 24  # the name above the window; the parchment around it
SHEET = (_WINDOW + 2 * _SHEET_EDGE, _SHEET_TOP + _WINDOW + _SHEET_EDGE)
"""The width and the height of the sheet of one kingdom."""

_GAP = 26
_HEAD = 128  # the sentence and the round
_LINE = 0.68  # the scale of a line: a domino is 136 wide
_LINE_WIDTH, _LINE_TOP = 184, 70  # a line with its numbers and kings; its title
_ORDINALS = ("1st", "2nd", "3rd", "4th")

# The grain of the wood: strokes on a 920 by 420 ground, (width, opacity, path).
_GRAIN = (
    (7, 0.8, "M0 38C150 38 300 56 460 46S770 38 920 38M0 352C180 352 340 370 500 358S760 352 920 352"),
    (7, 0.8, "M0 206C210 206 330 190 500 198S760 206 920 206"),
    (12, 0.55, "M0 96C150 96 330 82 470 92S790 96 920 96M0 150C200 150 340 172 520 162S780 150 920 150"),
    (12, 0.55, "M0 312C200 312 420 298 560 314S780 312 920 312"),
    (5, 0.8, "M0 178C210 178 330 184 510 180S770 178 920 178M0 262C220 262 360 240 540 250S780 262 920 262"),
    (16, 0.35, "M0 12C180 12 400 22 600 12S800 12 920 12M0 234C200 234 420 222 600 228S800 234 920 234"),
    (16, 0.35, "M0 396C160 396 380 408 560 396S800 396 920 396"),
)


def draw_position(
    drawing: Drawing, position: Position, layouts: Sequence[Layout | None], names: Sequence[str]
) -> tuple[int, int]:
    """Draw the position at (0, 0), and return the width and the height of the picture."""
    seats = len(position.kingdoms)
    rows = 1 if seats == 2 else 2
    lines = 1 if seats == 4 else 2  # beside each other
    apart = SHEET[0] - 2 * _LINE_WIDTH if seats == 3 else _GAP
    aside = _MARGIN + 2 * (SHEET[0] + _GAP)
    room = lines * _LINE_WIDTH + (lines - 1) * apart
    width = aside - _GAP + _MARGIN if seats == 3 else aside + room + _MARGIN
    height = _HEAD + rows * SHEET[1] + (rows - 1) * _GAP + _MARGIN
    places = [
        (_MARGIN + column * (SHEET[0] + _GAP), _HEAD + row * (SHEET[1] + _GAP))
        for row in range(rows)
        for column in range(2)
    ]
    draw_table(drawing, width, height)
    _draw_head(drawing, position, names, width)
    for seat, place in zip(range(seats), places, strict=False):
        drawing.open(*place)
        draw_seat(drawing, position, seat, layouts[seat], names[seat], _status(position, seat))
        drawing.close()
    drawing.open(*(places[3] if seats == 3 else (aside, _HEAD)))
    if outcome := position.outcome():
        _draw_ranking(drawing, outcome, names, room)
    else:
        _draw_lines(drawing, position, (0, SHEET[1] + _GAP) if lines == 1 else (_LINE_WIDTH + apart, 0))
    drawing.close()
    return width, height


def draw_table(drawing: Drawing, width: int, height: int, radius: int = 22) -> None:
    """Draw the wood of the table, lighter in the middle."""
    drawing.include(_table(width, height, radius, drawing.theme))


@lru_cache(8)
def _table(width: int, height: int, radius: int, theme: str) -> Fragment:
    drawing = Drawing(theme)
    glow = f'<stop stop-color="{drawing.colour("parchment")}" stop-opacity="%s" offset="%s"/>'
    stops = glow % (".38", "0") + glow % ("0", "1")
    light = drawing.define("light", f'<radialGradient id="" cy=".4" r=".75">{stops}</radialGradient>')
    edge = drawing.define(
        "table", f'<clipPath id=""><rect width="{width}" height="{height}" rx="{radius}"/></clipPath>'
    )
    drawing.open(attributes=f'clip-path="{edge}"')
    drawing.rectangle(0, 0, width, height, 0, f'fill="{drawing.colour("table")}"')
    drawing.open(attributes=f'fill="none" stroke="{drawing.colour("table-grain")}"')
    scale = width / 920
    for band in range(math.ceil(height / (420 * scale))):
        drawing.open(0, band * 420 * scale, scale)
        for thickness, opacity, path in _GRAIN:
            drawing.add(f'<path d="{path}" stroke-width="{thickness}" opacity="{opacity}"/>')
        drawing.close()
    drawing.close()
    drawing.rectangle(0, 0, width, height, 0, f'fill="{light}"')
    drawing.close()
    return drawing.fragment()


def _draw_head(drawing: Drawing, position: Position, names: Sequence[str], width: int) -> None:
    """Write whose turn it is and the round."""
    outcome = position.outcome()
    actor = outcome.winners[0] if outcome else position.to_move
    if actor is not None:  # no player acts while a line or a king is due
        draw_king(drawing, actor, _MARGIN + 54, 104, 70)
    left, rounds = _MARGIN + 72, position.rules.rounds
    said, then = sentence(position, names), next_step(position, names)
    room = width - left - _MARGIN - 14 * rounds - 30
    size = min(35.0, 35 * room / text_width(said, 35, bold=True))
    drawing.text(said, left, 72 if then else 86, size, 'font-weight="600"')
    soft = f'fill="{drawing.colour("ink-soft")}"'
    if then:
        drawing.text(fitted(then, 21, room), left, 102, 21, soft)
    drawing.text(round_name(position), width - _MARGIN, 72, 21, 'text-anchor="end" font-weight="600"')
    drawing.include(_pips(rounds, position.round, position.is_over, width, drawing.theme))


@lru_cache(64)
def _pips(rounds: int, current: int, is_over: bool, width: int, theme: str) -> Fragment:
    """Draw a dot for each round."""
    drawing = Drawing(theme)
    for pip in range(rounds):
        past, now = pip < current - 1 or is_over, pip == current - 1
        x = width - _MARGIN - 5 - 14 * (rounds - 1 - pip)
        ink = drawing.colour("ink-soft" if past else "accent" if now else "edge-strong")
        paint = f'fill="{ink}"' if past or now else f'fill="none" stroke="{ink}" stroke-width="1.5"'
        drawing.add(f'<circle cx="{x}" cy="94" r="{5 if past or now else 4.3}" {paint}/>')
    return drawing.fragment()


def draw_seat(
    drawing: Drawing, position: Position, seat: int, layout: Layout | None, name: str, status: str = ""
) -> None:
    """Draw one kingdom on its sheet (`SHEET`), with its player's name and score, and the status below the name."""
    kingdom, (width, _) = position.kingdoms[seat], SHEET
    drawing.include(_sheet(seat == position.to_move, drawing.theme))
    base = 39 if status else 50
    draw_emblem(drawing, seat, _SHEET_EDGE + 11, base - 7, 22)
    drawing.text(fitted(name, 23, 210, bold=True), _SHEET_EDGE + 32, base, 23, 'font-weight="600"')
    soft = f'fill="{drawing.colour("ink-soft")}" font-weight="500"'
    if status:
        drawing.text(status, _SHEET_EDGE + 32, 61, 17, soft, sans=True)
    score = str(position.scores()[seat].total)
    drawing.text(score, width - _SHEET_EDGE, 52, 36, 'text-anchor="end" font-weight="700"')
    drawing.open(_SHEET_EDGE, _SHEET_TOP, _WINDOW / (100 * kingdom.size))
    known = None if layout is None else tuple(layout.items())
    drawing.include(_window(kingdom, seat, known, position.is_over, drawing.theme))
    drawing.close()


@cache
def _sheet(to_move: bool, theme: str) -> Fragment:
    """Draw the sheet of one kingdom, framed if its player is to move."""
    drawing, (width, height) = Drawing(theme), SHEET
    drawing.sheet(0, 0, width, height)
    if to_move:
        frame = f'fill="none" stroke="{drawing.colour("accent")}" stroke-width="3"'
        drawing.rectangle(1.5, 1.5, width - 3, height - 3, 16.5, frame)
    return drawing.fragment()


@lru_cache(8)
def _window(
    kingdom: Kingdom,
    seat: int,
    layout: tuple[tuple[Coordinates, tuple[Domino, str]], ...] | None,
    is_over: bool,
    theme: str,
) -> Fragment:
    """Draw a kingdom in its window. From one position to the next, at most one of them changes."""
    drawing, window = Drawing(theme), window_of(kingdom)
    draw_empty_squares(drawing, kingdom, window)
    draw_kingdom(drawing, kingdom, seat, dict(layout or ()), window)
    if is_over:
        draw_territories(drawing, kingdom, window, crowned=True)
    return drawing.fragment()


def window_of(kingdom: Kingdom) -> Frame:
    """Return the largest box of the kingdom, with its squares in the middle or half a square off."""
    (left, bottom), (right, top) = kingdom.box
    left = (left + right + 1 - kingdom.size) // 2
    bottom = (bottom + top + 1 - kingdom.size) // 2
    return Frame(left, bottom, left + kingdom.size - 1, bottom + kingdom.size - 1)


def _status(position: Position, seat: int) -> str:
    if position.is_over:
        score = position.scores()[seat]
        bonuses = (("Harmony", score.harmony), ("Middle Kingdom", score.middle_kingdom))
        return ", ".join(f"{name} {points}" for name, points in bonuses if points)
    if seat == position.to_move:
        return "claims now" if position.domino is None else "places now"
    verbs = (("places", position.line), ("has claimed", position.next_line))
    for verb, line in verbs if position.round else (("has claimed", position.line),):
        numbers = [str(slot.domino.number) for slot in line if slot.seat == seat and not slot.is_done]
        if numbers:
            return f"{verb} {' and '.join(numbers)}"
    return ""


def _draw_lines(drawing: Drawing, position: Position, step: tuple[int, int]) -> None:
    """Draw both lines, the second moved by ``step``."""
    for index, (title, slots) in enumerate(lines_on_table(position)):
        drawing.open(index * step[0], index * step[1])
        drawing.text(title, LEFT * _LINE, 24, 22, 'font-weight="600"')
        hint = "top king acts first" if title == "This line" else "low numbers first"
        drawing.text(hint, LEFT * _LINE, 47, 17, f'fill="{drawing.colour("ink-soft")}"', sans=True)
        drawing.open(0, _LINE_TOP, _LINE)
        draw_line(drawing, slots, position.domino)
        drawing.close()
        drawing.close()


def _draw_ranking(drawing: Drawing, outcome: Outcome, names: Sequence[str], width: int) -> None:
    """Write the ranking at the end of the game."""
    drawing.text("The places", 0, 24, 22, 'font-weight="600"')
    soft = f'fill="{drawing.colour("ink-soft")}"'
    for row, seat in enumerate(outcome.ranking):
        base = 72 + 42 * row
        drawing.text(_ORDINALS[outcome.places[seat] - 1], 0, base, 17, soft)
        draw_emblem(drawing, seat, 47, base - 6, 19)
        drawing.text(fitted(names[seat], 20, width - 108, bold=True), 64, base, 20, 'font-weight="600"')
        drawing.text(str(outcome.scores[seat].total), width, base, 22, 'text-anchor="end" font-weight="700"')
