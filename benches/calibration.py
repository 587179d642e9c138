"""Asks whether the search's forecasts come true, and writes docs/evidence/calibration.md.

`python -m benches.calibration` from the root of the repository: the search plays itself and says before
each of its decisions how likely the mover is to win and what it will score; of those called 70%, about 70%
should win. May import the library, `run` beside it, NumPy, Matplotlib and Rich.
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
PLAYOUTS = 100
RESAMPLES = 1000
EDGES = np.linspace(0, 1, 11)
EVIDENCE = Path(__file__).parent.parent / "docs" / "evidence"


@dataclass(frozen=True, slots=True)
class Setting:
    """A rules set and how many games of it are played; those of the Mighty Duel take longest."""

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
    """What the search said before each decision and what came of it, an entry a decision; and the bonuses."""

    game: NDArray[np.intp]
    round: NDArray[np.intp]
    probability: NDArray[np.float64]
    """Of the mover's victory."""
    won: NDArray[np.float64]
    """The mover's part of the victory."""
    expected_score: NDArray[np.float64]
    score: NDArray[np.float64]
    harmony: float
    """The part of all seats that had the bonus in the end."""
    middle_kingdom: float


Row = tuple[int, int, float, float, float, float]
"""The fields of a forecast, in the order of `Forecasts`."""


def one_game(rules: kd.Rules, number: int) -> tuple[list[Row], list[kd.Score]]:
    """Let the search play itself; give its forecasts and the scores in the end."""
    game = kd.Game(rules, seed=kd.derive_seed(SEED, "deal", number))
    said: list[tuple[int, int, float, float]] = []
    while (seat := game.position.to_move) is not None:
        search = kd.Search(game.position, kd.derive_seed(SEED + number, "search", len(said)))
        search.run(playouts=PLAYOUTS)
        best = search.analysis().actions[0]
        said.append((seat, game.position.round, best.win_rates[seat], best.mean_scores[seat]))
        game.play(best.action)
    outcome = game.outcome()
    assert outcome is not None
    winners, scores = outcome.winners, outcome.scores
    rows = [
        (number, round_, rate, (seat in winners) / len(winners), expected, float(scores[seat].total))
        for seat, round_, rate, expected in said
    ]
    return rows, list(scores)


def forecasts(name: str, setting: Setting) -> Forecasts:
    """Play all games of a setting."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
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
    """Draw whole games again, as forecasts of one game are not independent; give the sums of each draw."""
    random = np.random.default_rng(SEED)
    games = len(by_game)
    return np.array([by_game[random.integers(0, games, games)].sum(axis=0) for _ in range(RESAMPLES)])


@dataclass(frozen=True, slots=True)
class Tenths:
    """By tenth of what was said: decisions, means of what was said and came, and the 95% interval of that."""

    decisions: NDArray[np.float64]
    said: NDArray[np.float64]
    came: NDArray[np.float64]
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
        decisions, said, came = by_game.sum(axis=0).T
        return Tenths(decisions, said / decisions, came / decisions, low, high)


def score_rows(found: Forecasts) -> Iterator[tuple[str, ...]]:
    """Give by round how far expected scores were from the scores in the end."""
    errors = found.expected_score - found.score
    by_game = np.zeros((found.game.max() + 1, found.round.max() + 1, 2))
    np.add.at(by_game, (found.game, found.round), np.stack([np.ones(len(errors)), errors], axis=1))
    draws = resampled(by_game)
    for number in np.unique(found.round):
        of_round = errors[found.round == number]
        half = np.ptp(np.quantile(draws[:, number, 1] / draws[:, number, 0], [0.025, 0.975])) / 2
        yield f"{number}", f"{of_round.mean():+.2f} ± {half:.2f}", f"{of_round.std():.2f}"


def rows(found: Tenths) -> Iterator[tuple[str, ...]]:
    """Give the table's row of each tenth."""
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


def table(title: str, columns: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> list[str]:
    """Show a table, and give it as lines of Markdown."""
    shown = Table(*columns, title=title)
    lines = ["", f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for row in rows:
        shown.add_row(*row)
        lines.append(f"| {' | '.join(row)} |")
    Console().print(shown)
    return lines


def main() -> None:
    """Play, count, show, and write the page and its picture."""
    games = ", ".join(f"{setting.games:,} of {name}" for name, setting in SETTINGS.items())
    lines = [
        "# Do the forecasts come true?",
        "",
        "Written by `.venv/bin/python -m benches.calibration`. Games of the search with itself:",
        f"{games}.",
        f"Both bonuses, {PLAYOUTS} playouts a decision. Before each decision it says how likely the mover is",
        "to win by its best action, and what the mover will score. A shared victory counts 1/k. 95%",
        "intervals from a bootstrap over games.",
        "",
        f"- machine: {machine()}; with numbers of playouts, its speed does not matter",
        f"- kingdomino {kd.__version__}; seed {SEED}",
        f"- measured: {time.strftime('%Y-%m-%d')}",
        "",
        "![Won over called, by tenths](calibration.svg)",
    ]
    by_setting = {}
    for name, setting in SETTINGS.items():
        found = forecasts(name, setting)
        by_setting[name] = tenths(found)
        brier = np.mean((found.probability - found.won) ** 2)
        lines += ["", f"## {name}"]
        lines += table(name, ("called", "decisions", "called, mean", "won"), rows(by_setting[name]))
        lines += [
            "",
            f"Brier score: {brier:.3f}, over {len(found.won):,} decisions.",
            f"Harmony in {found.harmony:.1%} of the kingdoms, Middle Kingdom in {found.middle_kingdom:.1%}.",
        ]
        columns = ("round", "expected score less score, mean", "standard deviation")
        lines += table(f"{name}, scores", columns, score_rows(found))
    picture(by_setting).savefig(EVIDENCE / "calibration.svg", metadata={"Date": None})
    write_page(EVIDENCE / "calibration.md", "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
