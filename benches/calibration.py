"""Asks whether the search's win probabilities come true, and writes docs/evidence/calibration.md.

`python -m benches.calibration` from the root of the repository: the search plays itself and says before
each of its decisions how likely the mover is to win; of those called 70%, about 70% should. May import the
library, `run` beside it, NumPy, Matplotlib and Rich.
"""

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

import kingdomino as kd
from benches.run import machine, write_page

SEED = 20_700
GAMES = 2000
PLAYOUTS = 100
RESAMPLES = 1000
EDGES = np.linspace(0, 1, 11)
EVIDENCE = Path(__file__).parent.parent / "docs" / "evidence"

RULES = {
    "2 players": kd.Rules(2, harmony=True, middle_kingdom=True),
    "4 players": kd.Rules(4, harmony=True, middle_kingdom=True),
}
Calls = NDArray[np.float64]
"""A row a decision: the game, the mover's probability of victory, and its part of the victory in the end."""


def one_game(rules: kd.Rules, number: int) -> list[tuple[int, float, float]]:
    """Let the search play itself, and give what it said before every decision and what came of it."""
    game = kd.Game(rules, seed=kd.derive_seed(SEED, "deal", number))
    said: list[tuple[int, float]] = []
    while (seat := game.position.to_move) is not None:
        search = kd.Search(game.position, kd.derive_seed(SEED + number, "search", len(said)))
        search.run(playouts=PLAYOUTS)
        best = search.analysis().actions[0]
        said.append((seat, best.win_rates[seat]))
        game.play(best.action)
    winners = game.outcome().winners
    return [(number, rate, (seat in winners) / len(winners)) for seat, rate in said]


def calls(name: str, rules: kd.Rules) -> Calls:
    """All that was said in all games."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        games = pool.map(lambda number: one_game(rules, number), range(GAMES))
        return np.array([row for game in track(games, name, GAMES) for row in game])


@dataclass(frozen=True, slots=True)
class Tenths:
    """By tenth of what was said: decisions, means of what was said and came, and the 95% interval of that."""

    decisions: NDArray[np.float64]
    said: NDArray[np.float64]
    came: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def tenths(calls: Calls) -> Tenths:
    """Sort the calls by what was said."""
    tenth = np.clip(np.digitize(calls[:, 1], EDGES) - 1, 0, len(EDGES) - 2)
    by_game = np.zeros((GAMES, len(EDGES) - 1, 3))
    entries = np.stack([np.ones(len(calls)), calls[:, 1], calls[:, 2]], axis=1)
    np.add.at(by_game, (calls[:, 0].astype(int), tenth), entries)
    # Whole games are drawn again, because the calls of one hang together.
    random = np.random.default_rng(SEED)
    drawn = [by_game[random.integers(0, GAMES, GAMES)].sum(axis=0) for _ in range(RESAMPLES)]
    low, high = np.quantile([each[:, 2] / each[:, 0] for each in drawn], [0.025, 0.975], axis=0)
    decisions, said, came = by_game.sum(axis=0).T
    return Tenths(decisions, said / decisions, came / decisions, low, high)


def rows(found: Tenths) -> Iterator[tuple[str, ...]]:
    """What the table says of each tenth."""
    columns = (EDGES, EDGES[1:], found.decisions, found.said, found.came, found.low, found.high)
    for begin, end, decisions, said, came, low, high in zip(*columns, strict=False):
        between, interval = f"{begin:.0%} to {end:.0%}", f"[{low:.1%}, {high:.1%}]"
        yield between, f"{decisions:,.0f}", f"{said:.1%}", f"{came:.1%} {interval}"


def picture(found: dict[str, Tenths]) -> Figure:
    """What came over what was said, with the diagonal on which both are the same."""
    figure = Figure(figsize=(4 * len(found), 4), layout="constrained")
    for axes, (name, one) in zip(figure.subplots(1, len(found), sharey=True), found.items(), strict=True):
        axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        ends = [one.came - one.low, one.high - one.came]
        axes.errorbar(one.said, one.came, ends, fmt="o", markersize=4, capsize=2)
        axes.set(title=name, xlabel="called", xlim=(0, 1), ylim=(0, 1), aspect="equal")
        axes.xaxis.set_major_formatter("{x:.0%}")
        axes.yaxis.set_major_formatter("{x:.0%}")
    figure.axes[0].set_ylabel("won")
    return figure


def main() -> None:
    """Play, count, show, and write the page and its picture."""
    lines = [
        "# Do the win probabilities come true?",
        "",
        f"Written by `.venv/bin/python -m benches.calibration`. {GAMES:,} games of the search with itself",
        f"for each rules set, both bonuses, {PLAYOUTS} playouts a decision. Before each decision it says how",
        "likely the mover is to win by its best action; a shared victory counts 1/k. 95% intervals from a",
        "bootstrap over games.",
        "",
        f"- machine: {machine()}; with numbers of playouts, its speed does not matter",
        f"- kingdomino {kd.__version__}; seed {SEED}",
        f"- measured: {time.strftime('%Y-%m-%d')}",
        "",
        "![Won over called, by tenths](calibration.svg)",
    ]
    found = {}
    for name, rules in RULES.items():
        said = calls(name, rules)
        found[name] = tenths(said)
        brier = np.mean((said[:, 1] - said[:, 2]) ** 2)
        table = Table("called", "decisions", "called, mean", "won", title=name)
        lines += ["", f"## {name}", "", "| called | decisions | called, mean | won |", "|---|---|---|---|"]
        for row in rows(found[name]):
            table.add_row(*row)
            lines.append(f"| {' | '.join(row)} |")
        Console().print(table)
        lines += ["", f"Brier score: {brier:.3f}, over {len(said):,} decisions."]
    picture(found).savefig(EVIDENCE / "calibration.svg", metadata={"Date": None})
    write_page(EVIDENCE / "calibration.md", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
