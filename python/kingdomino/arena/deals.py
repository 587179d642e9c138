"""The games of a run sorted by deal, and turned into the blocks that the statistics work on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from kingdomino.arena.plan import Plan
from kingdomino.arena.played import Game, Played
from kingdomino.arena.schedule import games_per_block
from kingdomino.arena.statistics import Block, GameResult


class Deals:
    """Games as they come in, by deal. A deal is settled when every game on it is over, whatever its end."""

    def __init__(self, plan: Plan, games: Iterable[Game] = ()) -> None:
        self._games: defaultdict[int, list[Game]] = defaultdict(list)
        self._needed = games_per_block(plan)
        self.unbroken = 0
        for game in games:
            self.add(game)

    def add(self, game: Game) -> None:
        """Take one more game. `unbroken` is then the number of settled deals before the first open one."""
        self._games[game.fixture.block].append(game)
        while self.is_settled(self.unbroken):
            self.unbroken += 1

    def is_settled(self, number: int) -> bool:
        """Say whether every game on a deal is over."""
        return len(self._games.get(number, ())) == self._needed

    def settled(self) -> list[int]:
        """Give the numbers of the settled deals, in their order."""
        return sorted(filter(self.is_settled, self._games))

    def games(self, number: int) -> list[Game]:
        """Give the games on a deal, in the order of the schedule."""
        return sorted(self._games[number], key=lambda game: game.fixture.number)

    def block(self, number: int, pairing: int) -> Block | None:
        """Give the block of a pairing on a settled deal, or nothing where one of its games is void."""
        games = [game for game in self.games(number) if game.fixture.pairing == pairing]
        results = [_result(game) for game in games if isinstance(game, Played)]
        return Block(number, tuple(results)) if len(results) == len(games) else None

    def blocks(self, numbers: Sequence[int], pairing: int) -> list[Block]:
        """Give the blocks of a pairing on settled deals, but for those with a void game."""
        blocks = (self.block(number, pairing) for number in numbers)
        return [block for block in blocks if block is not None]


def _result(game: Played) -> GameResult:
    names = tuple(entrant.name for entrant in game.fixture.seats)
    return GameResult(names, game.scores, game.shares, game.ranking)
