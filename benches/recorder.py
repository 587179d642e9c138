"""Records the turns that clients sent and the events they got; checks that a table's log has each once."""

from __future__ import annotations

import asyncio
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import kingdomino as kd
from benches.tables import Client, Json, Play
from kingdomino.server.tables.core.deal import Commitment


class Sent(NamedTuple):
    """A turn as a client sent it."""

    seat: int
    actions: tuple[str, ...]


class Recorder(Play):
    """Records every event that clients got, and every sent, acknowledged and refused turn."""

    def __init__(self, seed: int, think: float) -> None:
        super().__init__(seed, think, looks=False)
        self.sent: dict[tuple[str, int], Sent] = {}
        # By table and ply: the number of the turn's last event.
        self.kept: defaultdict[str, dict[int, int]] = defaultdict(dict)
        self.events: dict[str, dict[int, Json]] = {}
        self.open: set[tuple[str, int]] = set()
        self.stored_unanswered = 0
        self._change = asyncio.Event()

    @property
    def acknowledgements(self) -> int:
        """How many turns the server has confirmed."""
        return sum(map(len, self.kept.values()))

    def last(self, table: str) -> int:
        """Return the number of the last event that the server sent or confirmed to a client."""
        return max((*self.events.get(table, ()), *self.kept[table].values()), default=0)

    async def next_change(self) -> None:
        """Wait for an event or an acknowledgement."""
        self._change.clear()
        await self._change.wait()

    def posted(self, table: str, ply: int, seat: int, actions: Sequence[str]) -> None:
        """Record a turn."""
        self.sent[table, ply] = Sent(seat, tuple(actions))
        self.open.add((table, ply))

    def acknowledged(self, table: str, ply: int, number: int) -> None:
        """Record that the server has confirmed a turn."""
        self.open.discard((table, ply))
        self.kept[table][ply] = number
        self._change.set()

    def refused(self, table: str, ply: int, refusal: str, *, again: bool) -> None:
        """Accept the refusal of a repeated turn that is already done; `check` compares it with the log."""
        self.open.discard((table, ply))
        if again and refusal.startswith("409 ") and "stale_ply" in refusal:
            self.stored_unanswered += 1
        else:
            super().refused(table, ply, refusal, again=again)

    def received(self, client: Client, event: Json, at: float) -> None:
        """Record an event. All clients must get the same."""
        del at
        events = self.events.setdefault(client.table.id, {})
        if events.setdefault(event["number"], event) != event:
            self.fault(f"{client.table.id}: event {event['number']} differs between clients")
        self._change.set()

    def check(self, table: str, log: Sequence[Json], upto: float = math.inf) -> None:
        """Compare a table's log with all records, up to this event if play went on during the reading."""
        problem = next(self._problems(table, log, upto), None)
        if problem is not None:
            self.fault(f"{table}: {problem}")

    def _problems(self, table: str, log: Sequence[Json], upto: float) -> Iterator[str]:
        if [event["number"] for event in log] != list(range(1, len(log) + 1)):
            yield "its events are not numbered 1, 2, 3…"
        played = {event["ply"]: event for event in log if "ply" in event}
        if [event["ply"] for event in log if "ply" in event] != list(range(len(played))):
            yield "its plies are not 0, 1, 2…, each once"
        for number, event in self.events.get(table, {}).items():
            if number > len(log):
                if number <= upto:
                    yield f"event {number} was sent and is lost"
            elif log[number - 1] != event:
                yield f"event {number} is not what was sent"
        for ply, number in self.kept[table].items():
            if number <= upto and (ply not in played or number > len(log)):
                yield f"ply {ply} was acknowledged and is lost"
        for ply, event in played.items():
            if event["by"] == "person" and not self._was_sent(table, ply, event):
                yield f"ply {ply} is not what the player sent"

    def _was_sent(self, table: str, ply: int, event: Json) -> bool:
        """Return whether a sent turn has this action: its only one, or the claim after a placement."""
        for first in (ply, ply - 1):
            sent = self.sent.get((table, first))
            if sent is not None and ply - first < len(sent.actions):
                return sent.seat == event["seat"] and sent.actions[ply - first] == str(_action(event))
        return False


def is_game(table: str, log: Sequence[Json]) -> bool:
    """Replay a finished game, and return whether its deck matches the commitment and its scores the log."""
    of_kind = {event["kind"]: event for event in log}
    deal, finished = of_kind["deck_revealed"], of_kind["finished"]
    rules = of_kind["created"]["rules"]["text"]
    proof = deal["proof"]
    committed = Commitment(table, 1, kd.Rules.parse(rules), tuple(proof["seats"]), proof["secret"])
    drawn = committed.deal(proof["digests"], proof["nonces"])
    if committed.digest != of_kind["committed"]["commitment"] or drawn.deck != tuple(deal["deck"]):
        return False
    game = kd.Game(kd.Rules.parse(rules), deck=deal["deck"], opening=deal["opening"])
    try:
        for event in log:
            if "ply" in event:
                game.play(_action(event))
    except kd.KingdominoError:
        return False
    totals = [score.total for score in game.position.scores()]
    return game.is_over and totals == [score["total"] for score in finished["scores"]]


def _action(event: Json) -> kd.Action:
    match event["kind"]:
        case "claimed":
            return kd.Action.claim(event["domino"])
        case "placed":
            return kd.Action.place(kd.Placement(tuple(event["left"]), tuple(event["right"])))
        case _:
            return kd.Action.discard()
