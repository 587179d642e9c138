"""Playing one game of a plan: bots at their seats, a clock over each, and a result in any case.

Imports `played`, `plan`, `schedule` and the library's face.
"""

from __future__ import annotations

from contextlib import ExitStack, suppress
from importlib import import_module
from time import perf_counter

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
    players = plan.rules.players
    specs = [entrant.spec for entrant in fixture.seats]
    times: list[list[float]] = [[] for _ in range(players)]
    forfeit = None
    with ExitStack() as leaving:
        bots: list[kd.bots.Bot] = []
        seat = 0
        try:
            for seat in range(players):
                bots.append(kd.bots.make(specs[seat], seed=bot_seed(plan, fixture, seat)))
                leaving.callback(_close, bots[seat])
            specs = [bot.spec for bot in bots]
            while (to_move := game.position.to_move) is not None:
                seat = to_move
                start = perf_counter()
                try:
                    action = bots[seat].choose(game.position)
                finally:
                    times[seat].append(perf_counter() - start)
                game.play(action)
        except Exception as error:  # whatever a bot does, the run goes on
            forfeit = Forfeit(seat, _reason(error))
    record = kd.Record.from_game(game, players=specs, tags=_tags(plan, fixture))
    clocks = tuple(Clock(len(one), sum(one), max(one, default=0.0)) for one in times)
    if forfeit is not None:
        return _forfeited(fixture, game.position, record, clocks, forfeit)
    outcome = game.outcome()
    shares = tuple((seat in outcome.winners) / len(outcome.winners) for seat in range(players))
    return Played(fixture, record, outcome.scores, shares, places(game.position), clocks)


def places(position: kd.Position) -> tuple[tuple[int, ...], ...]:
    """Group the seats of a finished game by place, best first: who is level by every tie-break shares one."""
    levels: dict[tuple[int, ...], list[int]] = {}
    for seat, (kingdom, score) in enumerate(zip(position.kingdoms, position.scores(), strict=True)):
        largest = max((len(territory.squares) for territory in kingdom.territories()), default=0)
        crowns = [kingdom.crowns] if position.rules.edition == "first" else []
        levels.setdefault((score.total, largest, *crowns), []).append(seat)
    return tuple(tuple(levels[level]) for level in sorted(levels, reverse=True))


def _forfeited(
    fixture: Fixture, position: kd.Position, record: kd.Record, clocks: tuple[Clock, ...], forfeit: Forfeit
) -> Played:
    loser, players = forfeit.seat, len(clocks)
    others = tuple(seat for seat in range(players) if seat != loser)
    scores = tuple(0 if seat == loser else score.total for seat, score in enumerate(position.scores()))
    shares = tuple(0.0 if seat == loser else 1 / len(others) for seat in range(players))
    return Played(fixture, record, scores, shares, (others, (loser,)), clocks, forfeit)


def _tags(plan: Plan, fixture: Fixture) -> dict[str, str]:
    return {"arena": plan.name, "block": str(fixture.block), "rotation": str(fixture.rotation)}


def _reason(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


def _close(bot: kd.bots.Bot) -> None:
    """Send an engine in another process away; the game is over, so nothing that it does now matters."""
    if (close := getattr(bot, "close", None)) is not None:
        with suppress(Exception):
            close()
