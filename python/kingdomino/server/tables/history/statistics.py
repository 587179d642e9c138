"""Statistics of a player's games, and the bot to play next."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from math import sqrt
from typing import Final, Literal, cast

import kingdomino as kd
from kingdomino.server.storage import Sum
from kingdomino.server.tables.bots.bot_list import BOTS
from kingdomino.server.tables.core import events
from kingdomino.server.tables.history.played import Played

ENOUGH: Final = 20
"""Fewest games for a meaningful win rate."""
IN_A_ROW: Final = 3
"""Games in a row against one level, all won or all lost, before we suggest another level."""
_Z: Final = 1.959964
"""The 97.5% quantile of the normal distribution."""


class WinRate(events.Model):
    """The fraction of games won, and the ends of its 95% interval (Wilson, JASA 22, 1927)."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, won: int, games: int) -> WinRate | None:
        """Return the win rate; `None` if there are too few games."""
        if games < ENOUGH:
            return None
        value, square = won / games, _Z**2
        middle = (value + square / (2 * games)) / (1 + square / games)
        reach = _Z / (1 + square / games) * sqrt(value * (1 - value) / games + square / (4 * games**2))
        return cls(value=value, low=max(0.0, middle - reach), high=min(1.0, middle + reach))


class Tally(events.Model):
    """Numbers of games won, lost and shared, and the player's mean points per game (a Dynasty has three)."""

    won: int
    lost: int
    shared: int
    mean: float

    @classmethod
    def of(cls, sums: Iterable[Sum]) -> Tally:
        """Add up sums."""
        counts, games, points = {"won": 0, "lost": 0, "shared": 0}, 0, 0
        for one in sums:
            counts[one.outcome] += one.matches
            games += one.games
            points += one.points
        return cls(**counts, mean=points / games)

    @property
    def games(self) -> int:
        """All games."""
        return self.won + self.lost + self.shared


class AgainstBot(events.Model):
    """Games in which all opponents were one kind of bot."""

    bot: str
    tally: Tally


class UnderRules(events.Model):
    """Games under one set of rules, in total and by bot."""

    rules: events.Rules
    dynasty: events.Dynasty | None
    tally: Tally
    win_rate: WinRate | None
    bots: tuple[AgainstBot, ...]


class Statistics(events.Model):
    """A player's games by rules, except those in which the player had several seats or none."""

    finished: int
    won: int
    rules: tuple[UnderRules, ...]
    best: Played | None

    @classmethod
    def of(cls, sums: Sequence[Sum], best: Played | None) -> Statistics:
        """Group sums by rules and bots; the rules with the most games come first."""
        decided = [one for one in sums if one.outcome in ("won", "lost", "shared")]
        rules = [_under_rules(*key, list(group)) for key, group in _grouped(decided)]
        rules.sort(key=lambda one: (-one.tally.games, one.rules.text))
        return cls(
            finished=sum(one.matches for one in sums if one.outcome != "unfinished"),
            won=sum(one.tally.won for one in rules),
            rules=tuple(rules),
            best=best,
        )


class Suggestion(events.Model):
    """The bot to play next, because the player ``won`` or ``lost`` the last games against another (``after``)."""

    bot: str
    after: str
    why: Literal["won", "lost"]


def suggestion(last: Sequence[tuple[str, str]]) -> Suggestion | None:
    """Suggest another level if the last games against bots (bot and outcome) were all won or all lost."""
    specs = [offer.spec for offer in BOTS]
    if len(last) < IN_A_ROW or len(set(last)) > 1 or last[0][0] not in specs:
        return None
    bot, outcome = last[0]
    level = specs.index(bot)
    if outcome == "won" and level + 1 < len(specs):
        return Suggestion(bot=specs[level + 1], after=bot, why="won")
    if outcome == "lost" and level > 0:
        return Suggestion(bot=specs[level - 1], after=bot, why="lost")
    return None


def _grouped(sums: list[Sum]) -> Iterable[tuple[tuple[str, str | None], Iterable[Sum]]]:
    return groupby(
        sorted(sums, key=lambda one: (one.rules, one.dynasty or "")), lambda one: (one.rules, one.dynasty)
    )


def _under_rules(rules: str, dynasty: str | None, sums: list[Sum]) -> UnderRules:
    tally = Tally.of(sums)
    of_bots: defaultdict[str, list[Sum]] = defaultdict(list)
    for one in sums:
        if one.bot is not None:
            of_bots[one.bot].append(one)
    return UnderRules(
        rules=events.Rules.of(kd.Rules.parse(rules)),
        dynasty=cast(events.Dynasty | None, dynasty),
        tally=tally,
        win_rate=WinRate.of(tally.won, tally.games),
        bots=tuple(AgainstBot(bot=bot, tally=Tally.of(of_bot)) for bot, of_bot in sorted(of_bots.items())),
    )
