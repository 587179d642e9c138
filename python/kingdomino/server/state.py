"""A table's state: what replaying its log of events through the engine gives.

`State.apply` is the only thing that changes a state. Imports `deal`, `scores` and the library's face.
"""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, TypeVar

from pydantic_core import to_json

import kingdomino as kd
from kingdomino.server.deal import Deal
from kingdomino.server.scores import Json, totals

Stage: TypeAlias = Literal["waiting", "playing", "between", "over", "closed"]
Laid: TypeAlias = tuple[int, int, int, int, int]
"""A domino in a kingdom: its number, x and y of its left end, x and y of its right end."""
_T = TypeVar("_T")
RECENT = 8
"""How many of the last actions a newcomer is shown."""
GAMES = 3
"""How many games a Dynasty has."""
STAND_IN = "greedy"
"""Who plays on for somebody who has left, who ran out of time, or whose bot failed."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits in one seat. ``user`` is the identity of a person and stays on the server.

    ``since`` is the number of the event that made this entry; links to the seat are good for it alone.
    """

    kind: Literal["person", "bot", "invited", "open"]
    name: str | None = None
    bot: str | None = None
    away: Literal["left", "time"] | None = None
    user: str | None = None
    since: int = 0

    @property
    def is_free(self) -> bool:
        """Whether somebody may still sit down here."""
        return self.kind in ("invited", "open")

    @property
    def bot_spec(self) -> str | None:
        """The bot that plays here now; `None` where a person decides."""
        if self.kind == "bot":
            return self.bot
        return STAND_IN if self.away else None

    def json(self, seat: int) -> Json:
        """Write what everybody may know."""
        return {"seat": seat, "kind": self.kind, "name": self.name, "bot": self.bot, "away": self.away}


@dataclass(frozen=True, slots=True, repr=False)
class Dealt:
    """A deal and the game that is played with it. Both know the deck, so they have no repr."""

    deal: Deal
    game: kd.Game


@dataclass(slots=True)
class State:
    """One table. Cheap to copy: what is no plain value is small.

    ``lines`` are those revealed in this game, as they were before anybody took a domino or put one away;
    ``recent`` holds events as JSON: as objects they would be most of what a table takes of memory.
    ``earlier`` are the finished games before the current one, and ``totals`` their points by seat.
    ``owners`` maps the dominoes claimed in this game to seats, also those that have been placed; ``laid``
    and ``discarded`` have an entry a seat, in the order in which it happened.
    """

    id: str
    number: int = 0
    created: int = 0
    updated: int = 0
    stage: Stage = "waiting"
    rules: kd.Rules = field(default_factory=kd.Rules)
    dynasty: Literal["total", "best"] | None = None
    seconds: int | None = None
    public: bool = False
    host: str | None = None
    code: str | None = None
    seats: tuple[Seat, ...] = ()
    game_number: int = 0
    earlier: tuple[kd.Game, ...] = ()
    totals: tuple[int, ...] = ()
    dealt: Dealt | None = None
    ply: int = 0
    turn: Json | None = None
    lines: tuple[tuple[int, ...], ...] = ()
    owners: dict[int, int] = field(default_factory=dict)
    laid: tuple[tuple[Laid, ...], ...] = ()
    discarded: tuple[tuple[int, ...], ...] = ()
    recent: deque[bytes] = field(default_factory=lambda: deque(maxlen=RECENT))
    finished: Json | None = None
    revealed: Json | None = None
    rematch: str | None = None

    def copy(self) -> State:
        """Make an independent copy."""
        twin = copy.copy(self)
        twin.recent, twin.owners = self.recent.copy(), self.owners.copy()
        if self.dealt is not None:
            twin.dealt = replace(self.dealt, game=copy.copy(self.dealt.game))
        return twin

    @property
    def games(self) -> int:
        """How many games are played at this table."""
        return GAMES if self.dynasty else 1

    @property
    def deal(self) -> Deal:
        """The deal of the current game. There is one once the first game was dealt."""
        return self._dealt.deal

    @property
    def game(self) -> kd.Game:
        """The current game, deck and all. There is one once the first game was dealt."""
        return self._dealt.game

    @property
    def position(self) -> kd.Position:
        """What everyone at the table can see of the current game."""
        return self.game.position

    def match_with(self, game: kd.Game) -> kd.Match:
        """Give the match of the games so far, with this one as the current game."""
        return kd.Match.from_games([*self.earlier, game], length=self.games, dynasty=self.dynasty or "total")

    @property
    def _dealt(self) -> Dealt:
        if self.dealt is None:
            raise AssertionError("no game has been dealt")
        return self.dealt

    def seats_of(self, user: str | None) -> list[int]:
        """List the seats of an identity."""
        return [seat for seat, entry in enumerate(self.seats) if user is not None and entry.user == user]

    def apply(self, event: Mapping[str, Any], secret: Mapping[str, Any] | None) -> None:
        """Take one event into the state: its public body, and what the server alone keeps with it."""
        self.number, self.updated = event["number"], event["at"]
        match event["kind"]:
            case "created":
                self._create(event, secret or {})
            case "seated":
                entry = _seat(event["entry"], self.number, (secret or {}).get("user"))
                self._change_seat(event["seat"], entry)
            case "dealt":
                self._begin(event, secret or {})
            case "revealed":
                self.lines = (*self.lines, tuple(event["line"]))
            case "claimed" | "placed" | "discarded":
                self._act(event)
            case "left":
                self._change_seat(event["seat"], replace(self.seats[event["seat"]], away=event["why"]))
            case "returned":
                self._change_seat(event["seat"], replace(self.seats[event["seat"]], away=None))
            case "finished":
                # Tables that were stored before events had totals are read on.
                totals_now = totals(self.match_with(self.game).scores())
                self.finished = {"totals": totals_now} | dict(event)
                self.stage = "over" if self.game_number == self.games else "between"
            case "deck_revealed":
                self.revealed = dict(event)
            case "rematch":
                self.rematch = event["table"]
            case "closed":
                self.stage = "closed"
            case _:  # `king_drawn` tells what the engine knows already
                pass
        if "turn" in event:
            self.turn = event["turn"]

    def _create(self, event: Mapping[str, Any], secret: Mapping[str, Any]) -> None:
        users: Mapping[str, str] = secret.get("users", {})
        self.created = event["at"]
        self.rules = kd.Rules.parse(event["rules"]["text"])
        self.dynasty, self.seconds, self.public = event["dynasty"], event["seconds"], event["public"]
        self.host, self.code = secret.get("host"), secret.get("code")
        self.totals = (0,) * self.rules.players
        self.laid = self.discarded = ((),) * self.rules.players
        self.seats = tuple(
            _seat(entry, self.number, users.get(str(seat))) for seat, entry in enumerate(event["seats"])
        )

    def _begin(self, event: Mapping[str, Any], secret: Mapping[str, Any]) -> None:
        if self.dealt is not None:
            self.totals = tuple(totals(self.match_with(self.game).scores()))
            self.earlier = (*self.earlier, self.game)
        deal = Deal(self.rules, tuple(secret["deck"]), tuple(secret["opening"]), secret["salt"])
        self.dealt = Dealt(deal, deal.game())
        self.game_number, self.stage, self.code = event["game"], "playing", None
        self.finished = self.revealed = None
        self.recent.clear()
        self.owners.clear()
        self.lines = ()
        self.laid = self.discarded = ((),) * self.rules.players

    def _act(self, event: Mapping[str, Any]) -> None:
        self.game.play(action_of(event))
        self.ply = event["ply"] + 1
        self.recent.append(to_json(event))
        seat, domino = event["seat"], event["domino"]
        match event["kind"]:
            case "claimed":
                self.owners[domino] = seat
            case "placed":
                self.laid = _added(self.laid, seat, (domino, *event["left"], *event["right"]))
            case "discarded":
                self.discarded = _added(self.discarded, seat, domino)

    def _change_seat(self, seat: int, entry: Seat) -> None:
        self.seats = (*self.seats[:seat], entry, *self.seats[seat + 1 :])


def action_of(event: Mapping[str, Any]) -> kd.Action:
    """Give the action that an event tells of."""
    match event["kind"]:
        case "claimed":
            return kd.Action.claim(event["domino"])
        case "placed":
            return kd.Action.place((tuple(event["left"]), tuple(event["right"])))
        case _:
            return kd.Action.discard()


def _added(lists: tuple[tuple[_T, ...], ...], seat: int, item: _T) -> tuple[tuple[_T, ...], ...]:
    return (*lists[:seat], (*lists[seat], item), *lists[seat + 1 :])


def _seat(entry: Mapping[str, Any], since: int, user: str | None) -> Seat:
    return Seat(entry["kind"], entry["name"], entry["bot"], entry["away"], user, since)
