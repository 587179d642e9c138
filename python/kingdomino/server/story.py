"""What happens at a table when something is done there: the events that follow, in their order.

A `Story` works on a copy of the state. Its entries are stored first; then the copy takes the state's place
and they are told. The order of the deck is in the secret of `dealt` and in no other entry before the end.
Imports `state`, `deal`, `scores`, `refusals`, `storage` (for `Entry`) and the library's face.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Literal

from pydantic_core import to_json

import kingdomino as kd
from kingdomino.server.deal import Deal
from kingdomino.server.refusals import Refusal, illegal
from kingdomino.server.scores import Json, outcome_json, rules_json, score_json, totals
from kingdomino.server.state import GAMES, Seat, State
from kingdomino.server.storage import Entry

By = Literal["person", "bot", "stand-in"]


class Story:
    """The events that one command leads to, and the state after them."""

    def __init__(self, state: State, at: int) -> None:
        self.state = state.copy()
        self.at = at
        self.entries: list[Entry] = []

    def create(self, public: Json, secret: Json) -> None:
        """Set up the table; deal at once when nobody is waited for."""
        self._tell("created", public, secret)
        self._deal_if_full()

    def seat(self, seat: int, entry: Seat) -> None:
        """Put somebody (or nobody) into a seat, and deal when that was the last free one."""
        waiting = self.state.stage == "waiting"
        self._tell("seated", {"seat": seat, "entry": entry.json(seat)}, {"user": entry.user})
        if waiting:
            self._deal_if_full()

    def deal(self) -> None:
        """Begin the next game."""
        deal = Deal.draw(self.state.rules)
        secret = {"deck": deal.deck, "opening": deal.opening, "salt": deal.salt}
        self._tell("dealt", {"game": self.state.game_number + 1, "commitment": deal.commitment}, secret)
        position = self.state.position
        self._tell("revealed", _line(position))
        self._tell("king_drawn", {"seat": position.to_move, "turn": self._turn(position, self.state.ply)})

    def act(self, ply: int, actions: Sequence[str], by: By) -> None:
        """Play the actions of one turn. Raises `Refusal` when one is late or against the rules.

        A claim ends the turn, also where the same seat goes on: whose king is drawn next is told to nobody
        before the claim is made.
        """
        late = ply < self.state.ply  # whoever sends a game's last turn again must hear that it is done
        if self.state.stage != "playing" and not late:
            raise Refusal("not_playing", "no game is going on at this table")
        if ply != self.state.ply:
            raise Refusal(
                "stale_ply", f"ply {ply} is not what is to be decided now: that is {self.state.ply}"
            )
        is_over = False
        for text in actions:
            try:
                action = kd.Action.parse(text)
                if is_over:
                    raise kd.IllegalActionError(f"{text}: this turn is over")
                self._play(action, by)
                is_over = self.state.position.phase != "claim" or action.kind == "claim"
            except kd.KingdominoError as error:
                raise illegal(error) from None

    def leave(self, seat: int, why: Literal["left", "time"]) -> None:
        """Let a bot play on for somebody."""
        self._tell("left", {"seat": seat, "why": why, "turn": self._same_turn(away=seat)})

    def come_back(self, seat: int) -> None:
        """Give a seat back to its player."""
        self._tell("returned", {"seat": seat, "turn": self._same_turn(back=seat)})

    def lay_next(self, table: str) -> None:
        """Say where the same players go on."""
        self._tell("rematch", {"table": table})

    def close(self) -> None:
        """Take a waiting table away."""
        self._tell("closed", {"turn": None})

    def _deal_if_full(self) -> None:
        if not any(seat.is_free for seat in self.state.seats):
            self.deal()

    def _play(self, action: kd.Action, by: By) -> None:
        state = self.state
        before, ply = state.position, state.ply
        game = copy(state.game)  # the state plays when it is told
        game.play(action)
        now = game.position
        told = [_told(action, before, now, ply, by)]
        if now.offered and now.unseen != before.unseen:
            told.append(("revealed", _line(now)))
        if not now.round:
            told.append(("king_drawn", {"seat": now.to_move}))
        if game.is_over:
            told += self._end(game)
        told[-1][1]["turn"] = self._turn(now, ply + 1)
        for kind, fields in told:
            self._tell(kind, fields)

    def _end(self, game: kd.Game) -> list[tuple[str, Json]]:
        state, deal, outcome = self.state, self.state.deal, game.outcome()
        assert outcome is not None
        match = state.match_with(game)
        won = match.outcome() if state.dynasty else None
        pairs = zip(game.position.kingdoms, outcome.scores, strict=True)
        finished = {
            "game": state.game_number,
            "scores": [score_json(kingdom, score, final=True) for kingdom, score in pairs],
            **outcome_json(outcome),
            "totals": totals(match.scores()),
            "match": {"scores": totals(won.scores), **outcome_json(won)} if won else None,
        }
        revealed = {
            "game": state.game_number,
            "deck": list(deal.deck),
            "opening": list(deal.opening),
            "salt": deal.salt,
            "commitment": deal.commitment,
        }
        return [("finished", finished), ("deck_revealed", revealed)]

    def _turn(self, position: kd.Position, ply: int) -> Json | None:
        seat, domino = position.to_move, position.domino
        if seat is None:
            return None
        deadline = self._deadline(self.state.seats[seat])
        turn = self.state.turn
        if turn is not None and turn["seat"] == seat and turn["phase"] == "place" and domino is None:
            deadline = turn["deadline"]  # the claim belongs to the placement before it, and so does its time
        return {
            "ply": ply,
            "seat": seat,
            "phase": position.phase,
            "domino": domino.number if domino else None,
            "fits": domino is None or bool(position.kingdoms[seat].placements(domino)),
            "round": position.round,
            "deadline": deadline,
        }

    def _same_turn(self, away: int | None = None, back: int | None = None) -> Json | None:
        """Give the turn as it was, but with the time of somebody who goes or comes back."""
        turn = self.state.turn
        if turn is None:
            return None
        if turn["seat"] == away:
            return turn | {"deadline": None}
        if turn["seat"] == back:
            seconds = self.state.seconds
            return turn | {"deadline": self.at + 1000 * seconds if seconds else None}
        return turn

    def _deadline(self, seat: Seat) -> int | None:
        seconds = self.state.seconds
        return self.at + 1000 * seconds if seconds and seat.bot_spec is None else None

    def _tell(self, kind: str, fields: Json, secret: Json | None = None) -> None:
        event = {"number": self.state.number + 1, "at": self.at, "kind": kind, **fields}
        body = to_json(event).decode()
        hidden = None if secret is None else to_json(secret).decode()
        ply = event["ply"] if kind in ("claimed", "placed", "discarded") else None
        self.state.apply(event, secret)
        self.entries.append(Entry(event["number"], ply, self.at, kind, body, hidden))


def _told(action: kd.Action, before: kd.Position, now: kd.Position, ply: int, by: By) -> tuple[str, Json]:
    """Tell of one action that was played: its kind and its fields."""
    seat, domino = before.to_move, action.domino or before.domino
    if seat is None or domino is None:
        raise AssertionError("an action is somebody's, and about a domino")
    common = {"ply": ply, "seat": seat, "domino": domino.number}
    if action.kind == "claim":
        return "claimed", common | {"by": by}
    kingdom = now.kingdoms[seat]
    score = score_json(kingdom, kingdom.score(now.rules), final=False)
    if action.placement is None:
        return "discarded", common | {"score": score, "by": by}
    fields = {
        "left": list(action.placement.left),
        "right": list(action.placement.right),
        "points": kingdom.score().total - before.kingdoms[seat].score().total,
        "score": score,
        "by": by,
    }
    return "placed", common | fields


def _line(position: kd.Position) -> Json:
    return {
        "round": position.round,
        "line": [domino.number for domino in position.offered],
        "unseen": sorted(domino.number for domino in position.unseen),
        "in_deck": position.dominoes_to_come,
    }


def created(
    rules: kd.Rules, dynasty: str | None, seconds: int | None, public: bool, seats: Sequence[Seat]
) -> Json:
    """Write the body of `created`."""
    return {
        "rules": rules_json(rules),
        "dynasty": dynasty,
        "games": GAMES if dynasty else 1,
        "seconds": seconds,
        "public": public,
        "seats": [entry.json(seat) for seat, entry in enumerate(seats)],
    }
