"""A table's state: the result of replaying its log of events through the engine."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import chain, count
from typing import Final, Literal, TypeAlias, TypeVar

import kingdomino as kd
from kingdomino.server.tables.core import events
from kingdomino.server.tables.core.deal import Commitment, Deal

Unfinished: TypeAlias = Literal["waiting", "drawing", "playing", "between"]
Stage: TypeAlias = Literal[Unfinished, "over", "closed"]
PlacedDomino: TypeAlias = tuple[int, int, int, int, int]
"""A domino in a kingdom: its number, x and y of its left end, x and y of its right end."""
_T = TypeVar("_T")
RECENT: Final = 8
"""Number of recent actions in a snapshot."""
GUEST: Final = "Guest"
"""The name in a record of a player without a name."""
SUBSTITUTE: Final = "greedy"
"""The bot that plays for a player who has left or run out of time, and for a bot that failed."""


@dataclass(frozen=True, slots=True)
class Seat:
    """The holder of a seat. ``user`` is a person's identity, which never leaves the server.

    ``since`` is the number of the event that created this entry. A link to the seat is valid only for that entry.
    ``digest`` promises the nonces of the person's browser.
    """

    kind: Literal["person", "bot", "invited", "open"]
    name: str | None = None
    bot: str | None = None
    away: events.Away | None = None
    user: str | None = None
    since: int = 0
    digest: str | None = None

    @property
    def is_free(self) -> bool:
        """Whether someone can still take the seat."""
        return self.kind in ("invited", "open")

    @property
    def bot_spec(self) -> str | None:
        """The bot that plays here now; `None` if a person decides."""
        if self.kind == "bot":
            return self.bot
        return SUBSTITUTE if self.away else None

    def entry(self, seat: int) -> events.SeatEntry:
        """Return the public part."""
        return events.SeatEntry(seat=seat, kind=self.kind, name=self.name, bot=self.bot, away=self.away)


@dataclass(frozen=True, slots=True)
class Wishes:
    """The players' wishes by seat: to end the game, to play again, or not to.

    ``digests`` promise the nonces for the next table.
    """

    end: frozenset[int] = frozenset()
    rematch: frozenset[int] = frozenset()
    declined: frozenset[int] = frozenset()
    digests: tuple[tuple[int, str], ...] = ()

    def after(self, event: events.Wished, digest: str | None) -> Wishes:
        """Add a wish. If a player does not want to end the game, clear everyone's wish to end it."""
        seat = {event.seat}
        if digest is not None:
            others = (one for one in self.digests if one[0] != event.seat)
            self = replace(self, digests=(*others, (event.seat, digest)))
        if event.what == "end":
            return replace(self, end=self.end | seat if event.yes else frozenset())
        if event.yes:
            return replace(self, rematch=self.rematch | seat, declined=self.declined - seat)
        return replace(self, rematch=self.rematch - seat, declined=self.declined | seat)


@dataclass(frozen=True, slots=True, repr=False)
class Dealt:
    """A deal and its game. Both contain the deck, so they have no repr."""

    deal: Deal
    game: kd.Game


@dataclass(slots=True)
class State:
    """The state of a table. It is cheap to copy, because its mutable parts are small.

    ``earlier`` are the finished games before the current one, and ``totals`` their points by seat. ``commitment`` is
    the latest one; ``digests`` and ``nonces``, collected from ``drawing_since`` on, belong to its game. ``start`` is
    the position from which the game begins, if not the empty table. ``lines`` are this game's complete lines.
    ``owners`` maps each domino claimed in this game to its seat, even once it is placed. ``placed`` and ``discarded``
    have a list for each seat, in order of play. ``hints`` are this game's plies with a hint. ``recent`` contains events
    as JSON: as objects they would take most of a table's memory.
    """

    id: str
    number: int = 0
    created: int = 0
    updated: int = 0
    stage: Stage = "waiting"
    rules: kd.Rules = field(default_factory=kd.Rules)
    dynasty: events.Dynasty | None = None
    games: int = 1
    seconds: int | None = None
    public: bool = False
    host: str | None = None
    host_seat: int | None = None
    start: events.Start | None = None
    code: str | None = None
    seats: tuple[Seat, ...] = ()
    game_number: int = 0
    earlier: tuple[kd.Game, ...] = ()
    totals: tuple[int, ...] = ()
    commitment: Commitment | None = None
    digests: tuple[str | None, ...] = ()
    nonces: tuple[str | None, ...] = ()
    drawing_since: int = 0
    dealt: Dealt | None = None
    ply: int = 0
    turn: events.Turn | None = None
    lines: tuple[tuple[int, ...], ...] = ()
    owners: dict[int, int] = field(default_factory=dict)
    placed: tuple[tuple[PlacedDomino, ...], ...] = ()
    discarded: tuple[tuple[int, ...], ...] = ()
    recent: deque[str] = field(default_factory=lambda: deque(maxlen=RECENT))
    finished: events.Finished | None = None
    revealed: events.DeckRevealed | None = None
    hints: tuple[int, ...] = ()
    wishes: Wishes = Wishes()
    rematch: str | None = None
    closed: events.Closed | None = None

    def copy(self) -> State:
        """Return an independent copy."""
        other = copy.copy(self)
        other.recent, other.owners = self.recent.copy(), self.owners.copy()
        if self.dealt is not None:
            other.dealt = replace(self.dealt, game=copy.copy(self.dealt.game))
        return other

    @property
    def is_over(self) -> bool:
        """Whether all play at this table is over."""
        return self.stage in ("over", "closed")

    @property
    def deal(self) -> Deal:
        """The deal of the current game, once the first game is dealt."""
        return self._dealt.deal

    @property
    def game(self) -> kd.Game:
        """The current game including its deck, once the first game is dealt."""
        return self._dealt.game

    @property
    def position(self) -> kd.Position:
        """The public position of the current game."""
        return self.game.position

    @property
    def start_position(self) -> kd.Position | None:
        """The position from which the game begins, if not the empty table."""
        return kd.Position.parse(self.start.position) if self.start else None

    @property
    def names(self) -> list[str]:
        """The players' names by seat, with duplicates numbered."""
        return number_duplicates(seat.name or GUEST for seat in self.seats)

    @property
    def match(self) -> kd.Match:
        """The games so far, as a match."""
        games = [*self.earlier, self.game]
        return kd.Match.from_games(games, length=self.games, dynasty=self.dynasty or "total")

    @property
    def _dealt(self) -> Dealt:
        if self.dealt is None:
            raise AssertionError("no game has been dealt")
        return self.dealt

    def seats_of(self, user: str | None) -> list[int]:
        """List the seats of an identity."""
        return [seat for seat, entry in enumerate(self.seats) if user is not None and entry.user == user]

    def people(self) -> dict[str, list[int]]:
        """Return the people who play, each with their seats."""
        people: dict[str, list[int]] = {}
        for seat, entry in enumerate(self.seats):
            if entry.user is not None:
                people.setdefault(entry.user, []).append(seat)
        return people

    @property
    def is_attended(self) -> bool:
        """Whether at least one person plays."""
        return any(entry.kind == "person" and entry.away is None for entry in self.seats)

    def apply(self, event: events.TableEvent, body: str, secret: events.Secret | None) -> None:
        """Apply an event from the log."""
        if isinstance(event, events.Action):
            self.game.play(_action(event))
        self.note(event, body, secret)

    def note(self, event: events.TableEvent, body: str, secret: events.Secret | None) -> None:
        """Record an event, with its JSON in ``body``. The game must already have played an action."""
        self.number, self.updated = event.number, event.at
        match event:
            case events.Created():
                self._create(event, secret)
            case events.Seated():
                known = secret if isinstance(secret, events.SeatedSecret) else events.SeatedSecret(user=None)
                before = self.seats[event.seat].user
                if known.user and before and before == self.host and event.seat == self.host_seat:
                    self.host = known.user  # the host moved to another device or identity
                self._change_seat(event.seat, _seat(event.entry, event.number, known.user, known.digest))
                if event.seat == self.host_seat and self.seats[event.seat].is_free:
                    self.host_seat = None  # do not reveal where the host sits down again
            case events.Committed():
                self._commit(event, secret)
            case events.Drawing():
                self.stage, self.code = "drawing", None
                self.digests, self.drawing_since = event.digests, event.at
            case events.NonceGiven():
                self.nonces = (*self.nonces[: event.seat], event.nonce, *self.nonces[event.seat + 1 :])
            case events.Dealt():
                self._begin(event, secret)
            case events.Revealed():
                self.lines = (*self.lines, event.line)
            case events.Claimed() | events.Placed() | events.Discarded():
                self._note_action(event, body)
            case events.Left():
                self._change_seat(event.seat, replace(self.seats[event.seat], away=event.why))
            case events.Returned():
                self._change_seat(event.seat, replace(self.seats[event.seat], away=None))
            case events.Finished():
                self.finished = event
                self.stage = "over" if self.game_number == self.games else "between"
            case events.DeckRevealed():
                self.revealed = event
            case events.Hinted():
                self.hints = (*self.hints, event.ply)
            case events.Wished():
                digest = secret.digest if isinstance(secret, events.WishedSecret) else None
                self.wishes = self.wishes.after(event, digest)
            case events.Rematch():
                self.rematch = event.table
            case events.Closed():
                self.stage, self.closed = "closed", event
            case events.KingDrawn() | events.RoundBegan():
                pass  # part of the game's position
        if "turn" in event.model_fields_set:
            self.turn = event.turn

    def _create(self, event: events.Created, secret: events.Secret | None) -> None:
        assert isinstance(secret, events.CreatedSecret)
        self.created = event.at
        self.rules = kd.Rules.parse(event.rules.text)
        self.dynasty, self.games, self.seconds = event.dynasty, event.games, event.seconds
        self.public, self.code = event.public, secret.code
        self.host, self.host_seat = secret.host, event.host
        self.start = event.start
        self.totals = (0,) * self.rules.players
        self.placed = self.discarded = ((),) * self.rules.players
        self.digests = self.nonces = (None,) * self.rules.players
        self.seats = tuple(
            _seat(entry, event.number, secret.users.get(entry.seat), secret.digests.get(entry.seat))
            for entry in event.seats
        )

    def _commit(self, event: events.Committed, secret: events.Secret | None) -> None:
        assert isinstance(secret, events.CommittedSecret)
        self.commitment = Commitment(
            self.id, event.game, self.rules, event.seats, secret.secret, self.start_position
        )
        self.digests = self.nonces = (None,) * self.rules.players

    def _begin(self, event: events.Dealt, secret: events.Secret | None) -> None:
        if self.dealt is not None:
            self.totals = events.points(self.match.scores())
            self.earlier = (*self.earlier, self.game)
        if isinstance(secret, events.DealtSecret):
            deal = Deal(self.rules, secret.deck, secret.opening, event.commitment, start=self.start_position)
        else:
            assert self.commitment is not None
            assert event.nonces is not None
            self.nonces = event.nonces
            deal = self.commitment.deal(self.digests, self.nonces)
        self.dealt = Dealt(deal, deal.game())
        self.game_number, self.stage, self.code = event.game, "playing", None
        self.finished = self.revealed = None
        self.hints = ()
        self.wishes = Wishes()
        self.recent.clear()
        self.owners.clear()
        self.lines = ()
        self.placed = self.discarded = ((),) * self.rules.players
        if self.start is not None:
            shown = [self.start.line, self.start.next_line][self.start.round == 0 :]
            before: tuple[tuple[int, ...], ...] = ((),) * (self.start.round - 1)
            self.lines = (*before, *(tuple(entry.domino for entry in line) for line in shown))
            self.owners.update(
                {entry.domino: entry.seat for line in shown for entry in line if entry.seat is not None}
            )

    def _note_action(self, event: events.Action, body: str) -> None:
        self.ply = event.ply + 1
        self.recent.append(body)
        match event:
            case events.Claimed():
                self.owners[event.domino] = event.seat
            case events.Placed():
                self.placed = _added(self.placed, event.seat, (event.domino, *event.left, *event.right))
            case events.Discarded():
                self.discarded = _added(self.discarded, event.seat, event.domino)

    def _change_seat(self, seat: int, entry: Seat) -> None:
        self.seats = (*self.seats[:seat], entry, *self.seats[seat + 1 :])


def number_duplicates(names: Iterable[str]) -> list[str]:
    """Number repeated names: `Ann`, `Ann 2`. Empty ones stay empty."""
    distinct: list[str] = []
    for name in names:
        numbered = (f"{name} {number}" for number in count(2))
        distinct.append(next(one for one in chain([name], numbered) if not name or one not in distinct))
    return distinct


def _action(event: events.Action) -> kd.Action:
    match event:
        case events.Claimed():
            return kd.Action.claim(event.domino)
        case events.Placed():
            return kd.Action.place((event.left, event.right))
        case events.Discarded():
            return kd.Action.discard()


def _added(lists: tuple[tuple[_T, ...], ...], seat: int, item: _T) -> tuple[tuple[_T, ...], ...]:
    return (*lists[:seat], (*lists[seat], item), *lists[seat + 1 :])


def _seat(entry: events.SeatEntry, since: int, user: str | None, digest: str | None) -> Seat:
    return Seat(entry.kind, entry.name, entry.bot, entry.away, user, since, digest)
