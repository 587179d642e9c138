"""Checks the arena's statistics by simulation: `python -m benches.intervals`, about two minutes.

It draws many runs with a known truth, whose games are correlated within a deal. 95% intervals must cover the
truth in about 95% of the runs, and the sequential test must err about as often as requested. The exit status
is 1 if a check fails.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import log

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from kingdomino.arena.statistics import Block, GameResult, Interval, Sprt, ratings
from kingdomino.arena.statistics.estimate import mean_interval, rate_interval

Finding = tuple[str, float, float, float]
"""The measurement, its figure, and the smallest and largest allowed figures."""


def correlated(
    rate: float, correlation: float, shape: tuple[int, int, int], generator: np.random.Generator
) -> NDArray[np.float64]:
    """Return block means of won (1) and lost (0) games, runs x blocks; ``shape`` is runs x blocks x games.

    Two games of a block have this correlation, because each copies the block's luck with the probability of its
    square root.
    """
    own = generator.random(shape) < rate
    luck = generator.random((*shape[:2], 1)) < rate
    copied = generator.random(shape) < correlation**0.5
    return np.asarray(np.where(copied, luck, own).mean(axis=2))


def covers(interval: Interval, truth: float) -> bool:
    """Return whether an interval covers the truth."""
    return interval.low <= truth <= interval.high


def game(*ranking: str) -> GameResult:
    """Return a game in which the bots finished in this order."""
    seats = range(len(ranking))
    return GameResult(
        ranking,
        (0,) * len(ranking),
        tuple(float(seat == 0) for seat in seats),
        tuple((seat,) for seat in seats),
    )


def win_rates() -> Iterator[Finding]:
    """Check intervals of win rates."""
    for rate, correlation, games in product((0.5, 0.75, 0.9, 0.97), (0, 0.3), (2, 4)):
        means = correlated(rate, correlation, (1000, 100, games), np.random.default_rng(1))
        covered = np.mean([covers(rate_interval(run), rate) for run in means.tolist()])
        what = f"coverage of a win rate of {rate}, correlation {correlation}, {games} games a block"
        yield what, float(covered), 0.93, 0.97


def margins() -> Iterator[Finding]:
    """Check intervals of margins."""
    generator = np.random.default_rng(2)
    luck = generator.exponential(8, size=(1000, 60, 1)) - 8
    means = (5 + luck + generator.normal(0, 12, size=(1000, 60, 4))).mean(axis=2)
    yield (
        "coverage of a margin",
        float(np.mean([covers(mean_interval(run), 5) for run in means.tolist()])),
        0.93,
        0.97,
    )


def duels() -> Iterator[Finding]:
    """Check intervals of ratings from games of two."""
    generator = np.random.default_rng(9)
    truth = {"a": -120.0, "b": 0.0, "c": 120.0}
    rates = {
        (one, other): 1 / (1 + 10 ** ((truth[other] - truth[one]) / 400))
        for one, other in combinations("abc", 2)
    }
    covered = []
    for run in range(150):
        blocks = []
        for number, ((one, other), rate) in product(range(50), rates.items()):
            first, second, luck = (bool(chance < rate) for chance in generator.random(3))
            wins = [luck if generator.random() < 0.5 else own for own in (first, second)]
            blocks.append(Block(number, tuple(game(one, other) if won else game(other, one) for won in wins)))
        covered += [one.low <= truth[one.bot] <= one.high for one in ratings(blocks, seed=run)]
    yield "coverage of a rating, 2 players", float(np.mean(covered)), 0.92, 0.98


def rankings() -> Iterator[Finding]:
    """Check intervals of ratings from games of four, drawn from the Plackett-Luce model."""
    generator = np.random.default_rng(10)
    thetas = {bot: 0.3 * index for index, bot in enumerate("abcdefgh")}

    def ranked(bots: Sequence[str]) -> GameResult:
        strengths = [thetas[bot] + generator.gumbel() for bot in bots]
        return game(*(bots[seat] for seat in np.argsort(strengths)[::-1]))

    blocks = []
    for number in range(300):
        bots = [str(bot) for bot in generator.choice(list(thetas), 4, replace=False)]
        blocks.append(Block(number, tuple(ranked(bots) for _ in bots)))
    rated = ratings(blocks, anchor="a")
    others = [one for one in rated if one.bot != "a"]  # the anchor has no interval
    covered = [one.low <= thetas[one.bot] * 400 / log(10) <= one.high for one in others]
    yield "ratings covered of 7, 4 players", sum(covered), 6, 7
    yield "longest interval of a rating, 4 players", max(one.high - one.low for one in rated), 0, 100


def errors() -> Iterator[Finding]:
    """Check that the sequential test errs in about 5% of the runs, as allowed.

    The bounds are Wald's approximation, and the count has a standard deviation of 7.5 in 60.
    """
    for test, rate, wrong in ((Sprt(0.5, 0.65), 0.5, "accept"), (Sprt(0.85, 0.95), 0.95, "reject")):
        runs = correlated(rate, 0.2, (1200, 150, 2), np.random.default_rng(60))
        decisions: list[str] = [test.of(run).decision for run in runs]
        hypotheses = f"sequential test of {test.lower} against {test.upper}"
        yield f"{hypotheses}: wrong answers", decisions.count(wrong) / 1200, 0.03, 0.065
        yield f"{hypotheses}: undecided", decisions.count("continue") / 1200, 0, 0.01


def main() -> None:
    """Print every finding; the exit status is 1 if one is outside its limits."""
    table = Table("experiment", "result", "allowed", "holds", box=None, pad_edge=False)
    failed = 0
    for experiment in (win_rates, margins, duels, rankings, errors):
        for what, figure, low, high in experiment():
            holds = low <= figure <= high
            table.add_row(what, f"{figure:.3f}", f"{low} to {high}", "yes" if holds else "NO")
            failed += not holds
    Console().print(table)
    if failed:
        raise SystemExit(1)


if __name__ == "__main__":
    typer.run(main)
