"""The games in a player's list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

import kingdomino as kd
from kingdomino.server.storage import Result
from kingdomino.server.tables.core import events
from kingdomino.server.tables.core.deal import start_of
from kingdomino.server.tables.core.state import PlacedDomino, State

Outcome: TypeAlias = Literal["won", "lost", "shared", "neutral", "unfinished"]


class Player(events.Model):
    """A player: the name, and the spec string of a bot."""

    name: str | None
    bot: str | None


class Played(events.Model):
    """A game in a player's list; a Dynasty counts as one.

    ``seats`` are the player's. The outcome is ``neutral`` if the player had several seats or none, or if the game began
    from a position, ``start``. ``scores`` has each finished game's points by seat; ``winners``, ``ranking`` and
    ``decided_by`` follow from the ``totals``. ``kingdom`` is the kingdom of ``seat`` in its best game, in which
    ``squares`` were covered at the start; ``round`` is the last round.
    """

    id: str
    imported: bool
    ended: int
    outcome: Outcome
    rules: events.Rules
    dynasty: events.Dynasty | None
    round: int
    players: tuple[Player, ...]
    seats: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]
    ranking: tuple[int, ...]
    places: tuple[int, ...]
    winners: tuple[int, ...]
    decided_by: events.DecidedBy | None
    seat: int
    kingdom: tuple[PlacedDomino, ...]
    squares: tuple[events.TerrainSquare, ...] = ()
    start: str | None = None

    @classmethod
    def of_state(cls, state: State, seats: Sequence[int]) -> Played:
        """Describe a table's games for the player in these seats. The first game must be dealt."""
        return cls.of_games(
            state.id,
            [*state.earlier, state.game],
            [Player(name=seat.name, bot=seat.bot) for seat in state.seats],
            seats,
            state.finished.at if state.finished and state.stage == "over" else state.updated,
            dynasty=state.dynasty,
            is_over=state.stage == "over",
        )

    @classmethod
    def of_games(
        cls,
        id_: str,
        games: Sequence[kd.Game],
        players: Sequence[Player],
        seats: Sequence[int],
        ended: int,
        *,
        dynasty: events.Dynasty | None = None,
        is_over: bool,
        imported: bool = False,
    ) -> Played:
        """Describe these games; the last may be unfinished."""
        finished = [outcome for game in games if (outcome := game.outcome())]
        won = _decisive(games, dynasty) if is_over else None
        seat = seats[0] if len(seats) == 1 else (*(won.winners if won else ()), 0)[0]
        scores = tuple(events.points(outcome.scores) for outcome in finished)
        shown = max(range(len(scores)), key=lambda game: scores[game][seat], default=-1)
        rules, position = games[-1].rules, games[-1].position
        start = start_of(games[-1])
        return cls(
            id=id_,
            imported=imported,
            ended=ended,
            outcome=_outcome(seats if start is None else (), won.winners) if won else "unfinished",
            rules=events.Rules.of(rules),
            dynasty=dynasty,
            round=rules.rounds if is_over else position.round,
            players=tuple(players),
            seats=tuple(seats),
            scores=scores,
            totals=events.points(won.scores) if won else (),
            ranking=won.ranking if won else (),
            places=won.places if won else (),
            winners=won.winners if won else (),
            decided_by=won.decided_by if won else None,
            seat=seat,
            kingdom=_kingdom(games[shown], seat),
            squares=events.Start.of(start).kingdoms[seat].squares if start else (),
            start=start and start.to_text(),
        )

    def result(self, user: str) -> Result:
        """Return the row for a user's list."""
        bots = {player.bot for seat, player in enumerate(self.players) if seat not in self.seats}
        counts = self.outcome in ("won", "lost", "shared")
        points = [scores[self.seat] for scores in self.scores] if counts else []
        return Result(
            user_id=user,
            game_id=self.id,
            imported=self.imported,
            ended=self.ended,
            outcome=self.outcome,
            rules=self.rules.text,
            dynasty=self.dynasty,
            bot=bots.pop() if len(bots) == 1 else None,
            games=len(self.scores),
            points=sum(points) if points else None,
            best=max(points, default=None),
            body=self.model_dump_json(),
        )


def results(state: State) -> list[Result]:
    """Return the rows for the lists of a table's players, if it has ended after at least one deal."""
    if not state.is_over or state.dealt is None:
        return []
    users = sorted({seat.user for seat in state.seats if seat.user is not None})
    return [Played.of_state(state, state.seats_of(user)).result(user) for user in users]


def _decisive(games: Sequence[kd.Game], dynasty: events.Dynasty | None) -> kd.Outcome | None:
    if dynasty is None:
        return games[-1].outcome()
    return kd.Match.from_games(games, length=len(games), dynasty=dynasty).outcome()


def _outcome(seats: Sequence[int], winners: Sequence[int]) -> Outcome:
    if len(seats) != 1:
        return "neutral"
    if seats[0] not in winners:
        return "lost"
    return "won" if len(winners) == 1 else "shared"


def _kingdom(game: kd.Game, seat: int) -> tuple[PlacedDomino, ...]:
    """List the dominoes of a kingdom by number."""
    ends: dict[int, dict[str, events.XY]] = {}
    for square, (domino, end) in game.layout(seat).items():
        ends.setdefault(domino.number, {})[end] = square
    return tuple((number, *ends[number]["left"], *ends[number]["right"]) for number in sorted(ends))
