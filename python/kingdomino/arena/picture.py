"""The picture of a run, as SVG: win rates and ratings with their intervals. The same results give the same text."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from math import isinf
from typing import TYPE_CHECKING, NamedTuple

from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import FuncFormatter, MaxNLocator

from kingdomino.arena.results import Results, rated, rows
from kingdomino.svg.symbols import colours

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH = 8.0  # inches, of 72 points
_ROW_HEIGHT = 0.34
_PANEL_HEIGHT = 1.25
_FONTS = ["Iowan Old Style", "Palatino Linotype", "Palatino", "P052", "Georgia", "DejaVu Serif"]
_PADDING = 0.12
_LONGEST = 42  # characters of a name; longer names would leave too little room for the figure


class _Mark(NamedTuple):
    """A dot with its interval; ``clear`` says whether the interval excludes parity."""

    name: str
    value: float
    low: float
    high: float
    clear: bool


def draw(results: Results) -> str:
    """Draw each estimate as a dot with its 95% interval as a line. A filled dot's interval excludes parity."""
    ink = colours("light")
    rates = _rates(results)
    rating = [
        _Mark(one.bot, one.value, one.low, one.high, clear=True)
        for one in rated(results)
        if not isinf(one.low)
    ]
    panels = [panel for panel in (rates, rating if len(rating) > 2 else []) if panel]
    heights = [_ROW_HEIGHT * len(panel) + _PANEL_HEIGHT for panel in panels] or [_PANEL_HEIGHT]
    written = io.StringIO()
    # Keep text as text, not outlines: the picture is smaller and searchable.
    with rc_context(
        {
            "font.family": ["serif"],
            "font.serif": _FONTS,
            "svg.fonttype": "none",
            "svg.hashsalt": "kingdomino",
        }
    ):
        figure = Figure(
            (_WIDTH, sum(heights) + 0.4),
            facecolor=ink["parchment"],
            layout=ConstrainedLayoutEngine(h_pad=_PADDING, w_pad=_PADDING),
        )
        figure.suptitle(_short(results.plan.name), color=ink["ink"], fontsize=15, x=0.02, ha="left")
        axes = figure.subplots(len(heights), 1, squeeze=False, height_ratios=heights)[:, 0]
        if rates:
            _panel(axes[0], rates, ink, "win rate; dashed: parity")
            _scale_of_rates(axes[0], 1 / results.plan.rules.players, ink["gold"])
        else:
            axes[0].set_axis_off()
        if len(panels) > 1:
            _panel(axes[1], rating, ink, "rating in Elo points; the mean is 0")
            axes[1].xaxis.set_major_locator(MaxNLocator(7, integer=True))
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None})
    return written.getvalue()


def _rates(results: Results) -> list[_Mark]:
    """Return the win rates; for a pair of bots, only the first one's."""
    marks = []
    for row in rows(results):
        if row.is_other_side:
            continue
        rate = row.summary.win_rate
        clear = not rate.low <= row.win_parity <= rate.high
        marks.append(_Mark(row.title, rate.value, rate.low, rate.high, clear))
    return marks


def _panel(axes: Axes, marks: Sequence[_Mark], ink: Mapping[str, str], title: str) -> None:
    axes.set_facecolor(ink["parchment"])
    for height, mark in enumerate(reversed(marks)):
        axes.plot(
            [mark.low, mark.high], [height] * 2, color=ink["accent"], linewidth=2.4, solid_capstyle="round"
        )
        axes.plot(
            mark.value,
            height,
            marker="o",
            markersize=8,
            markerfacecolor=ink["accent"] if mark.clear else ink["parchment"],
            markeredgecolor=ink["accent"],
            markeredgewidth=1.8,
        )
    axes.set_yticks(range(len(marks)), [_short(mark.name) for mark in reversed(marks)])
    axes.set_ylim(-0.7, len(marks) - 0.3)
    axes.set_title(title, loc="left", color=ink["ink-soft"], fontsize=10)
    axes.tick_params(colors=ink["ink-soft"], length=0)
    axes.tick_params(axis="y", labelcolor=ink["ink"], labelsize=11)
    axes.grid(axis="x", color=ink["edge"], linewidth=0.8)
    axes.set_axisbelow(True)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _scale_of_rates(axes: Axes, parity: float, colour: str) -> None:
    axes.axvline(parity, color=colour, linewidth=1, linestyle=(0, (4, 3)))
    axes.set_xlim(-0.02, 1.02)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0%}"))


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
