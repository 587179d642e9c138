"""The results of a run: blocks for the statistics, the sequential test, figures, faults, times.

They depend on the plan and the set of games, not on the order in which the games ended.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from kingdomino.arena.plan import Plan, SequentialTest
from kingdomino.arena.play import Clock, Game, Played, Void
from kingdomino.arena.schedule import Pairing, games_per_block, pairings
from kingdomino.arena.statistics import (
    Block,
    GameResult,
    Interval,
    Rating,
    Sprt,
    SprtState,
    Summary,
    block_means,
    ratings,
    share,
    summarise,
)
from kingdomino.errors import ResultsError


class Deals:
    """Games by deal. A deal is settled when every game on it is over, including void games."""

    def __init__(self, plan: Plan, games: Iterable[Game] = ()) -> None:
        self._games: defaultdict[int, list[Game]] = defaultdict(list)
        self._needed = games_per_block(plan)
        self.unbroken = 0
        for game in games:
            self.add(game)

    def add(self, game: Game) -> None:
        """Add a game. `unbroken` is the number of settled deals before the first open one."""
        self._games[game.fixture.block].append(game)
        while self.is_settled(self.unbroken):
            self.unbroken += 1

    def is_settled(self, number: int) -> bool:
        """Return whether every game on a deal is over."""
        return len(self._games.get(number, ())) == self._needed

    def settled(self) -> list[int]:
        """Return the numbers of the settled deals, in order."""
        return sorted(filter(self.is_settled, self._games))

    def games(self, number: int) -> list[Game]:
        """Return the games on a deal, in the order of the schedule."""
        return sorted(self._games[number], key=lambda game: game.fixture.number)

    def blocks(self, numbers: Iterable[int], pairing: int) -> list[Block]:
        """Return the blocks of a pairing on settled deals, except those with a void game."""
        blocks = []
        for number in numbers:
            games = [game for game in self.games(number) if game.fixture.pairing == pairing]
            results = [_result(game) for game in games if isinstance(game, Played)]
            if len(results) == len(games):
                blocks.append(Block(number, tuple(results)))
        return blocks


def judge(plan: Plan, test: SequentialTest, deals: Deals) -> tuple[SprtState, int]:
    """Return the state of the sequential test for the first bot of the plan, and the number of deals until then.

    The test takes the settled deals in the order of the schedule, not in the order in which games ended, so its
    answer does not depend on the number of parallel games. It skips deals with a void game.
    """
    blocks = deals.blocks(range(deals.unbroken), 0)
    means = block_means(blocks, plan.bots[0].name, share) if blocks else {}
    state = Sprt(*test.win_rates(plan.rules.players), test.alpha, test.beta).of(means.values())
    if state.decision == "continue":
        return state, deals.unbroken
    return state, list(means)[state.blocks - 1] + 1


@dataclass(frozen=True, slots=True)
class Results:
    """The deals of a run that count: settled ones, up to the one that decided the sequential test.

    `blocks` has an entry per pairing, without blocks with a void game. `clocks` has the total thinking time of each bot
    by name, and `longest` the longest of all. `strikes` are the engines' faults that lost no game.
    """

    plan: Plan
    deals: int
    games: int
    blocks: Mapping[Pairing, tuple[Block, ...]]
    forfeits: tuple[Played, ...]
    strikes: Mapping[str, tuple[str, ...]]
    voids: tuple[Void, ...]
    clocks: Mapping[str, Clock]
    test: SprtState | None

    @property
    def is_complete(self) -> bool:
        """Whether all games have been played."""
        decided = self.test is not None and self.test.decision != "continue"
        return decided or self.deals == self.plan.blocks


def collect(plan: Plan, games: Iterable[Game]) -> Results:
    """Collect the games that count: with a sequential test, only those until its decision."""
    deals = Deals(plan, games)
    counted, test = deals.settled(), None
    if plan.test is not None:
        test, used = judge(plan, plan.test, deals)
        if test.decision != "continue":
            counted = list(range(used))
    over = [game for number in counted for game in deals.games(number)]
    played = [game for game in over if isinstance(game, Played)]
    return Results(
        plan=plan,
        deals=len(counted),
        games=len(over),
        blocks={pairing: tuple(deals.blocks(counted, index)) for index, pairing in enumerate(pairings(plan))},
        strikes={entrant.name: _strikes(entrant.name, played) for entrant in plan.bots},
        forfeits=tuple(game for game in played if game.forfeit is not None),
        voids=tuple(game for game in over if isinstance(game, Void)),
        clocks={entrant.name: _clock(entrant.name, played) for entrant in plan.bots},
        test=test,
    )


@dataclass(frozen=True, slots=True)
class Row:
    """The results of one bot in one pairing, with the results of a bot as strong as its opponents (parity).

    ``win_parity`` is 1 over the number of players. ``margin_parity`` is the margin of the opponents against copies
    of themselves: 0 for two players, otherwise measured; None if it was not measured or the opponents differ.
    """

    pairing: Pairing
    bot: str
    summary: Summary
    win_parity: float
    margin_parity: Interval | None

    @property
    def title(self) -> str:
        """The row's title on its own: ``king – fg``, ``a in a, b, c``."""
        named = label(self.pairing)
        return named if len(self.pairing.names) == 2 else f"{self.bot} in {named}"

    @property
    def is_other_side(self) -> bool:
        """Whether the previous row has the same games from the other bot's side."""
        return len(self.pairing.names) == 2 and self.bot == self.pairing.names[1]


def rows(results: Results) -> list[Row]:
    """Return a row for each bot of each pairing with blocks, except pairings of a single name."""
    players = results.plan.rules.players
    measured = _self_play_margins(results.blocks)
    given = []
    for pairing, blocks in results.blocks.items():
        if not blocks or len(pairing.names) == 1:
            continue
        for name in pairing.names:
            parity = Interval(0.0, 0.0, 0.0) if players == 2 else _margin_parity(pairing, name, measured)
            given.append(Row(pairing, name, summarise(blocks, name), 1 / players, parity))
    return given


def copies(results: Results) -> dict[str, Summary]:
    """Return the results of each bot against copies under its own name, if it played any."""
    return {
        pairing.names[0]: summarise(blocks, pairing.names[0])
        for pairing, blocks in results.blocks.items()
        if blocks and len(pairing.names) == 1
    }


def rated(results: Results) -> list[Rating]:
    """Rate the bots on all their games together, best first. Empty if the games do not connect them."""
    met = [blocks for pairing, blocks in results.blocks.items() if len(pairing.names) > 1]
    try:
        return ratings(chain.from_iterable(met), seed=results.plan.seed)
    except ResultsError:
        return []


def label(pairing: Pairing) -> str:
    """Name a pairing: ``king – fg``, ``king against 3 × fg``, ``a, b, c``, ``4 × fg``."""
    first, *others = [entrant.name for entrant in pairing.bots]
    if len(pairing.names) == 1:
        return f"{len(pairing.bots)} × {first}"
    if len(others) == 1:
        return f"{first} – {others[0]}"
    if len(set(others)) == 1:
        return f"{first} against {len(others)} × {others[0]}"
    return ", ".join([first, *others])


def _result(game: Played) -> GameResult:
    names = tuple(entrant.name for entrant in game.fixture.seats)
    return GameResult(names, game.scores, game.shares, game.ranking)


def _strikes(name: str, games: Sequence[Played]) -> tuple[str, ...]:
    return tuple(
        strike
        for game in games
        for seat, (entrant, strikes) in enumerate(zip(game.fixture.seats, game.strikes, strict=True))
        if entrant.name == name and (game.forfeit is None or game.forfeit.seat != seat)
        for strike in strikes
    )


def _clock(name: str, games: Sequence[Played]) -> Clock:
    clocks = [
        clock
        for game in games
        for entrant, clock in zip(game.fixture.seats, game.clocks, strict=True)
        if entrant.name == name
    ]
    return Clock(
        sum(clock.decisions for clock in clocks),
        sum(clock.seconds for clock in clocks),
        max((clock.longest for clock in clocks), default=0.0),
    )


def _margin_parity(pairing: Pairing, name: str, measured: Mapping[str, Interval]) -> Interval | None:
    specs = {entrant.name: entrant.spec for entrant in pairing.bots}
    opponents = [entrant.name for entrant in pairing.bots]
    opponents.remove(name)
    kinds = {specs[opponent] for opponent in opponents}
    return measured.get(kinds.pop()) if len(kinds) == 1 else None


def _self_play_margins(blocks: Mapping[Pairing, tuple[Block, ...]]) -> dict[str, Interval]:
    """Return the margin of each bot, by spec, in games among its copies."""
    return {
        pairing.bots[0].spec: summarise(played, pairing.bots[0].name).margin
        for pairing, played in blocks.items()
        if played and pairing.is_self_play
    }
