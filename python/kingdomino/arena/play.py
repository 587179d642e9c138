"""Playing one game of a plan: bots at their seats, a clock over each, and a result in any case."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from itertools import groupby
from time import perf_counter
from typing import Any

import kingdomino as kd
from kingdomino.arena.plan import Plan
from kingdomino.arena.played import Clock, Forfeit, Played
from kingdomino.arena.schedule import Fixture, bot_seed, deal_seed


def load_modules(plan: Plan) -> None:
    """Import what the plan needs, which may register bots. Raises `ArenaError`."""
    for module in plan.modules:
        try:
            import_module(module)
        except ImportError as error:
            raise kd.ArenaError(f"modules: {module!r} cannot be imported: {error}") from error


def play(plan: Plan, fixture: Fixture) -> Played:
    """Play the game to its end, or until a bot raises or does what the rules refuse, which loses it."""
    load_modules(plan)
    game = kd.Game(plan.rules, seed=deal_seed(plan, fixture.block))
    seats = [_Seat(entrant.spec, bot_seed(plan, fixture, seat)) for seat, entrant in enumerate(fixture.seats)]
    forfeit = _play_on(game, seats)
    for seat in seats:
        seat.leave()
    tags = {"arena": plan.name, "block": str(fixture.block), "rotation": str(fixture.rotation)}
    record = kd.Record.from_game(game, players=[seat.spec for seat in seats], tags=tags)
    scores, shares, ranking = _result(game.position, forfeit)
    clocks = tuple(seat.clock() for seat in seats)
    strikes = tuple(seat.strikes() for seat in seats)
    return Played(fixture, record, scores, shares, ranking, clocks, strikes, forfeit)


class _Seat:
    """A seat, the bot that sits there, and how long it thought each time."""

    def __init__(self, spec: str, seed: int) -> None:
        self.spec = spec
        self._seed = seed
        self._bot: Any = None  # nobody, until `sit`
        self._times: list[float] = []

    def sit(self) -> None:
        """Make the bot; from then on `spec` is with its seed."""
        self._bot = kd.bots.make(self.spec, seed=self._seed)
        self.spec = self._bot.spec

    def choose(self, position: kd.Position) -> kd.Action:
        """Ask the bot, and stop the time."""
        start = perf_counter()
        try:
            action: kd.Action = self._bot.choose(position)
        finally:
            self._times.append(perf_counter() - start)
        return action

    def leave(self) -> None:
        """Send an engine in another process away; the game is over, so nothing that it does now matters."""
        with suppress(Exception):
            self._bot.close()

    def clock(self) -> Clock:
        """Add up the times."""
        return Clock(len(self._times), sum(self._times), max(self._times, default=0.0))

    def strikes(self) -> tuple[str, ...]:
        """Say what an engine did wrong; other bots have no strikes."""
        return tuple(getattr(self._bot, "strikes", ()))


def _play_on(game: kd.Game, seats: list[_Seat]) -> Forfeit | None:
    """Seat the bots and let them play; give who lost by default, if anybody did."""
    acting = 0
    try:
        for number, seat in enumerate(seats):
            acting = number
            seat.sit()
        while (to_move := game.position.to_move) is not None:
            acting = to_move
            game.play(seats[to_move].choose(game.position))
    except Exception as error:  # whatever a bot does, the run goes on
        return Forfeit(acting, " ".join(f"{type(error).__name__}: {error}".split()))
    return None


def _result(
    position: kd.Position, forfeit: Forfeit | None
) -> tuple[tuple[int, ...], tuple[float, ...], tuple[tuple[int, ...], ...]]:
    """Give scores, shares of the victory, and places."""
    seats = range(position.rules.players)
    totals = [score.total for score in position.scores()]
    if forfeit is not None:
        totals[forfeit.seat] = 0
        others = tuple(seat for seat in seats if seat != forfeit.seat)
        shares = tuple((seat != forfeit.seat) / len(others) for seat in seats)
        return tuple(totals), shares, (others, (forfeit.seat,))
    outcome = position.outcome()
    assert outcome is not None  # without a forfeit, the game was played to its end
    shares = tuple((seat in outcome.winners) / len(outcome.winners) for seat in seats)
    levels = groupby(outcome.ranking, key=lambda seat: outcome.places[seat])
    return tuple(totals), shares, tuple(tuple(level) for _, level in levels)
