"""A series of games between bots: seats, seeds and totals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

import kingdomino as kd


class Played(NamedTuple):
    """A game of a series.

    specs, entrants: for each seat, the spec of its bot and the bot's number, from 0.
    failure: the number of the bot whose error ended the game, and the error; None for a finished game.
    """

    game: kd.Game
    specs: tuple[str, ...]
    entrants: tuple[int, ...]
    failure: tuple[int, kd.KingdominoError] | None


def play_games(bots: Sequence[str], rules: kd.Rules, seed: int, games: int) -> Iterator[Played]:
    """Play games 0, 1, 2 … of a series; the same seed gives the same games.

    In game i, bot e has seat (e - i) mod players, so each bot has each seat equally often. A bot whose spec has no seed
    gets one from the game and the seat. If a bot fails, yield the game up to then. Close the bots after each game.
    """
    players = rules.players
    for number in range(games):
        entrants = tuple((seat + number) % players for seat in range(players))
        seated = [
            kd.bots.make(bots[entrant], seed=kd.derive_seed(seed, "bot", number * players + seat))
            for seat, entrant in enumerate(entrants)
        ]
        game = kd.Game(rules, seed=kd.derive_seed(seed, "game", number))
        failure = None
        with ExitStack() as closing:
            for bot in seated:
                closing.callback(bot.close)
            while failure is None and (seat := game.position.to_move) is not None:
                try:
                    game.play(seated[seat].choose(game.position))
                except kd.KingdominoError as error:
                    failure = (entrants[seat], error)
        yield Played(game, tuple(bot.spec for bot in seated), entrants, failure)


@dataclass
class Tally:
    """The results of one bot. A victory shared by k bots counts 1/k."""

    wins: int = 0
    shared: int = 0
    victories: list[float] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    margins: list[int] = field(default_factory=list)

    def add(self, outcome: kd.Outcome, seat: int) -> None:
        """Add a game that the bot played in this seat."""
        won, alone = seat in outcome.winners, len(outcome.winners) == 1
        self.wins += won and alone
        self.shared += won and not alone
        self.victories.append(outcome.shares[seat])
        self.scores.append(outcome.scores[seat].total)
        self.margins.append(outcome.margins[seat])


def mean_and_error(values: Sequence[float], form: str) -> str:
    """Format the mean and its standard error. A single value has no error."""
    mean = format(fmean(values), form)
    return f"{mean} ± {stdev(values) / sqrt(len(values)):{form}}" if len(values) > 1 else mean
