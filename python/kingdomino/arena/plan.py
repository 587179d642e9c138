"""What an arena plays: the bots, who meets whom, under which rules, how often, from which seed.

A `Plan` is a value, equal to another exactly when both play the same games. Its mapping form is what
arena files and stores hold (docs/formats/arena.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Literal, TypeAlias, get_args

import kingdomino as kd
from kingdomino.display import distinct

Format: TypeAlias = Literal["round-robin", "gauntlet", "one-against", "each-against"]
"""Who meets whom: everybody everybody; the first everybody else; the first n-1 copies of each other bot;
each bot n-1 copies of the last, that one included."""

Measure: TypeAlias = Literal["win_rate", "elo"]
"""What a sequential test is about: the share of the victories, or the same in Elo points."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot of the arena: the name under which its results stand, and its spec string."""

    name: str
    spec: str


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """The question whether the first bot is better, asked after every block until it is answered.

    The hypotheses are "at most `lower`" and "at least `upper`"; `alpha` and `beta` are how often
    the first and the second may be rejected although they hold. Raises `ArenaError`.
    """

    measure: Measure
    lower: float
    upper: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        bounds = f"{self.measure} = [{self.lower}, {self.upper}]"
        if not (isfinite(self.lower) and isfinite(self.upper) and self.lower < self.upper):
            raise kd.ArenaError(f"test: {bounds}: the first number must be below the second")
        if self.measure == "win_rate" and not (self.lower > 0 and self.upper < 1):
            raise kd.ArenaError(f"test: {bounds}: win rates lie between 0 and 1")
        for key in ("alpha", "beta"):
            if not 0 < getattr(self, key) < 0.5:
                raise kd.ArenaError(f"test: {key} = {getattr(self, key)} is not between 0 and 0.5")

    def win_rates(self, players: int) -> tuple[float, float]:
        """Give both bounds as shares of the victories.

        With Elo points e, one bot against n-1 equal rivals wins 1 / (1 + (n - 1) 10^(-e / 400)) of
        its games: the Plackett-Luce model, which for n = 2 is Bradley's and Terry's.
        """
        if self.measure == "win_rate":
            return self.lower, self.upper
        low, high = (1 / (1 + (players - 1) * 10 ** (-elo / 400)) for elo in (self.lower, self.upper))
        return low, high


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that says which games are played, and nothing of how or where.

    `blocks` is the number of deals that each pairing plays; with `self_play` every bot also plays
    each deal once against copies of itself, the baseline of its margin. `modules` are imported before
    a bot is made: they may register bots of their own. Raises `ArenaError` for what cannot be played.
    """

    name: str
    format: Format
    bots: tuple[Entrant, ...]
    rules: kd.Rules
    blocks: int
    seed: int
    self_play: bool = False
    test: SequentialTest | None = None
    modules: tuple[str, ...] = ()
    note: str = ""

    def __post_init__(self) -> None:
        if not self.name.strip() or not self.name.isprintable():
            raise kd.ArenaError(f"name = {self.name!r}: a name has at least one letter, and one line")
        if self.format not in get_args(Format):
            raise kd.ArenaError(f"format = {self.format!r}: there are {', '.join(get_args(Format))}")
        if self.blocks < 1:
            raise kd.ArenaError(f"blocks = {self.blocks}: at least one deal is played")
        if not 0 <= self.seed < 2**64:
            raise kd.ArenaError(f"seed = {self.seed} is not a number from 0 to 2**64 - 1")
        self._check_bots()
        if self.test is not None and len(self.bots) != 2:
            raise kd.ArenaError(f"test: it compares two bots, and there are {len(self.bots)}")

    def _check_bots(self) -> None:
        for name, times in Counter(entrant.name for entrant in self.bots).items():
            if times > 1:
                raise kd.ArenaError(f"bots: {times} of them are called {name!r}; names tell them apart")
        group = self.format in ("round-robin", "gauntlet")
        needed = self.rules.players if group else 2
        if len(self.bots) < needed:
            instead = " (one-against fills a table with copies)" if group and needed > 2 else ""
            raise kd.ArenaError(
                f"bots: {self.format} with {self.rules.players} players needs {needed} bots or more, "
                f"and there are {len(self.bots)}{instead}"
            )


def entrants(specs: Iterable[str | Entrant]) -> tuple[Entrant, ...]:
    """Name bots by their specs, those with one spec by numbers: ``greedy 1``, ``greedy 2``."""
    given = [spec if isinstance(spec, Entrant) else Entrant(spec, spec) for spec in specs]
    names = distinct([entrant.name for entrant in given])
    return tuple(Entrant(name, entrant.spec) for name, entrant in zip(names, given, strict=True))


def canonical(bots: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """Give the bots with their canonical specs, from which their random streams are named.

    Raises `BotError` for a bot that does not exist.
    """
    return tuple(Entrant(entrant.name, kd.bots.make(entrant.spec).spec) for entrant in bots)
