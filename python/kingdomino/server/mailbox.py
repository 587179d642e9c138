"""One live table: a mailbox whose commands are done one after the other.

A command is a function that tells a `Story`. What it told is stored, then becomes the state, then is sent
to everybody who watches. A failure here stays at this table. Imports `story`, `state`, `view`, `links`,
`thinking`, `storage`, `refusals`.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pydantic_core import to_json

import kingdomino as kd
from kingdomino.server import links, view
from kingdomino.server.refusals import Refusal
from kingdomino.server.scores import Json
from kingdomino.server.state import State
from kingdomino.server.storage import Conflict, Entry, Shelf, StorageError, Store
from kingdomino.server.story import Story
from kingdomino.server.thinking import Thinkers

_log = logging.getLogger(__name__)
_LONGEST_QUEUE = 256
"""Messages that a client may be behind before it is disconnected; it comes back with what it has."""
_RETRY = 2.0
"""Seconds until what happens by itself is tried again after the store has failed."""

Command = Callable[[Story], None]


class Services(NamedTuple):
    """What every table needs of the house."""

    store: Store
    thinkers: Thinkers
    key: bytes
    pause: float


class Watcher:
    """One client that follows a table: ``queue`` holds messages to send, within the ``connection``."""

    def __init__(self, user: str | None, name: str | None) -> None:
        self.user, self.name = user, name
        self.queue: asyncio.Queue[str] = asyncio.Queue(_LONGEST_QUEUE)
        self.connection = asyncio.timeout(None)
        self.you: Json = {}
        self._has_ended = False

    def send(self, message: str) -> None:
        """Queue a message. A client that is too far behind is disconnected, and comes back."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.end()

    def end(self) -> None:
        """End the connection, also while something is being sent that the client does not take."""
        if not self._has_ended:
            self._has_ended = True
            self.connection.reschedule(asyncio.get_running_loop().time())


class Mailbox:
    """A table that is in memory: its state, the queue of commands, and who watches."""

    def __init__(self, state: State, services: Services) -> None:
        self.state = state
        self.used = time.monotonic()
        self.laying_again = asyncio.Lock()  # so that two who wish for a rematch at once get the same one
        self._services = services
        self._queue: asyncio.Queue[tuple[Command, asyncio.Future[State]]] = asyncio.Queue()
        self._watchers: set[Watcher] = set()
        self._bot: asyncio.Task[None] | None = None
        self._clock: asyncio.TimerHandle | None = None
        self._task = asyncio.create_task(self._run(), name=f"table {state.id}")
        self._arrange()

    async def ask(self, command: Command) -> State:
        """Do a command when its turn comes and give the state after it. Raises `Refusal`."""
        if self._task.done():
            raise Refusal("storage", "this house is closing")
        self.used = time.monotonic()
        answer: asyncio.Future[State] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((command, answer))
        return await answer

    def stop(self) -> None:
        """End the task and every connection; the table stays in the store."""
        self._task.cancel()
        while not self._queue.empty():
            _refuse(self._queue.get_nowait()[1], Refusal("storage", "this house is closing"))
        self._cancel_next()
        for watcher in self._watchers:
            watcher.end()

    @property
    def is_quiet(self) -> bool:
        """Whether nobody watches and nothing will happen by itself."""
        return not self._watchers and self._bot is None and self._clock is None and self._queue.empty()

    # Watching

    def watch(self, watcher: Watcher) -> State:
        """Add a client and give the state that its first message must show: events after it are queued."""
        self.used = time.monotonic()
        watcher.you = self.you(watcher.user, watcher.name)
        self._watchers.add(watcher)
        self._send_presence()
        return self.state

    def unwatch(self, watcher: Watcher) -> None:
        """Forget a client that has gone."""
        self.used = time.monotonic()
        self._watchers.remove(watcher)
        self._send_presence()

    def you(self, user: str | None, name: str | None) -> Json:
        """Say what an identity is at this table."""
        state = self.state
        host = user is not None and user == state.host
        invites = [
            {"seat": seat, "secret": self.secret(seat)}
            for seat, entry in enumerate(state.seats)
            if entry.kind == "invited" and host and state.stage == "waiting"
        ]
        code = state.code if host and state.stage == "waiting" else None
        return {"name": name, "seats": state.seats_of(user), "host": host, "invites": invites, "code": code}

    def secret(self, seat: int) -> str:
        """Give the secret of the private link to a seat."""
        return links.seat_secret(self._services.key, self.state.id, seat, self.state.seats[seat].since)

    def seat_of_secret(self, secret: str) -> int | None:
        """Find the seat that a secret opens."""
        found = None
        for seat, entry in enumerate(self.state.seats):
            if entry.kind in ("invited", "person") and links.is_seat_secret(
                self._services.key, self.state.id, seat, entry.since, secret
            ):
                found = seat
        return found

    # The task

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
                    refusal.more["table"] = view.snapshot(self.state)
                _refuse(answer, refusal)
            except StorageError:
                _log.exception("an event could not be stored", extra={"table": self.state.id})
                asyncio.get_running_loop().call_later(_RETRY, self._arrange)  # a bot tries again
                _refuse(answer, Refusal("storage", "this could not be stored, so it was not done"))
            except Exception as error:
                _log.exception("a command failed", extra={"table": self.state.id})
                _refuse(answer, error)
            else:
                if not answer.done():
                    answer.set_result(self.state)

    async def _do(self, command: Command) -> None:
        story = Story(self.state, now())
        command(story)
        if not story.entries:
            return
        try:
            reseats = any(entry.kind == "seated" for entry in story.entries)
            await self._services.store.append(story.entries, shelf(story.state), reseats)
        except Conflict:
            await self._catch_up()
            raise Refusal("stale_ply", "somebody else was faster") from None
        self._take(story.state, story.entries)

    async def _catch_up(self) -> None:
        """Read what another process has written to this table."""
        entries = await self._services.store.entries(self.state.id, self.state.number, secrets=True)
        state = self.state.copy()
        for entry in entries:
            state.apply(json.loads(entry.body), json.loads(entry.secret) if entry.secret else None)
        self._take(state, entries)

    def _take(self, state: State, entries: Sequence[Entry]) -> None:
        self.state = state
        self._arrange()
        self._broadcast(events_message(entries))
        if any(entry.kind in ("seated", "dealt", "closed") for entry in entries):
            self._send_you()
            self._send_presence()

    # What happens by itself

    def _arrange(self) -> None:
        """Set up what comes next without a command: a bot's move, or the end of somebody's time."""
        self._cancel_next()
        turn = self.state.turn
        if self.state.stage != "playing" or turn is None:
            return
        spec = self.state.seats[turn["seat"]].bot_spec
        if spec is not None:
            self._bot = asyncio.create_task(self._play_bot(turn["ply"], turn["seat"], spec))
        elif turn["deadline"] is not None:
            left = max(0.0, turn["deadline"] / 1000 - time.time())
            loop = asyncio.get_running_loop()
            self._clock = loop.call_later(left, self._time_out, turn["ply"], turn["seat"])

    def _cancel_next(self) -> None:
        if self._bot is not None:
            self._bot.cancel()
        if self._clock is not None:
            self._clock.cancel()
        self._bot = self._clock = None

    async def _play_bot(self, ply: int, seat: int, spec: str) -> None:
        await asyncio.sleep(self._services.pause)
        position, kind = self.state.position, self.state.seats[seat].kind
        actions, failed = await self._services.thinkers.turn(spec, _seed(self.state.id, seat), position)

        def play(story: Story) -> None:
            if story.state.seats[seat].bot_spec == spec:  # who was away may be back by now
                story.act(ply, actions, "bot" if kind == "bot" and not failed else "stand-in")

        self._post(play)

    def _time_out(self, ply: int, seat: int) -> None:
        self._clock = None

        def leave(story: Story) -> None:
            turn = story.state.turn
            if turn is not None and turn["ply"] == ply and story.state.seats[seat].away is None:
                story.leave(seat, "time")

        self._post(leave)

    def _post(self, command: Command) -> None:
        """Put a command of the table's own into the mailbox; a refusal of it is no news."""
        answer: asyncio.Future[State] = asyncio.get_running_loop().create_future()
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._queue.put_nowait((command, answer))

    # Telling

    def _broadcast(self, message: str) -> None:
        for watcher in self._watchers:
            watcher.send(message)

    def _send_you(self) -> None:
        for watcher in self._watchers:
            you = self.you(watcher.user, watcher.name)
            if you != watcher.you:
                watcher.you = you
                watcher.send(message({"type": "you", "you": you}))

    def _send_presence(self) -> None:
        users = {watcher.user for watcher in self._watchers}
        here = [entry.user in users if entry.kind == "person" else False for entry in self.state.seats]
        watching = sum(not self.state.seats_of(watcher.user) for watcher in self._watchers)
        self._broadcast(message({"type": "presence", "here": here, "watching": watching}))


def now() -> int:
    """Tell the time: milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def message(content: Json) -> str:
    """Write a message."""
    return to_json(content).decode()


def events_message(entries: Sequence[Entry], you: Json | None = None) -> str:
    """Write a message of events, word for word as they are stored."""
    bodies = ",".join(entry.body for entry in entries)
    tail = f',"you":{message(you)}' if you is not None else ""
    return f'{{"type":"events","events":[{bodies}]{tail}}}'


def shelf(state: State) -> Shelf:
    """Write what the lobby needs to find a table."""
    users = tuple((seat, entry.user) for seat, entry in enumerate(state.seats) if entry.user is not None)
    code = state.code if state.stage == "waiting" else None
    summary = to_json(view.summary(state)).decode()
    return Shelf(state.id, state.stage, state.public, state.updated, summary, code, users)


def _seed(table: str, seat: int) -> int:
    """Give a bot a seed of its own; it has nothing to do with the deck."""
    digest = hashlib.sha256(table.encode()).digest()
    return kd.derive_seed(int.from_bytes(digest[:8], "big"), "bot", seat)


def _refuse(answer: asyncio.Future[State], error: Exception) -> None:
    if not answer.done():
        answer.set_exception(error)
