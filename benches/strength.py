"""Checks that the bots are as strong as claimed: `python -m benches.strength`, about three minutes.

Each line is an experiment with fixed seeds, its result, the claim, and whether it holds. The exit status is 1
if a claim fails. docs/evidence has precise figures with intervals; this detects a bot that has become much
weaker.
"""

from collections.abc import Iterator
from statistics import fmean

import typer
from rich.console import Console
from rich.table import Table

import kingdomino as kd

LIKELY = 0.65
PUBLISHED = {"random": 22.8, "gprd": 39.6, "fg": 55.7}
"""Mean scores against three random players with both bonuses: Gedda, Lagerkvist and Butler (CIG 2018)."""
Finding = tuple[str, float, str, bool]
"""The measurement, its figure, the claim, and whether it holds."""


def play(rules: kd.Rules, bots: list[kd.bots.Bot], seed: int) -> kd.Outcome:
    """Play a game."""
    game = kd.Game(rules, seed=seed)
    while (seat := game.position.to_move) is not None:
        game.play(bots[seat].choose(game.position))
    outcome = game.outcome()
    assert outcome is not None  # the loop has played it to its end
    return outcome


def win_rate(one: str, other: str, games: int) -> float:
    """Return the win rate of one bot against another; they swap seats after each game."""
    shares = []
    for number in range(games):
        seat = number % 2
        bots = [kd.bots.make(one, seed=number), kd.bots.make(other, seed=number)]
        shares.append(play(kd.Rules(), bots[::-1] if seat else bots, number).shares[seat])
    return fmean(shares)


def mean_score(spec: str, games: int) -> float:
    """Return the mean score against three random bots, with both bonuses."""
    rules = kd.Rules(players=4, harmony=True, middle_kingdom=True)
    scores = []
    for number in range(games):
        random = [kd.bots.PolicyBot("random", 3 * number + seat) for seat in range(3)]
        scores.append(play(rules, [kd.bots.make(spec, seed=number), *random], number).scores[0].total)
    return fmean(scores)


def forecasts(games: int) -> tuple[float, float]:
    """Let the search play itself. Return its mean forecast when it expects to win, and its win rate then."""
    called, won = [], []
    for number in range(games):
        game, said = kd.Game(seed=number), list[tuple[int, float]]()
        while (seat := game.position.to_move) is not None:
            search = kd.Search(game.position, number)
            search.run(playouts=64)
            best = search.analysis().actions[0]
            said.append((seat, best.win_rates[seat]))
            game.play(best.action)
        outcome = game.outcome()
        assert outcome is not None  # the loop has played it to its end
        likely = [(seat, rate) for seat, rate in said if rate > LIKELY]
        called += [rate for _, rate in likely]
        won += [outcome.shares[seat] for seat, _ in likely]
    return fmean(called), fmean(won)


def experiments() -> Iterator[Finding]:
    """Run one experiment after another."""
    rate = win_rate("greedy", "random", 100)
    yield "greedy against random: win rate", rate, "at least 0.9", rate >= 0.9
    rate = win_rate("king:playouts=60", "greedy", 60)
    yield "king (60 playouts) against greedy: win rate", rate, "above 0.5", rate > 0.5
    for level in range(1, 7):
        rate = win_rate(f"king:level={level + 1}", f"king:level={level}", 100)
        yield f"level {level + 1} against level {level}: win rate", rate, "above 0.5", rate > 0.5
    for spec, published in PUBLISHED.items():
        score = mean_score(spec, 200)
        yield f"{spec} against 3 × random: mean score", score, f"{published} ± 4", abs(score - published) <= 4
    called, won = forecasts(100)
    claim = f"{called:.2f} ± 0.06, the mean forecast"
    yield (
        f"search, where it forecasts more than {LIKELY:.0%}: win rate",
        won,
        claim,
        abs(won - called) <= 0.06,
    )


def main() -> None:
    """Print every finding; the exit status is 1 if a claim fails."""
    table = Table("experiment", "result", "claim", "holds", box=None, pad_edge=False)
    failed = 0
    for experiment, result, claim, holds in experiments():
        table.add_row(experiment, f"{result:.2f}", claim, "yes" if holds else "NO")
        failed += not holds
    Console().print(table)
    if failed:
        raise SystemExit(1)


if __name__ == "__main__":
    typer.run(main)
