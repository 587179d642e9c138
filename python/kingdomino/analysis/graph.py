"""The win probabilities of a game as a picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, product

from kingdomino._core import Record
from kingdomino.analysis.sentences import change, cost_figure, percent
from kingdomino.analysis.values import Decision, Luck, Review
from kingdomino.display import SEAT_NAMES, distinct, printable
from kingdomino.errors import KingdominoError
from kingdomino.svg.dominoes import draw_emblem
from kingdomino.svg.drawing import Drawing, check_size, text_width
from kingdomino.svg.symbols import KINGS

WIDTH = 1328
"""The width of the picture in pixels, unless another is given."""
_HEIGHT = 168
_LEFT, _RIGHT, _TOP, _BOTTOM = 50, 1290, 40, 138
_DASHES = ("", "12 7", "2 6", "12 5 2 5")
"""One for each seat, so that the lines differ in grey, too."""
_EMBLEM = 22
_MOST_MISTAKES = 6
_LEAST_POINTS = 2
_NARROWEST = 60  # of a round whose name is written out
_FIGURE_ROWS = sorted(range(-100, 93, 16), key=abs)  # baselines of a cost, from its usual one

_Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
_Place = tuple[float, float, str]
"""A possible place for words: x, baseline, `text-anchor`."""


class _Room:
    """The free space of the picture: words cover neither marks nor other words."""

    def __init__(self) -> None:
        self._taken: list[_Box] = []

    def take(self, *box: float) -> None:
        left, top, right, bottom = box
        self._taken.append((left, top, right, bottom))

    def find(self, width: float, size: float, places: Iterable[_Place], wide: float = 0) -> _Place | None:
        """Take the first of these places with enough space for words, and return it; None if there is none.

        wide: the width of the mark on the other side of the anchor.
        """
        for x, y, anchor in places:
            left, right = (x - wide, x + width) if anchor == "start" else (x - width, x + wide)
            box = (left, y - size, right, y + 0.2 * size)
            if left >= 0 and right <= WIDTH and not any(_overlap(box, other) for other in self._taken):
                self._taken.append(box)
                return x, y, anchor
        return None


def _overlap(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def player_names(record: Record) -> list[str]:
    """Return the names of a record's players, or the colours of the seats."""
    return [printable(name) for name in distinct(record.players or SEAT_NAMES[: record.rules.players])]


def costliest(review: Review) -> list[Decision]:
    """Return the decisions that cost most, of all seats, in the order of play: up to six, each of 2 points or more. The
    pages of the server mark the same ones.
    """
    costly = [decision for decision in review.decisions if decision.cost_points >= _LEAST_POINTS]
    costly.sort(key=lambda decision: (-decision.cost_points, decision.ply))
    return sorted(costly[:_MOST_MISTAKES], key=lambda decision: decision.ply)


def luckiest(review: Review) -> list[Luck]:
    """Return the two lines or kings that changed the chances most, in the order of play."""
    most = sorted(review.luck, key=lambda one: -max(one.win_rates))[:2]
    return sorted((one for one in most if max(one.win_rates) >= 0.01), key=lambda one: one.ply)


def graph(review: Review, record: Record, *, width: float = WIDTH, theme: str = "light") -> str:
    """Draw how the win probabilities of a reviewed game changed, as a standalone SVG document.

    One line a seat, by decision; dotted verticals separate the rounds. Triangles mark the costliest decisions,
    up to six, with their cost in points, small dominoes the two reveals that changed most.

    width: of the picture in pixels, 1 to 10,000.
    theme: "light" or "dark".

    Raises `KingdominoError` if the review is not of this record, for a width out of range and for an unknown theme.
    """
    check_fits(review, record)
    drawing = Drawing(theme)
    names = player_names(record)
    scale = check_size(width, "width") / WIDTH
    drawing.rectangle(0, 0, WIDTH, _HEIGHT, 14, f'fill="{drawing.colour("parchment")}"')
    _draw_axes(drawing)
    _draw_rounds(drawing, [position.round for position in record.positions()[: review.plies]])
    values = _values(review)
    for seat in reversed(range(len(names))):
        _draw_line(drawing, seat, [rates[seat] for rates in values], review.plies)
    room = _Room()
    for rate in _AXES:
        room.take(0, _y(rate) - 8, _LEFT - 8, _y(rate) + 6)
    end = min(_x(len(values) - 1, review.plies) + 16, WIDTH - 14)
    for seat, y in _apart([_y(rate) for rate in values[-1]]):
        draw_emblem(drawing, seat, end, y, _EMBLEM)
        room.take(end - _EMBLEM / 2, y - _EMBLEM / 2, end + _EMBLEM / 2, y + _EMBLEM / 2)
    marks = [
        (one, _x(one.ply, review.plies), _y(one.before.win_rates[one.seat])) for one in costliest(review)
    ]
    for _, x, y in marks:
        drawing.add(f'<path d="M{x - 5:.1f} {y - 12:.1f}h10l-5 7z"/>')
        room.take(x - 5, y - 12, x + 5, y - 5)
    for one in luckiest(review):
        _draw_luck(drawing, one, names, review.plies, room)
    for decision, x, y in marks:
        _draw_cost(drawing, cost_figure(decision), x, y, room)
    return drawing.document((0, 0, WIDTH, _HEIGHT), scale, description(review, names))


def check_fits(review: Review, record: Record) -> None:
    """Raise `KingdominoError` unless the review can be of this record."""
    played = record.actions()
    fits = review.plies == len(played) and len(review.start.win_rates) == record.rules.players
    if not fits or any(played[one.ply] != one.action for one in review.decisions):
        raise KingdominoError("this review is of another game")


def description(review: Review, names: Sequence[str]) -> str:
    """Describe the picture in a sentence or two."""
    last = _values(review)[-1]
    ends = ", ".join(
        f"{name} starts at {percent(first)} and is at {percent(final)} in the end"
        for name, first, final in zip(names, review.start.win_rates, last, strict=True)
    )
    costly = [str(decision.ply + 1) for decision in costliest(review)]
    said = f" Costliest decisions: {', '.join(costly)}." if costly else ""
    return f"Chance of winning. {ends}.{said}"


def _values(review: Review) -> list[tuple[float, ...]]:
    """Return the win probabilities before every decision, and at the end."""
    if not review.decisions:
        return [review.start.win_rates]
    return [*(one.before.win_rates for one in review.decisions), review.decisions[-1].after.win_rates]


def _x(ply: int, plies: int) -> float:
    return _LEFT + (_RIGHT - _LEFT) * ply / max(1, plies)


def _y(rate: float) -> float:
    return _BOTTOM - (_BOTTOM - _TOP) * min(1.0, max(0.0, rate))


_AXES = {1.0: "100%", 0.5: "50", 0.0: "0"}
"""The win probabilities with a line across the picture."""


def _draw_axes(drawing: Drawing) -> None:
    ink = drawing.colour("ink-soft")
    for rate, words in _AXES.items():
        y = _y(rate)
        drawing.add(
            f'<path d="M{_LEFT} {y}H{_RIGHT}" stroke="{ink}" opacity="{0.8 if rate == 0.5 else 0.3}"/>'
        )
        drawing.text(words, _LEFT - 8, y + 4, 12, f'text-anchor="end" fill="{ink}"', sans=True)


def _draw_rounds(drawing: Drawing, rounds: Sequence[int]) -> None:
    ink, start, plies = drawing.colour("ink-soft"), 0, len(rounds)
    for number, decisions in groupby(rounds):
        end = start + len(list(decisions))
        left, right = _x(start, plies), _x(end, plies)
        if start:
            path = f"M{left:.1f} {_TOP}V{_BOTTOM}"
            drawing.add(f'<path d="{path}" stroke="{ink}" stroke-dasharray="2 4" opacity=".6"/>')
        words = f"Round {number}" if right - left >= _NARROWEST else str(number)
        attributes = f'text-anchor="middle" fill="{ink}"'
        drawing.text(
            words if number else "Kings", (left + right) / 2, _BOTTOM + 20, 12, attributes, sans=True
        )
        start = end


def _draw_line(drawing: Drawing, seat: int, rates: Sequence[float], plies: int) -> None:
    points = [(_x(ply, plies), _y(rate)) for ply, rate in enumerate(rates)]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    shape = f'd="{path}" fill="none" stroke-linejoin="round"'
    drawing.add(f'<path {shape} stroke="{drawing.colour("ink")}" stroke-width="5.5"/>')
    dashes = f' stroke-dasharray="{_DASHES[seat]}"' if _DASHES[seat] else ""
    drawing.add(f'<path {shape} stroke="{drawing.colour(KINGS[seat])}" stroke-width="3"{dashes}/>')


def _apart(heights: Sequence[float]) -> Iterator[tuple[int, float]]:
    """Yield each seat with its height, raised a little if it would cover another seat's."""
    lowest = float(_BOTTOM)
    for seat in sorted(range(len(heights)), key=lambda seat: -heights[seat]):
        y = min(heights[seat], lowest)
        lowest = y - 0.8 * _EMBLEM
        yield seat, y


def _draw_cost(drawing: Drawing, figure: str, x: float, y: float, room: _Room) -> None:
    """Write the cost of a decision beside its mark: left of it, unless the axis stands there."""
    left, right = (x - 8, "end"), (x + 8, "start")
    sides = (left, right) if x > 2 * _LEFT else (right, left)
    rows = [y - 4 + row for row in _FIGURE_ROWS if 14 <= y - 4 + row <= _BOTTOM]
    places = ((at, baseline, anchor) for baseline, (at, anchor) in product(rows, sides))
    if place := room.find(text_width(figure, 13, bold=True), 13, places):
        at, baseline, anchor = place
        drawing.text(figure, at, baseline, 13, f'text-anchor="{anchor}" font-weight="700"')


def _draw_luck(drawing: Drawing, one: Luck, names: Sequence[str], plies: int, room: _Room) -> None:
    """Draw a reveal and its effect, in one of two rows above the lines."""
    seat = max(range(len(names)), key=lambda seat: one.win_rates[seat])
    x, ink = _x(one.ply, plies), drawing.colour("ink")
    words = f"{change(one.win_rates[seat])} for {names[seat]}"
    places = [(x + 14, 25.5, "start"), (x + 14, 12.5, "start"), (x - 14, 25.5, "end"), (x - 14, 12.5, "end")]
    if place := room.find(text_width(words, 12), 12, places, wide=23):
        at, baseline, anchor = place
        drawing.rectangle(x - 9, baseline - 9.5, 18, 10, 2, f'fill="none" stroke="{ink}" stroke-width="1.3"')
        drawing.text(words, at, baseline, 12, f'text-anchor="{anchor}"', sans=True)


def turns(review: Review) -> Iterator[Decision | Luck]:
    """Yield decisions and what chance brought, in the order of play."""
    luck = {one.ply: one for one in review.luck}
    for decision in review.decisions:
        if decision.ply in luck:
            yield luck[decision.ply]
        yield decision
