"""Measures whether the search's forecasts are calibrated, and writes docs/evidence/calibration.md.

`python -m benches.calibration` from the root of the repository. The search plays itself and forecasts
before each decision the mover's win probability and score. Of the movers it gives 70%, about 70% should win.
"""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import typer
from matplotlib.figure import Figure
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

import kingdomino as kd
from benches.run import machine, write_page
from kingdomino.cli.version import version_text
from kingdomino.machine import available_cores

SEED = 20_700
PLAYOUTS = 100
RESAMPLES = 1000
EDGES = np.linspace(0, 1, 11)
EVIDENCE = Path(__file__).parent.parent / "docs" / "evidence"


@dataclass(frozen=True, slots=True)
class Setting:
    """A rules set and its number of games; games of the Mighty Duel take longest."""

    rules: kd.Rules
    games: int


SETTINGS = {
    "2 players": Setting(kd.Rules(2, harmony=True, middle_kingdom=True), 2000),
    "3 players": Setting(kd.Rules(3, harmony=True, middle_kingdom=True), 1000),
    "4 players": Setting(kd.Rules(4, harmony=True, middle_kingdom=True), 1000),
    "Mighty Duel": Setting(kd.Rules(2, mighty_duel=True, harmony=True, middle_kingdom=True), 400),
}


@dataclass(frozen=True, slots=True)
class Forecasts:
    """Forecasts and results, one entry per decision, and how often seats earned the bonuses."""

    game: NDArray[np.intp]
    round: NDArray[np.intp]
    probability: NDArray[np.float64]
    """Of the mover's victory."""
    won: NDArray[np.float64]
    """The mover's share of the victory."""
    expected_score: NDArray[np.float64]
    score: NDArray[np.float64]
    harmony: float
    """The share of all seats that earned the bonus."""
    middle_kingdom: float


Row = tuple[int, int, float, float, float, float]
"""The fields of a forecast, in the order of `Forecasts`."""


def one_game(rules: kd.Rules, number: int) -> tuple[list[Row], list[kd.Score]]:
    """Let the search play itself; return its forecasts and the final scores."""
    game = kd.Game(rules, seed=kd.derive_seed(SEED, "deal", number))
    called: list[tuple[int, int, float, float]] = []
    while (seat := game.position.to_move) is not None:
        search = kd.Search(game.position, kd.derive_seed(SEED + number, "search", len(called)))
        search.run(playouts=PLAYOUTS)
        best = search.analysis().actions[0]
        called.append((seat, game.position.round, best.win_rates[seat], best.mean_scores[seat]))
        game.play(best.action)
    outcome = game.outcome()
    assert outcome is not None
    shares, scores = outcome.shares, outcome.scores
    rows = [
        (number, round_, rate, shares[seat], expected, float(scores[seat].total))
        for seat, round_, rate, expected in called
    ]
    return rows, list(scores)


def forecasts(name: str, setting: Setting) -> Forecasts:
    """Play all games of a setting."""
    with ThreadPoolExecutor(available_cores()) as pool:
        games = pool.map(lambda number: one_game(setting.rules, number), range(setting.games))
        played = list(track(games, name, setting.games))
    columns = np.array([row for rows, _ in played for row in rows]).T
    scores = [score for _, scores in played for score in scores]
    game, round_, probability, won, expected_score, score = columns
    return Forecasts(
        game.astype(int),
        round_.astype(int),
        probability,
        won,
        expected_score,
        score,
        harmony=float(np.mean([score.harmony > 0 for score in scores])),
        middle_kingdom=float(np.mean([score.middle_kingdom > 0 for score in scores])),
    )


def resampled(by_game: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bootstrap whole games, because forecasts of one game depend on each other; return each draw's sums."""
    random = np.random.default_rng(SEED)
    games = len(by_game)
    return np.array([by_game[random.integers(0, games, games)].sum(axis=0) for _ in range(RESAMPLES)])


@dataclass(frozen=True, slots=True)
class Tenths:
    """By tenth of the calls: decisions, mean call, victories a decision and their 95% interval."""

    decisions: NDArray[np.float64]
    called: NDArray[np.float64]
    won: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def tenths(found: Forecasts) -> Tenths:
    """Sort the win probabilities by tenths."""
    tenth = np.clip(np.digitize(found.probability, EDGES) - 1, 0, len(EDGES) - 2)
    by_game = np.zeros((found.game.max() + 1, len(EDGES) - 1, 3))
    entries = np.stack([np.ones(len(tenth)), found.probability, found.won], axis=1)
    np.add.at(by_game, (found.game, tenth), entries)
    draws = resampled(by_game)
    with np.errstate(invalid="ignore"):
        low, high = np.nanquantile(draws[:, :, 2] / draws[:, :, 0], [0.025, 0.975], axis=0)
        decisions, called, won = by_game.sum(axis=0).T
        return Tenths(decisions, called / decisions, won / decisions, low, high)


def score_rows(found: Forecasts) -> Iterator[tuple[str, ...]]:
    """Yield the mean and the deviation of expected score less final score for each round."""
    errors = found.expected_score - found.score
    by_game = np.zeros((found.game.max() + 1, found.round.max() + 1, 2))
    np.add.at(by_game, (found.game, found.round), np.stack([np.ones(len(errors)), errors], axis=1))
    draws = resampled(by_game)
    for number in np.unique(found.round):
        of_round = errors[found.round == number]
        half = np.ptp(np.quantile(draws[:, number, 1] / draws[:, number, 0], [0.025, 0.975])) / 2
        yield f"{number}", f"{of_round.mean():+.2f} ± {half:.2f}", f"{of_round.std():.2f}"


def rows(found: Tenths) -> Iterator[tuple[str, ...]]:
    """Yield one row of the table for each tenth."""
    columns = (EDGES, EDGES[1:], found.decisions, found.called, found.won, found.low, found.high)
    for begin, end, decisions, called, won, low, high in zip(*columns, strict=False):
        between, interval = f"{begin:.0%} to {end:.0%}", f"[{low:.1%}, {high:.1%}]"
        yield between, f"{decisions:,.0f}", f"{called:.1%}", f"{won:.1%} {interval}"


def picture(found: dict[str, Tenths]) -> Figure:
    """Plot victories over calls, with the diagonal of perfect calibration."""
    figure = Figure(figsize=(4 * len(found), 4), layout="constrained")
    for axes, (name, one) in zip(figure.subplots(1, len(found), sharey=True), found.items(), strict=True):
        axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        ends = [one.won - one.low, one.high - one.won]
        axes.errorbar(one.called, one.won, ends, fmt="o", markersize=4, capsize=2)
        axes.set(title=name, xlabel="called", xlim=(0, 1), ylim=(0, 1), aspect="equal")
        axes.xaxis.set_major_formatter("{x:.0%}")
        axes.yaxis.set_major_formatter("{x:.0%}")
    figure.axes[0].set_ylabel("won")
    return figure


def table(title: str, columns: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> list[str]:
    """Print a table, and return it as lines of Markdown."""
    shown = Table(*columns, title=title)
    lines = ["", f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for row in rows:
        shown.add_row(*row)
        lines.append(f"| {' | '.join(row)} |")
    Console().print(shown)
    return lines


def main() -> None:
    """Play, count, print, and write the page and its picture."""
    games = ", ".join(f"{setting.games:,} games of {name}" for name, setting in SETTINGS.items())
    facts = [
        "",
        "Written by `.venv/bin/python -m benches.calibration`. The search plays itself, both bonuses,",
        f"{PLAYOUTS} playouts a decision: {games}.",
        "Called: the mover's win probability before its decision. Shared victories count 1/k.",
        "95% intervals: bootstrap over games.",
        "",
        f"- machine: {machine()}",
        f"- {version_text(kd.__version__)}; seed {SEED}",
        f"- measured: {time.strftime('%Y-%m-%d')}",
        "",
        "![Won over called, by tenths](calibration.svg)",
    ]
    by_setting: dict[str, Tenths] = {}
    headlines: dict[str, list[str]] = {
        "Share won of the decisions forecast at 70% to 80%": [],
        "Brier score": [],
        "Expected score less score, first round": [],
    }
    sections: list[str] = []
    for name, setting in SETTINGS.items():
        found = forecasts(name, setting)
        by_setting[name] = tenths(found)
        brier = np.mean((found.probability - found.won) ** 2)
        first = (found.expected_score - found.score)[found.round == 0].mean()
        figures = (f"{by_setting[name].won[7]:.1%}", f"{brier:.3f}", f"{first:+.2f}")
        for entries, figure in zip(headlines.values(), figures, strict=True):
            entries.append(f"{name} **{figure}**")
        sections += ["", f"## {name}"]
        sections += table(name, ("called", "decisions", "called, mean", "won"), rows(by_setting[name]))
        bonuses = f"Harmony {found.harmony:.1%}, Middle Kingdom {found.middle_kingdom:.1%}"
        sections += ["", f"Brier score {brier:.3f}, {len(found.won):,} decisions; {bonuses}."]
        columns = ("round", "expected score less score, mean", "standard deviation")
        sections += table(f"{name}, scores", columns, score_rows(found))
    picture(by_setting).savefig(EVIDENCE / "calibration.svg", metadata={"Date": None})
    lead = [f"- {title}: {', '.join(entries)}" for title, entries in headlines.items()]
    lines = ["# Calibration", "", *lead, *facts, *sections]
    write_page(EVIDENCE / "calibration.md", "\n".join(lines) + "\n")


if __name__ == "__main__":
    typer.run(main)
