"""The public view of a table: the snapshot, and the summary for lists of tables."""

from __future__ import annotations

from typing import Self

from kingdomino.server.storage import TableRow
from kingdomino.server.tables.core import events
from kingdomino.server.tables.core.state import PlacedDomino, Stage, State


class Kingdom(events.Model):
    """A kingdom. Each domino is its number, left x, left y, right x, right y.

    ``squares`` were covered when the game began.
    """

    squares: tuple[events.TerrainSquare, ...]
    dominoes: tuple[PlacedDomino, ...]
    discarded: tuple[int, ...]
    score: events.Score


class Wishes(events.Model):
    """The seats that want to end the game, that want to play again, and that do not."""

    end: tuple[int, ...]
    rematch: tuple[int, ...]
    declined: tuple[int, ...]


class Table(events.Model):
    """A table after the event ``number``. ``turn.left`` is the time left now; ``hints`` are this game's plies with a
    hint. ``commitment``, ``digests`` and ``nonces`` belong to this game, and after its end to the next.
    """

    id: str
    number: int
    state: Stage
    created: int
    rules: events.Rules
    dynasty: events.Dynasty | None
    seconds: int | None
    public: bool
    host: int | None
    game: int
    games: int
    totals: tuple[int, ...]
    seats: tuple[events.SeatEntry, ...]
    start: events.Start | None
    round: int
    turn: events.Turn | None
    line: tuple[events.LineEntry, ...]
    next_line: tuple[events.LineEntry, ...]
    kingdoms: tuple[Kingdom, ...]
    unseen: tuple[int, ...]
    in_deck: int
    commitment: str | None
    digests: tuple[str | None, ...]
    nonces: tuple[str | None, ...]
    finished: events.Finished | None
    deal: events.DeckRevealed | None
    hints: tuple[int, ...]
    wishes: Wishes
    rematch: str | None
    closed: events.Closed | None
    recent: tuple[events.TableEvent, ...]


class Summary(events.Model):
    """A table in a list of tables."""

    id: str
    state: Stage
    rules: events.Rules
    seats: tuple[events.SeatEntry, ...]
    round: int
    turn: int | None
    created: int
    updated: int

    @classmethod
    def of_row(cls, row: TableRow) -> Self:
        """Parse a stored table's summary."""
        return cls.model_validate_json(row.summary)


def snapshot(state: State, left: int | None) -> Table:
    """Return a table's snapshot. ``left`` are the milliseconds left of its turn."""
    position = state.position if state.dealt else None
    wishes = state.wishes
    return Table(
        id=state.id,
        number=state.number,
        state=state.stage,
        created=state.created,
        rules=events.Rules.of(state.rules),
        dynasty=state.dynasty,
        seconds=state.seconds,
        public=state.public,
        host=state.host_seat,
        game=state.game_number,
        games=state.games,
        totals=state.totals,
        seats=tuple(entry.entry(seat) for seat, entry in enumerate(state.seats)),
        start=state.start,
        round=position.round if position else 0,
        turn=state.turn and state.turn.model_copy(update={"left": left}),
        line=_line(state, position.round - 1) if position else (),
        next_line=_next_line(state, position.round) if position else (),
        kingdoms=tuple(_kingdom(state, seat) for seat in range(len(state.seats))),
        unseen=tuple(sorted(domino.number for domino in position.unseen)) if position else (),
        in_deck=position.dominoes_to_come if position else 0,
        commitment=state.commitment.digest if state.commitment else None,
        digests=state.digests,
        nonces=state.nonces,
        finished=state.finished,
        deal=state.revealed,
        hints=state.hints,
        wishes=Wishes(
            end=tuple(sorted(wishes.end)),
            rematch=tuple(sorted(wishes.rematch)),
            declined=tuple(sorted(wishes.declined)),
        ),
        rematch=state.rematch,
        closed=state.closed,
        recent=tuple(map(events.read, state.recent)),
    )


def summary(state: State) -> Summary:
    """Return a table's summary."""
    return Summary(
        id=state.id,
        state=state.stage,
        rules=events.Rules.of(state.rules),
        seats=tuple(entry.entry(seat) for seat, entry in enumerate(state.seats)),
        round=state.position.round if state.dealt else 0,
        turn=state.turn.seat if state.turn else None,
        created=state.created,
        updated=state.updated,
    )


def _line(state: State, index: int) -> tuple[events.LineEntry, ...]:
    """Return a line of this game, with the seat that claimed each domino."""
    position = state.position
    waiting = {
        slot.domino.number
        for slot in (*position.line, *position.next_line)
        if slot.seat is not None and not slot.is_done
    }
    numbers = state.lines[index] if 0 <= index < len(state.lines) else ()
    return tuple(
        events.LineEntry(domino=number, seat=state.owners.get(number), done=number not in waiting)
        for number in numbers
    )


def _next_line(state: State, index: int) -> tuple[events.LineEntry, ...]:
    """Return the line whose dominoes are being claimed; none of them is done."""
    return tuple(entry.model_copy(update={"done": False}) for entry in _line(state, index))


def _kingdom(state: State, seat: int) -> Kingdom:
    if state.finished:
        score = state.finished.scores[seat]
    elif state.dealt:
        score = events.Score.of(state.position, seat)
    else:
        score = state.start.kingdoms[seat].score if state.start else events.Rules.of(state.rules).castle
    squares = state.start.kingdoms[seat].squares if state.start else ()
    return Kingdom(squares=squares, dominoes=state.placed[seat], discarded=state.discarded[seat], score=score)
