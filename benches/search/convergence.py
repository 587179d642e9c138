"""Convergence: the spread of the search's figures over seeds as the number of playouts grows.

60 positions from all rounds, two to four players and the Mighty Duel. Each position is searched with 16
seeds at each number of playouts; the spread is the standard deviation of the best action's figures.

It takes more than an hour, so the results of each position are kept in a file that git ignores: a run that was
interrupted goes on where it was.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import kingdomino as kd
from benches.kept import measured
from benches.search.positions import RULES, read

SEEDS = 16
PLAYOUTS = (500, 2_000, 8_000, 32_000)
REFERENCE = 200_000
KEPT = Path(__file__).with_name("convergence.part.jsonl")
FIGURES = ("win probability, %", "expected score, points", "margin, points")
INTRODUCTION = f"""\
[60 positions](../../benches/search/positions/convergence.txt) of all rounds, two to four players and the
Mighty Duel, both bonuses. Standard deviation over {SEEDS} seeds of the best action's figures, mean over the
positions, and the power of the number of playouts by which it falls:"""
REFERENCE_TEXT = f"""\
The same figures less those of the best action of a search of {REFERENCE:,} playouts: mean, then mean
absolute difference. Regret is measured by that deeper search, which is a reference and not the truth:"""
Found = tuple[kd.Action, NDArray[np.float64]]
"""The best action and its figures, in the order of FIGURES; win probability in percent."""


def searched(
    position: kd.Position, playouts: int, seed: int
) -> tuple[Found, dict[kd.Action, NDArray[np.float64]]]:
    """Search a position; return the figures of the best action, and those of every visited one."""
    seat = position.to_move
    assert seat is not None
    search = kd.Search(position, seed)
    search.run(playouts=playouts)
    all_actions = {
        found.action: np.array(
            [100 * found.win_rates[seat], found.mean_scores[seat], found.mean_margin[seat]]
        )
        for found in search.analysis().actions
        if found.playouts
    }
    best = search.best()
    return (best, all_actions[best]), all_actions


def measure(position: kd.Position) -> list[list[list[float]]]:
    """Return, by number of playouts: spreads of the figures, their means less the reference, regrets."""
    deep = searched(position, REFERENCE, 1_000)[1]
    best = max(deep, key=lambda action: deep[action][0] + deep[action][2])
    spreads, means, regrets = [], [], []
    for playouts in PLAYOUTS:
        found = [searched(position, playouts, seed)[0] for seed in range(SEEDS)]
        figures = np.array([figures for _, figures in found])
        spreads.append(figures.std(axis=0, ddof=1))
        means.append(figures.mean(axis=0) - deep[best])
        # Actions that the deep search did not visit have no reference.
        regrets.append(np.mean([deep[best] - deep[action] for action, _ in found if action in deep], axis=0))
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
    results = measured(KEPT, {position.to_text(): position for position in positions}, measure)
    spreads, means, regrets = (np.array(part) for part in zip(*results, strict=True))
    KEPT.unlink()
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
