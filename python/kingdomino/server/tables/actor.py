"""One live table: an actor that runs commands one after the other.

A command is a function that works on a `Transaction`. Its events are stored, then applied to the state, then sent to
every subscriber. A failure does not affect other tables.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Callable, Sequence
from typing import Annotated, Literal, NamedTuple, TypeAlias

from pydantic import Field

import kingdomino as kd
from kingdomino.server.storage import Conflict, Entry, StorageError, Store, TableRow
from kingdomino.server.tables import events, secrets
from kingdomino.server.tables.bot_runner import BotRunner
from kingdomino.server.tables.commands import Transaction
from kingdomino.server.tables.refusals import Refusal
from kingdomino.server.tables.snapshot import Table, snapshot, summary
from kingdomino.server.tables.state import State

_log = logging.getLogger(__name__)
_LONGEST_QUEUE = 256
"""A client that is more messages behind is disconnected. It reconnects with the last number it has."""
_RETRY = 2.0
"""Seconds until a bot's turn or a deadline is tried again after the store has failed."""

Command = Callable[[Transaction], None]


class Services(NamedTuple):
    """What every table needs of the server."""

    store: Store
    bots: BotRunner
    key: bytes
    pause: float


class Invite(events.Model):
    """The secret of an invited seat."""

    seat: int
    secret: str


class You(events.Model):
    """A client's role at a table. ``invites`` and ``code`` are for the host of a waiting table."""

    name: str | None
    seats: tuple[int, ...]
    host: bool
    invites: tuple[Invite, ...]
    code: str | None


class SnapshotMessage(events.Model):
    """The socket's first message if ``after`` was left out or is too long ago."""

    type: Literal["snapshot"] = "snapshot"
    table: Table
    you: You


class EventsMessage(events.Model):
    """Events in their order; the first message also has the client's role."""

    type: Literal["events"] = "events"
    events: tuple[events.TableEvent, ...]
    you: You | None = None


class YouMessage(events.Model):
    """The client's role has changed."""

    type: Literal["you"] = "you"
    you: You


class PresenceMessage(events.Model):
    """A client came or went: which seats are connected, and the number of spectators."""

    type: Literal["presence"] = "presence"
    here: tuple[bool, ...]
    watching: int


SocketMessage: TypeAlias = Annotated[
    SnapshotMessage | EventsMessage | YouMessage | PresenceMessage, Field(discriminator="type")
]


class Subscriber:
    """One client that follows a table: ``queue`` holds the messages to send, within ``connection``."""

    def __init__(self, user: str | None, name: str | None) -> None:
        self.user, self.name = user, name
        self.queue: asyncio.Queue[str] = asyncio.Queue(_LONGEST_QUEUE)
        self.connection = asyncio.timeout(None)
        self.you: You | None = None
        self._has_ended = False

    def send(self, message: str) -> None:
        """Queue a message. A client that is too far behind is disconnected."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.end()

    def end(self) -> None:
        """End the connection, even while a message is being sent that the client does not read."""
        if not self._has_ended:
            self._has_ended = True
            self.connection.reschedule(asyncio.get_running_loop().time())


class TableActor:
    """A table in memory: its state, the queue of commands, and its subscribers."""

    def __init__(self, state: State, services: Services) -> None:
        self.state = state
        self.used = time.monotonic()
        self.creating_rematch = asyncio.Lock()  # so that two requests at once get the same rematch
        self._services = services
        self._queue: asyncio.Queue[tuple[Command, asyncio.Future[State]]] = asyncio.Queue()
        self._subscribers: set[Subscriber] = set()
        self._bot: asyncio.Task[None] | None = None
        self._clock: asyncio.TimerHandle | None = None
        self._task = asyncio.create_task(self._run(), name=f"table {state.id}")
        self._schedule()

    async def ask(self, command: Command) -> State:
        """Run a command and give the state after it. Raises `Refusal`."""
        if self._task.done():
            raise Refusal("storage", "the server is shutting down")
        self.used = time.monotonic()
        answer: asyncio.Future[State] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((command, answer))
        return await answer

    def stop(self) -> None:
        """End the task and every connection; the table stays in the store."""
        self._task.cancel()
        while not self._queue.empty():
            _refuse(self._queue.get_nowait()[1], Refusal("storage", "the server is shutting down"))
        self._cancel_next()
        for subscriber in self._subscribers:
            subscriber.end()

    @property
    def is_quiet(self) -> bool:
        """Whether it has no subscribers and nothing will happen by itself."""
        return not self._subscribers and self._bot is None and self._clock is None and self._queue.empty()

    def subscribe(self, subscriber: Subscriber) -> State:
        """Add a client and give the state that its first message must show: events after it are queued."""
        self.used = time.monotonic()
        subscriber.you = self.you(subscriber.user, subscriber.name)
        self._subscribers.add(subscriber)
        self._send_presence()
        return self.state

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Forget a client that has gone."""
        self.used = time.monotonic()
        self._subscribers.remove(subscriber)
        self._send_presence()

    def you(self, user: str | None, name: str | None) -> You:
        """Give the role of an identity at this table."""
        state = self.state
        host = user is not None and user == state.host
        shown = host and state.stage == "waiting"
        invites = tuple(
            Invite(seat=seat, secret=self.secret(seat))
            for seat, entry in enumerate(state.seats)
            if entry.kind == "invited" and shown
        )
        seats = tuple(state.seats_of(user))
        return You(name=name, seats=seats, host=host, invites=invites, code=state.code if shown else None)

    def secret(self, seat: int) -> str:
        """Give the secret of a seat."""
        return secrets.seat_secret(self._services.key, self.state.id, seat, self.state.seats[seat].since)

    def seat_of_secret(self, secret: str) -> int | None:
        """Find the seat that a secret belongs to."""
        found = None
        for seat, entry in enumerate(self.state.seats):
            if entry.kind in ("invited", "person") and secrets.is_seat_secret(
                self._services.key, self.state.id, seat, entry.since, secret
            ):
                found = seat
        return found

    async def _run(self) -> None:
        while True:
            command, answer = await self._queue.get()
            try:
                await self._do(command)
            except asyncio.CancelledError:
                answer.cancel()
                raise
            except Refusal as refusal:
                if refusal.code == "stale_ply":
                    refusal = Refusal(refusal.code, refusal.reason, table=snapshot(self.state))
                _refuse(answer, refusal)
            except StorageError:
                _log.exception("an event could not be stored", extra={"table": self.state.id})
                asyncio.get_running_loop().call_later(_RETRY, self._schedule)  # a bot tries again
                _refuse(answer, Refusal("storage", "the database failed, so nothing was done"))
            except Exception as error:
                _log.exception("a command failed", extra={"table": self.state.id})
                _refuse(answer, error)
            else:
                if not answer.done():
                    answer.set_result(self.state)

    async def _do(self, command: Command) -> None:
        transaction = Transaction(self.state, now())
        command(transaction)
        if not transaction.entries:
            return
        try:
            reseats = any(entry.kind == "seated" for entry in transaction.entries)
            await self._services.store.append(transaction.entries, row(transaction.state), reseats)
        except Conflict:
            await self._catch_up()
            raise Refusal("stale_ply", "the table has changed in the meantime") from None
        self._publish(transaction.state, transaction.entries)

    async def _catch_up(self) -> None:
        """Read what another process has written to this table."""
        entries = await self._services.store.entries(self.state.id, self.state.number, secrets=True)
        state = self.state.copy()
        replay(state, entries)
        self._publish(state, entries)

    def _publish(self, state: State, entries: Sequence[Entry]) -> None:
        self.state = state
        self._schedule()
        self._broadcast(events_message(entries))
        if any(entry.kind in ("seated", "dealt", "closed") for entry in entries):
            self._send_you()
            self._send_presence()

    def _schedule(self) -> None:
        """Schedule what comes next without a command: a bot's turn, or the end of a player's time."""
        self._cancel_next()
        turn = self.state.turn
        if self.state.stage != "playing" or turn is None:
            return
        spec = self.state.seats[turn.seat].bot_spec
        if spec is not None:
            self._bot = asyncio.create_task(self._play_bot(turn.ply, turn.seat, spec))
        elif turn.deadline is not None:
            left = max(0.0, turn.deadline / 1000 - time.time())
            self._clock = asyncio.get_running_loop().call_later(left, self._time_out, turn.ply, turn.seat)

    def _cancel_next(self) -> None:
        if self._bot is not None:
            self._bot.cancel()
        if self._clock is not None:
            self._clock.cancel()
        self._bot = self._clock = None

    async def _play_bot(self, ply: int, seat: int, spec: str) -> None:
        await asyncio.sleep(self._services.pause)
        position, kind = self.state.position, self.state.seats[seat].kind
        actions, failed = await self._services.bots.turn(spec, _seed(self.state.id, seat), position)

        def play(transaction: Transaction) -> None:
            if transaction.state.seats[seat].bot_spec == spec:  # unless the player has returned
                transaction.act(ply, actions, "bot" if kind == "bot" and not failed else "stand-in")

        self._post(play)

    def _time_out(self, ply: int, seat: int) -> None:
        self._clock = None

        def leave(transaction: Transaction) -> None:
            turn = transaction.state.turn
            if turn is not None and turn.ply == ply and transaction.state.seats[seat].away is None:
                transaction.leave(seat, "time")

        self._post(leave)

    def _post(self, command: Command) -> None:
        """Queue an internal command; its refusal is ignored."""
        answer: asyncio.Future[State] = asyncio.get_running_loop().create_future()
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._queue.put_nowait((command, answer))

    def _broadcast(self, message: str) -> None:
        for subscriber in self._subscribers:
            subscriber.send(message)

    def _send_you(self) -> None:
        for subscriber in self._subscribers:
            you = self.you(subscriber.user, subscriber.name)
            if you != subscriber.you:
                subscriber.you = you
                subscriber.send(YouMessage(you=you).model_dump_json())

    def _send_presence(self) -> None:
        users = {subscriber.user for subscriber in self._subscribers}
        here = tuple(entry.kind == "person" and entry.user in users for entry in self.state.seats)
        watching = sum(not self.state.seats_of(subscriber.user) for subscriber in self._subscribers)
        self._broadcast(PresenceMessage(here=here, watching=watching).model_dump_json())


def now() -> int:
    """Give the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def replay(state: State, entries: Sequence[Entry]) -> None:
    """Apply stored entries to a state."""
    for entry in entries:
        secret = events.read_secret(entry.kind, entry.secret)
        state.apply(events.read(entry.body), entry.body, secret)


def events_message(entries: Sequence[Entry], you: You | None = None) -> str:
    """Write an `EventsMessage` from stored events, without parsing them."""
    bodies = ",".join(entry.body for entry in entries)
    tail = f',"you":{you.model_dump_json()}' if you is not None else ""
    return f'{{"type":"events","events":[{bodies}]{tail}}}'


def row(state: State) -> TableRow:
    """Give the row that the store keeps beside the log."""
    users = tuple((seat, entry.user) for seat, entry in enumerate(state.seats) if entry.user is not None)
    code = state.code if state.stage == "waiting" else None
    text = summary(state).model_dump_json()
    return TableRow(state.id, state.stage, state.public, state.updated, text, code, users)


def _seed(table: str, seat: int) -> int:
    """Derive a seed for the bot at a seat. It does not depend on the deck."""
    digest = hashlib.sha256(table.encode()).digest()
    return kd.derive_seed(int.from_bytes(digest[:8], "big"), "bot", seat)


def _refuse(answer: asyncio.Future[State], error: Exception) -> None:
    if not answer.done():
        answer.set_exception(error)
