"""Play one game of a plan, and convert its result to and from the store's form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from itertools import groupby
from time import perf_counter
from typing import Any, TypeAlias

import kingdomino as kd
from kingdomino.arena.plan import Plan
from kingdomino.arena.schedule import Fixture, bot_seed, deal_seed
from kingdomino.display import printable


@dataclass(frozen=True, slots=True)
class Clock:
    """The thinking time of one seat in one game, in seconds by the wall clock."""

    decisions: int
    seconds: float
    longest: float


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A loss by default: the seat, and what its bot did."""

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class Played:
    """A game with a result. Every tuple except `ranking` has one entry per seat.

    `shares` are shares of the victory: 1, 1/k for each of k winners, or 0. `ranking` groups the seats by place,
    best first. In a forfeited game the other seats share the victory and keep their points; the seat that forfeited has
    none, and the record ends there. `strikes` are engines' faults that did not lose the game: `greedy` made each of
    these decisions.
    """

    fixture: Fixture
    record: kd.Record
    scores: tuple[int, ...]
    shares: tuple[float, ...]
    ranking: tuple[tuple[int, ...], ...]
    clocks: tuple[Clock, ...]
    strikes: tuple[tuple[str, ...], ...]
    forfeit: Forfeit | None = None


@dataclass(frozen=True, slots=True)
class Void:
    """A game without a result: its process died, or was stopped, twice. It may not be any bot's fault."""

    fixture: Fixture
    reason: str


Game: TypeAlias = Played | Void


def load_modules(plan: Plan) -> None:
    """Import the plan's modules, which may register bots. Raises `ArenaError`."""
    for module in plan.modules:
        try:
            import_module(module)
        except ImportError as error:
            raise kd.ArenaError(f"modules: {module!r} cannot be imported: {error}") from error


def play(plan: Plan, fixture: Fixture) -> Played:
    """Play the game to its end, or until a bot raises an error or acts illegally: then it loses."""
    load_modules(plan)
    game = kd.Game(plan.rules, seed=deal_seed(plan, fixture.block))
    seats = [_Seat(entrant.spec, bot_seed(plan, fixture, seat)) for seat, entrant in enumerate(fixture.seats)]
    forfeit = _play_on(game, seats)
    for seat in seats:
        seat.close()
    tags = {"arena": plan.name, "block": str(fixture.block), "rotation": str(fixture.rotation)}
    tags |= {kd.bots.record_tag(number): seat.spec for number, seat in enumerate(seats)}
    record = kd.Record.from_game(game, [entrant.name for entrant in fixture.seats], tags)
    scores, shares, ranking = _result(game.position, forfeit)
    clocks = tuple(seat.clock() for seat in seats)
    strikes = tuple(seat.strikes() for seat in seats)
    return Played(fixture, record, scores, shares, ranking, clocks, strikes, forfeit)


def to_mapping(game: Game) -> dict[str, Any]:
    """Return the game as a mapping for JSON; `from_mapping` reads it."""
    fixture = game.fixture
    mapping: dict[str, Any] = {
        "game": fixture.number,
        "block": fixture.block,
        "rotation": fixture.rotation,
        "seats": [entrant.name for entrant in fixture.seats],
    }
    if isinstance(game, Void):
        return mapping | {"void": game.reason}
    if any(game.strikes):
        mapping["strikes"] = game.strikes
    if game.forfeit is not None:
        mapping["forfeit"] = {"seat": game.forfeit.seat, "reason": game.forfeit.reason}
    return mapping | {
        "scores": game.scores,
        "shares": game.shares,
        "ranking": game.ranking,
        "clocks": [[clock.decisions, clock.seconds, clock.longest] for clock in game.clocks],
        "record": json.loads(game.record.to_json()),
    }


def from_mapping(mapping: Mapping[str, Any], fixture: Fixture) -> Game:
    """Read the game of a fixture. Raises `KeyError`, `TypeError` or `ValueError` for anything else."""
    names = [entrant.name for entrant in fixture.seats]
    if (mapping["block"], mapping["rotation"], mapping["seats"]) != (fixture.block, fixture.rotation, names):
        raise ValueError(f"game {fixture.number} of the plan has other players or another deal")
    if "void" in mapping:
        return Void(fixture, mapping["void"])
    forfeit = mapping.get("forfeit")
    return Played(
        fixture,
        kd.Record.from_json(json.dumps(mapping["record"])),
        tuple(mapping["scores"]),
        tuple(mapping["shares"]),
        tuple(map(tuple, mapping["ranking"])),
        tuple(Clock(*clock) for clock in mapping["clocks"]),
        tuple(map(tuple, mapping.get("strikes", [[]] * len(fixture.seats)))),
        None if forfeit is None else Forfeit(forfeit["seat"], forfeit["reason"]),
    )


class _Seat:
    """A seat, its bot, and how long each decision took."""

    def __init__(self, spec: str, seed: int) -> None:
        self.spec = spec
        self._seed = seed
        self._bot: Any = None
        self._times: list[float] = []

    def start(self) -> None:
        """Create the bot; then `spec` includes its seed."""
        self._bot = kd.bots.make(self.spec, seed=self._seed)
        self.spec = self._bot.spec

    def choose(self, position: kd.Position) -> kd.Action:
        """Ask the bot, and measure its time, not including an engine's start."""
        if isinstance(self._bot, kd.bots.Engine):
            self._bot.prepare(position)
        start = perf_counter()
        try:
            action: kd.Action = self._bot.choose(position)
        finally:
            self._times.append(perf_counter() - start)
        return action

    def close(self) -> None:
        """Close an engine and ignore its errors, because the game is over."""
        with suppress(Exception):
            self._bot.close()

    def clock(self) -> Clock:
        """Add up the times."""
        return Clock(len(self._times), sum(self._times), max(self._times, default=0.0))

    def strikes(self) -> tuple[str, ...]:
        """Return an engine's faults; other bots have none."""
        return tuple(getattr(self._bot, "strikes", ()))


def _play_on(game: kd.Game, seats: list[_Seat]) -> Forfeit | None:
    """Create the bots and let them play. Return the loss by default, if there was one."""
    acting = 0
    try:
        for number, seat in enumerate(seats):
            acting = number
            seat.start()
        while (to_move := game.position.to_move) is not None:
            acting = to_move
            game.play(seats[to_move].choose(game.position))
    except Exception as error:  # a bot's error must not stop the run
        return Forfeit(acting, _in_words(error))
    return None


def _in_words(error: Exception) -> str:
    """Return an error's name and text on one line; only the name if its text raises an error."""
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:  # a bot may define its own error type
        text = type(error).__name__
    return printable(" ".join(text.split()))


def _result(
    position: kd.Position, forfeit: Forfeit | None
) -> tuple[tuple[int, ...], tuple[float, ...], tuple[tuple[int, ...], ...]]:
    """Return scores, shares of the victory, and seats by place."""
    seats = range(position.rules.players)
    totals = [score.total for score in position.scores()]
    if forfeit is not None:
        totals[forfeit.seat] = 0
        others = tuple(seat for seat in seats if seat != forfeit.seat)
        shares = tuple((seat != forfeit.seat) / len(others) for seat in seats)
        return tuple(totals), shares, (others, (forfeit.seat,))
    outcome = position.outcome()
    assert outcome is not None  # without a forfeit, the game was played to its end
    levels = groupby(outcome.ranking, key=lambda seat: outcome.places[seat])
    return tuple(totals), outcome.shares, tuple(tuple(level) for _, level in levels)
