"""Convergence: the spread of the search's figures over seeds as the number of playouts grows.

60 positions from all rounds, two to four players and the Mighty Duel. Each position is searched with 16
seeds at each number of playouts; the spread is the standard deviation of the best action's figures.

It takes about an hour on two cores, so a file that git ignores keeps the result of each search: an
interrupted run can continue.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import kingdomino as kd
from benches.kept import measured
from benches.search.positions import RULES, read

SEEDS = 16
PLAYOUTS = (500, 2_000, 8_000, 32_000)
REFERENCE = 200_000
SEARCHES = Path(__file__).with_name("convergence-searches.part.jsonl")
FIGURES = ("win probability, %", "expected score, points", "margin, points")
INTRODUCTION = f"""\
[60 positions](../../benches/search/positions/convergence.txt) of all rounds, two to four players and the
Mighty Duel, both bonuses. The table shows the standard deviation of the best action's figures over {SEEDS} seeds, as
a mean over the positions. This spread falls with a power of the number of playouts, which the last column shows:"""
REFERENCE_TEXT = f"""\
The next table compares these figures with the figures of a search of {REFERENCE:,} playouts: the mean difference,
then the mean absolute difference. That search chooses its best action by win probability in % plus margin in
points. The table also measures regret by that deeper search, which is a reference and not the truth:"""
Figures = NDArray[np.float64]
"""The figures of one action, in the order of FIGURES; win probability in percent."""


class Task(NamedTuple):
    """One search."""

    position: kd.Position
    playouts: int
    seed: int

    @property
    def name(self) -> str:
        """The name of its result in the file."""
        return f"{self.playouts} playouts, seed {self.seed}: {self.position.to_text()}"


def tasks(position: kd.Position) -> list[Task]:
    """List the searches of a position: the reference comes first."""
    spread = [Task(position, playouts, seed) for playouts in PLAYOUTS for seed in range(SEEDS)]
    return [Task(position, REFERENCE, 1_000), *spread]


def searched(task: Task) -> tuple[str, dict[str, list[float]]]:
    """Search; return the best action, and the figures of every visited one."""
    seat = task.position.to_move
    assert seat is not None
    search = kd.Search(task.position, task.seed)
    search.run(playouts=task.playouts)
    return str(search.best()), {
        str(found.action): [100 * found.win_rates[seat], found.mean_scores[seat], found.mean_margin[seat]]
        for found in search.analysis().actions
        if found.playouts
    }


def compared(found: Sequence[tuple[str, dict[str, list[float]]]]) -> list[list[list[float]]]:
    """Return, by number of playouts: spreads of the figures, their means less the reference, regrets."""
    (_, reference), *others = found
    deep: dict[str, Figures] = {action: np.array(figures) for action, figures in reference.items()}
    best = max(deep, key=lambda action: deep[action][0] + deep[action][2])
    spreads, means, regrets = [], [], []
    for start in range(0, len(others), SEEDS):
        some = others[start : start + SEEDS]
        figures = np.array([actions[action] for action, actions in some])
        spreads.append(figures.std(axis=0, ddof=1))
        means.append(figures.mean(axis=0) - deep[best])
        # Actions that the deep search did not visit have no reference.
        regrets.append(np.mean([deep[best] - deep[action] for action, _ in some if action in deep], axis=0))
    return [[figures.tolist() for figures in kind] for kind in (spreads, means, regrets)]


def exponent(spreads: NDArray[np.float64]) -> float:
    """Fit the power of the number of playouts by which the mean spread changes."""
    return float(np.polyfit(np.log(PLAYOUTS), np.log(spreads), 1)[0])


def table(title: str, rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table with one column for each number of playouts."""
    columns = [title, *(f"{playouts:,}" for playouts in PLAYOUTS)]
    width = max(len(row) for row in rows)
    columns += ["power"] * (width - len(columns))
    return [
        f"| {' | '.join(columns)} |",
        "|---" * width + "|",
        *(f"| {' | '.join(row)} |" for row in rows),
        "",
    ]


def section() -> list[str]:
    """Measure, and return the lines of the section."""
    positions = read("convergence")
    searches = {task.name: task for position in positions for task in tasks(position)}
    found = iter(measured(SEARCHES, searches, searched))
    results = [compared([next(found) for _ in tasks(position)]) for position in positions]
    spreads, means, regrets = (np.array(part) for part in zip(*results, strict=True))
    SEARCHES.unlink()
    spread_rows, mean_rows = [], []
    names = {str(rules): name for name, rules in RULES.items()}
    groups = {name: np.array([names[str(p.rules)] == name for p in positions]) for name in RULES}
    groups["all"] = np.ones(len(positions), dtype=bool)
    for figure, what in enumerate(FIGURES):
        for name, chosen in groups.items():
            if name == "all" or figure == 0:
                by_playouts = spreads[chosen][:, :, figure].mean(axis=0)
                power = f"{exponent(by_playouts):.2f}"
                spread_rows.append([f"{what}, {name}", *(f"{value:.2f}" for value in by_playouts), power])
        by_playouts = np.abs(means[:, :, figure]).mean(axis=0)
        signed = means[:, :, figure].mean(axis=0)
        pairs = zip(signed, by_playouts, strict=True)
        mean_rows.append([what, *(f"{mean:+.2f}, {absolute:.2f}" for mean, absolute in pairs)])
        by_playouts = regrets[:, :, figure].mean(axis=0)
        mean_rows.append([f"regret, {what}", *(f"{value:.2f}" for value in by_playouts)])
    return [
        *INTRODUCTION.splitlines(),
        "",
        *table("spread", spread_rows),
        *REFERENCE_TEXT.splitlines(),
        "",
        *table("against the reference", mean_rows)[:-1],
    ]
