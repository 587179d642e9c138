"""Commands at a table, and the events that each produces.

Until a game ends, only the secret of its `Dealt` event contains the order of the deck.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, Literal

import kingdomino as kd
from kingdomino import _core
from kingdomino.server.storage import Entry
from kingdomino.server.tables.core import events
from kingdomino.server.tables.core.deal import Commitment, Deal, digest_of, new_secret
from kingdomino.server.tables.core.refusals import Refusal, illegal, not_playing
from kingdomino.server.tables.core.state import Seat, State

_MOST: Final = 5000
"""Most events of a table; three games of four people have about 500."""


class Transaction:
    """The events of one command, and the state after them.

    It works on a copy of the state. Once the entries are stored, the copy becomes the table's state, and the events go
    to the subscribers.
    """

    def __init__(self, state: State, at: int, left: int | None = None) -> None:
        """Begin a transaction at a time. ``left`` are the milliseconds left of the current turn, if it has a clock."""
        self.state = state.copy()
        self.at = at
        self.left = left
        self.entries: list[Entry] = []
        self.actors: list[events.By] = []
        """Who chose each action."""

    def check_room(self) -> None:
        """Refuse once the log is too long: for commands that players could repeat endlessly."""
        if self.state.number >= _MOST:
            raise Refusal("too_often", "too much has happened at this table; you can only play on")

    def create(self, first: events.Created, secret: events.CreatedSecret) -> None:
        """Set up the table and commit to its first game. If no seat is free, it begins at once."""
        self.add(first, secret)
        self._commit()
        self._draw_if_full()

    def show(self, first: events.Created) -> None:
        """Set up the table of an imported game."""
        self.add(first, events.CreatedSecret(host="", users={}, code=None))

    def show_deal(self, game: int, deal: Deal) -> None:
        """Begin an imported game with its deal."""
        secret = events.DealtSecret(deck=deal.deck, opening=deal.opening)
        dealt = events.Dealt(number=self._number, at=self.at, game=game, commitment=deal.commitment)
        self.begin(dealt, secret)

    def seat(self, seat: int, entry: Seat) -> None:
        """Seat a player, or free a seat. The first game begins when no seat is free."""
        waiting = self.state.stage == "waiting"
        seated = events.Seated(number=self._number, at=self.at, seat=seat, entry=entry.entry(seat))
        self.add(seated, events.SeatedSecret(user=entry.user, digest=entry.digest))
        if waiting:
            self._draw_if_full()

    def draw(self) -> None:
        """Begin the next game. If a player's browser has promised a nonce, collect the nonces first."""
        digests = tuple(None if seat.away else seat.digest for seat in self.state.seats)
        if not any(digests):
            self.deal()
            return
        game = self.state.game_number + 1
        self.add(events.Drawing(number=self._number, at=self.at, game=game, digests=digests))

    def give_nonce(self, seats: Sequence[int], game: int, nonce: str) -> None:
        """Add the nonce of a browser with these seats, and deal the game after the last nonce. Raises `Refusal`."""
        state = self.state
        if state.stage != "drawing" or game != state.game_number + 1:
            raise Refusal("not_drawing", f"game {game} accepts no nonces now")
        digest = digest_of(nonce, game)
        promised = [seat for seat in seats if state.digests[seat] == digest]
        if not promised:
            raise Refusal(
                "bad_nonce", f"SHA-256, applied {game} times, does not give the digest of your seat"
            )
        seat = promised[0]
        if state.nonces[seat] is not None:
            raise Refusal("not_drawing", f"seat {seat} has already revealed its nonce")
        self.add(events.NonceGiven(number=self._number, at=self.at, seat=seat, nonce=nonce))
        pairs = zip(self.state.digests, self.state.nonces, strict=True)
        if all((digest is None) == (nonce is None) for digest, nonce in pairs):
            self.deal()

    def deal(self) -> None:
        """Begin the next game with the nonces received so far."""
        state = self.state
        assert state.commitment is not None
        self.begin(
            events.Dealt(
                number=self._number,
                at=self.at,
                game=state.commitment.game,
                commitment=state.commitment.digest,
                nonces=state.nonces,
            )
        )

    def _commit(self) -> None:
        """Commit to a secret for the next game."""
        state, secret = self.state, new_secret()
        game, number = state.game_number + 1, self._number
        seats = tuple(f"bot {seat.bot}" if seat.kind == "bot" else seat.kind for seat in state.seats)
        digest = Commitment(state.id, game, state.rules, seats, secret, state.start_position).digest
        event = events.Committed(number=number, at=self.at, game=game, commitment=digest, seats=seats)
        self.add(event, events.CommittedSecret(secret=secret))

    def begin(self, dealt: events.Dealt, secret: events.Secret | None = None) -> None:
        """Begin a game: add its deal, and unless it begins from a position, its first line and its first king."""
        start = self.state.start_position
        if start is None:
            self.add(dealt, secret)
            self._add_step(_core.table_deal(self.state.game, self.state.ply))
        else:
            game = kd.Game.from_position(start, seed=0)  # its deck does not matter to the first turn
            turn = json.loads(_core.table_deal(game, self.state.ply))["turn"]
            self.add(dealt.model_copy(update={"turn": self._turn(turn)}), secret)

    def act(self, ply: int, actions: Sequence[kd.Action], by: events.By) -> None:
        """Play the actions of one turn. Raises `Refusal` if one is late or illegal.

        A claim ends the turn even if the same seat moves next, because nobody knows the next king before the claim.
        """
        # Even at the end: a client that repeats its last turn must learn that it was played.
        late = ply < self.state.ply
        if self.state.stage != "playing" and not late:
            raise not_playing()
        if ply != self.state.ply:
            raise Refusal("stale_ply", f"ply {ply} is not next: {self.state.ply} is")
        is_over = False
        for action in actions:
            try:
                if is_over:
                    raise kd.IllegalActionError(f"{action}: this turn is over")
                self.play(action, by)
                is_over = self.state.position.phase != "claim" or action.kind == "claim"
            except kd.KingdominoError as error:
                raise illegal(error) from None
        if self.state.stage == "between":
            self._commit()

    def leave(self, seat: int, why: events.Away) -> None:
        """Let a bot play for a player. The turn's clock keeps running, so that leaving and returning gains no time."""
        self.add(events.Left(number=self._number, at=self.at, seat=seat, why=why))

    def return_to(self, seat: int) -> None:
        """Give a seat back to its player."""
        self.add(events.Returned(number=self._number, at=self.at, seat=seat))

    def hint(self, ply: int) -> None:
        """Record that the player to move took a hint, once for each ply."""
        if self.state.turn is None or ply != self.state.ply:
            raise Refusal("stale_ply", f"ply {ply} is not next: {self.state.ply} is")
        if ply not in self.state.hints:
            seat = self.state.turn.seat
            self.add(events.Hinted(number=self._number, at=self.at, ply=ply, seat=seat))

    def wish(self, seat: int, what: Literal["end", "rematch"], yes: bool, digest: str | None = None) -> None:
        """Record a player's wish, if it is new. ``digest`` promises the nonces for the next table."""
        event = events.Wished(number=self._number, at=self.at, seat=seat, what=what, yes=yes)
        if self.state.wishes.after(event, digest) != self.state.wishes:
            self.add(event, events.WishedSecret(digest=digest) if digest is not None else None)

    def set_rematch(self, table: str) -> None:
        """Record the table of the rematch, once."""
        if self.state.rematch is None:
            self.add(events.Rematch(number=self._number, at=self.at, table=table))

    def close(self, why: Literal["host", "ended", "unused"]) -> None:
        """Close the table."""
        self.add(events.Closed(number=self._number, at=self.at, why=why, turn=None))

    @property
    def _number(self) -> int:
        return self.state.number + 1

    def _draw_if_full(self) -> None:
        if not any(seat.is_free for seat in self.state.seats):
            self.draw()

    def play(self, action: kd.Action, by: events.By) -> None:
        """Play one action and add its events. Raises `kd.KingdominoError` if it is illegal."""
        step = _core.table_play(self.state.game, action, self.state.ply)
        self.actors.append(by)
        self._add_step(step, by)

    def _add_step(self, step: str, by: events.By | None = None) -> None:
        """Add the events of the engine's step, which are complete but for what only the table knows."""
        happened, turn = json.loads(step).values()
        for event in happened:
            if "ply" in event:
                event["by"] = by
            if event["kind"] == "finished":
                event |= self._totals()
            if event["kind"] == "deck_revealed":
                deal, game = self.state.deal, self.state.game_number
                event |= {"game": game, "commitment": deal.commitment, "proof": deal.proof}
        happened[-1]["turn"] = self._turn(turn)
        for event in happened:
            self.add(events.event_of(event | {"number": self._number, "at": self.at}))

    def _totals(self) -> dict[str, Any]:
        match = self.state.match
        won = match.outcome() if self.state.dynasty else None
        return {
            "game": self.state.game_number,
            "totals": events.points(match.scores()),
            "match": events.MatchResult.of(won) if won else None,
        }

    def _turn(self, turn: dict[str, Any] | None) -> events.Turn | None:
        """Add the time for a decision."""
        if turn is None:
            return None
        seat, before, seconds = turn["seat"], self.state.turn, self.state.seconds
        left = 1000 * seconds if seconds and self.state.seats[seat].kind == "person" else None
        if (
            before is not None
            and before.seat == seat
            and before.phase == "place"
            and turn["phase"] == "claim"
        ):
            left = self.left  # a placement and its claim have one clock
        return events.Turn(**turn, left=left)

    def add(self, event: events.TableEvent, secret: events.Secret | None = None) -> None:
        """Add an event to the log and to the state. An action must already have been played."""
        ply = event.ply if isinstance(event, events.Action) else None
        hidden = None if secret is None else secret.model_dump_json()
        body = event.model_dump_json()
        self.state.note(event, body, secret)
        people = secret.people if secret is not None else ()
        self.entries.append(Entry(event.number, ply, self.at, event.kind, body, hidden, people))


def created(
    rules: kd.Rules,
    dynasty: events.Dynasty | None,
    seconds: int | None,
    public: bool,
    seats: Sequence[Seat],
    host: str,
    at: int,
    start: kd.Position | None = None,
) -> events.Created:
    """Return the first event of a table."""
    return events.Created(
        number=1,
        at=at,
        rules=events.Rules.of(rules),
        dynasty=dynasty,
        games=events.GAMES if dynasty else 1,
        seconds=seconds,
        public=public,
        host=next((seat for seat, entry in enumerate(seats) if entry.user == host), None),
        seats=tuple(entry.entry(seat) for seat, entry in enumerate(seats)),
        start=events.Start.of(start) if start else None,
    )


def check_seated(state: State, user: str) -> None:
    """Refuse a user without a seat at this table."""
    if not state.seats_of(user):
        raise Refusal("not_yours", "you have no seat at this table")


def check_alone(state: State, user: str) -> None:
    """Refuse a hint unless it is the user's turn, and all the other players are bots.

    Someone with two seats may be two people at one device.
    """
    check_seated(state, user)
    own = state.seats_of(user)
    if len(own) > 1 or any(entry.kind != "bot" for seat, entry in enumerate(state.seats) if seat not in own):
        raise Refusal("not_alone", "there are hints only where all the other players are bots")
    if state.stage != "playing" or state.turn is None:
        raise not_playing()
    if state.turn.seat not in own:
        raise Refusal("not_yours", "it is not your turn")
