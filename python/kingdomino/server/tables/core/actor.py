"""A table in memory: an actor that runs commands one after the other.

A command is a function that works on a `Transaction`. Its events are stored, then applied to the state, then sent to
every subscriber. A failure does not affect other tables.

Several processes may have the same table in memory. If two write an event with the same number, the store accepts only
one; the other process reads what it missed and runs its command again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from typing import Final, NamedTuple

from kingdomino.server.settings import Settings
from kingdomino.server.storage import Conflict, Entry, StorageError, Store, TableRow
from kingdomino.server.storage.sessions import digest_of
from kingdomino.server.tables.bots.bot_list import is_slow, slow_bots
from kingdomino.server.tables.bots.threads import WorkOwner
from kingdomino.server.tables.core import events
from kingdomino.server.tables.core.clock import Clock, Timer
from kingdomino.server.tables.core.commands import Transaction
from kingdomino.server.tables.core.messages import (
    Invite,
    PresenceMessage,
    SaidMessage,
    Subscriber,
    Word,
    You,
    YouMessage,
    events_message,
)
from kingdomino.server.tables.core.peers import Asking, Changed, Cluster, Following, Peers, Said, TableMessage
from kingdomino.server.tables.core.refusals import Refusal
from kingdomino.server.tables.core.snapshot import Table, snapshot, summary
from kingdomino.server.tables.core.state import SUBSTITUTE, State
from kingdomino.server.tables.history.played import results
from kingdomino.server.tables.people import secrets
from kingdomino.server.tables.people.codes import tidy
from kingdomino.server.tables.people.presence import OnceASecond, Presence
from kingdomino.server.tables.people.speech import Speech
from kingdomino.server.telemetry import Telemetry
from kingdomino.server.telemetry.traces import Parent, Span, get_current

_log = logging.getLogger(__name__)
_RETRY: Final = 2.0
"""Delay before retrying after a storage failure, in seconds."""
_COLLECTING: Final = 3.0
"""Seconds for the players' browsers to reveal their nonces. The game begins without late ones."""
_CORRESPONDENCE: Final = 3600
"""From this many seconds for a turn on, players need not be there at the same time."""
_MISSED_TURNS: Final = 2
"""Turns' time after which such a game is closed if bots play for everyone."""

_ATTEMPTS: Final = 8
"""Attempts to run a command while other processes keep adding to the log."""
_REST: Final = 3600_000
"""Milliseconds without an event after which a command reads the log again first."""
_RETURN: Final = 30.0
"""Seconds for a loaded table's clients to reconnect, and for the other processes to report who follows it there."""
_NEAR: Final = 60_000
"""Tolerance of a table's due time, in milliseconds, to save a write."""
_TAKEOVER: Final = 1.5
"""Seconds, beyond the bot's own time, until another process makes an overdue bot's move."""

Command = Callable[[Transaction], None]


class Services(NamedTuple):
    """The server's parts that every table needs."""

    store: Store
    cluster: Cluster
    key: bytes
    settings: Settings
    clock: Clock
    telemetry: Telemetry


class _Work(NamedTuple):
    """A queued task: ``run`` it, then set the ``answer`` to the state."""

    name: str
    run: Callable[[], Awaitable[None]]
    answer: asyncio.Future[State]
    parent: Parent = None  # the span that asks


class _BotTurn(NamedTuple):
    """A turn that a bot plays."""

    game: int
    ply: int
    seat: int
    spec: str


class TableActor:
    """A table in memory: its state, the queue of commands, and its subscribers.

    ``due`` is when the server must load the table and call `wake`, in milliseconds since 1970: at the end of a turn's
    time, or to close an unused table. It is stored with every event. ``address`` is the network of the table's
    players, as far as this process knows, and ``slow_bots`` the number of its slow bots.
    """

    def __init__(self, state: State, services: Services, due: int | None, address: str = "") -> None:
        self.state = state
        self.due = due
        self.address = address
        self.slow_bots = slow_bots(state.seats)
        self._services = services
        self._traces = services.telemetry.traces
        self._clock = services.clock
        self.used = self._loaded = self._clock.time()
        self._speech = Speech(self._clock.time)
        self._queue: asyncio.Queue[_Work] = asyncio.Queue()
        self._subscribers: set[Subscriber] = set()
        self._peers = Peers()
        self._last_sent: Following | None = None  # our last report to the other processes
        self._is_ours = True  # whether this process added the last event, and so moves the bots
        self._mover: str | None = None  # otherwise the process that did, if known
        self._has_mover_ended = False
        self._left: int | None = None  # when the last player, or the host, left; cleared by `settle`
        self._telling_presence = OnceASecond(self._clock, self._send_presence)
        self._presence = Presence(self._clock, services.settings, self._telling_presence.call)
        self._turn_ends: float | None = None  # on the second clock
        self._has_run_out = False
        self._timer: Timer | None = None
        self._retry: Timer | None = None
        self._bot: asyncio.Task[None] | None = None
        self._bot_turn: _BotTurn | None = None
        self._bot_is_ours = False
        self._task = asyncio.create_task(self._run(), name=f"table {state.id}")
        self._update_presence()
        self._start_clock(self._stored_left())
        self._schedule()

    async def ask(self, command: Command) -> State:
        """Run a command and return the state after it. Raises `Refusal`."""
        self.used = self._clock.time()
        return await self._enqueue("command", partial(self._do, command), get_current())

    async def replace_host(self, old: str, new: str | None) -> None:
        """Make another identity the host, without an event: other processes learn it when they load the table."""

        async def replace() -> None:
            if self.state.host == old:
                self.state.host = new

        await self._enqueue("replace host", replace)

    def catch_up(self) -> asyncio.Future[State]:
        """Read what other processes have added to the log, after the queued commands."""
        return self._enqueue("catch up", self._catch_up)

    async def reach(self, number: int) -> None:
        """Catch up if a client already has later events from another process. Raises `Refusal`."""
        if self.state.number < number:
            await self.catch_up()

    async def reach_ply(self, ply: int) -> None:
        """Catch up if a client already knows of a later decision from another process. Raises `Refusal`."""
        if self.state.stage != "playing" or self.state.ply < ply:
            await self.catch_up()

    def hear(self, message: TableMessage) -> None:
        """Handle another process's message about this table."""
        if isinstance(message, Changed):
            if message.number >= self.state.number:
                self._mover, self._has_mover_ended = message.process, False
            if message.number > self.state.number:
                self.catch_up()
        elif isinstance(message, Following):
            was_in_use = self._is_in_use
            self._peers.hear(message)
            self._note_use(was_in_use)
            self._update_presence()
            self._telling_presence.call()
            self._schedule()
        elif isinstance(message, Asking):
            self._last_sent = None
            self._telling_presence.call()
        elif isinstance(message, Said):
            self._broadcast(message.message.model_dump_json())

    def forget(self, process: str) -> None:
        """Handle the end of another process. If it moved the bots, all others try to take over; the first wins."""
        is_mover = process == self._mover
        if is_mover:
            self._is_ours = self._has_mover_ended = True
        was_in_use = self._is_in_use
        if self._peers.forget(process):
            self._note_use(was_in_use)
            self._update_presence()
            self._telling_presence.call()
            self._schedule()
        elif is_mover:
            self._schedule()

    def stop(self) -> None:
        """End the task and every connection; the table stays in the store."""
        self._task.cancel()
        while not self._queue.empty():
            _refuse(self._queue.get_nowait().answer, _stopped())
        self._presence.stop()
        self._telling_presence.stop()
        self._stop_timer()
        if self._retry is not None:
            self._retry.cancel()
        self._stop_bot()
        for subscriber in self._subscribers:
            subscriber.end()

    @property
    def is_quiet(self) -> bool:
        """Whether the table has no subscribers, and nothing will happen by itself before it is due."""
        return not self._subscribers and self._bot is None and self._queue.empty()

    @property
    def left(self) -> int | None:
        """The milliseconds left of the turn; `None` without a clock."""
        if self._turn_ends is None:
            return None
        return max(0, round(1000 * (self._turn_ends - self._clock.time())))

    @property
    def table(self) -> Table:
        """The public view of the table."""
        return snapshot(self.state, self.left)

    def subscribe(self, subscriber: Subscriber) -> State:
        """Add a client and return the state for its first message; later events are queued.

        A player who was replaced by a stand-in for being away gets the seat back.
        """
        self.used = self._clock.time()
        subscriber.you = self.you(subscriber.user, subscriber.name)
        if subscriber.you.seats or subscriber.you.host or not self.address:
            self.address = subscriber.address
        self._subscribers.add(subscriber)
        if subscriber.you.seats:
            self._update_presence()
        if not self._telling_presence.call():
            subscriber.send(self._presence_message())
        self._schedule()
        if any(self.state.seats[seat].away == "absent" for seat in subscriber.you.seats):
            self._post(lambda transaction: _return(transaction, subscriber.user))
        return self.state

    def disconnect(self, digests: Collection[str]) -> None:
        """End the connections of users with these digests."""
        for subscriber in self._subscribers:
            if subscriber.user is not None and digest_of(subscriber.user) in digests:
                subscriber.end()

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Remove a disconnected client."""
        self.used = self._clock.time()
        was_in_use = self._is_in_use
        self._subscribers.remove(subscriber)
        self._note_use(was_in_use)
        if self.state.seats_of(subscriber.user):
            self._update_presence()
        self._telling_presence.call()
        self._schedule()

    def say(self, seat: int, word: Word) -> SaidMessage:
        """Send a seat's word to every client. Raises `Refusal` if the seat speaks too often."""
        self.used = self._clock.time()
        self._speech.speak(seat)
        message = SaidMessage(seat=seat, word=word)
        self._broadcast(message.model_dump_json())
        self._services.cluster.tell(
            Said(process=self._services.cluster.process, table=self.state.id, message=message)
        )
        return message

    def you(self, user: str | None, name: str | None) -> You:
        """Return the role of an identity at this table."""
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

    def is_present(self, user: str) -> bool:
        """Whether a person plays here and is connected, or left only a moment ago."""
        seats = self.state.people().get(user, [])
        plays = any(not self.state.seats[seat].away for seat in seats)
        return plays and self._presence.of(user).state in ("here", "gone")

    def is_long_away(self, seat: int) -> bool:
        """Whether the others may let a bot play for the person in this seat."""
        user = self.state.seats[seat].user
        return user is not None and self._presence.of(user).state == "long_away"

    def secret(self, seat: int) -> str:
        """Return the secret of a seat."""
        return secrets.seat_secret(self._services.key, self.state.id, seat, self.state.seats[seat].since)

    def seat_of_secret(self, secret: str) -> int | None:
        """Find a secret's seat. The code of a waiting table gives any free one."""
        found = None
        if self.is_code(secret):
            found = next((seat for seat, entry in enumerate(self.state.seats) if entry.is_free), None)
        for seat, entry in enumerate(self.state.seats):
            if entry.kind in ("invited", "person") and secrets.is_seat_secret(
                self._services.key, self.state.id, seat, entry.since, secret
            ):
                found = seat
        return found

    def is_code(self, words: str) -> bool:
        """Whether these are the words of this table's code, while it waits."""
        code = self.state.code if self.state.stage == "waiting" else None
        return code is not None and secrets.is_same(tidy(words), code)

    async def wake(self) -> None:
        """Close the table if it is due and no player follows it. Turns and drawing have timers of their own."""
        if self.due is None or self.due > self._clock.now() or not self._can_be_unused:
            return
        if self._is_in_use:
            await self._enqueue("put off", partial(self._put_off, self._clock.now()))
        elif (wait := self._loaded + _RETURN - self._clock.time()) > 0:
            await self._set_due(self._clock.now() + round(1000 * wait))
        else:
            await self.ask(lambda transaction: transaction.close("unused"))

    async def settle(self) -> None:
        """Postpone the due time if the last player, or the host, has left since the last successful call."""
        left = self._left
        if left is not None:
            await self._enqueue("put off", partial(self._put_off, left))
            self._left = None if self._left == left else self._left

    async def _put_off(self, used: int) -> None:
        """Postpone the due time: a player or the host was here at time ``used``."""
        await self._catch_up()
        if not self._can_be_unused:
            return
        later = due(self.state, None, used, self._services.settings)
        if later is not None and (self.due is None or later > self.due + _NEAR):
            await self._set_due(later)

    async def _set_due(self, at: int) -> None:
        if await self._services.store.set_due(self.state.id, at, self.state.number):
            self.due = at

    def _note_use(self, was_in_use: bool) -> None:
        if was_in_use and not self._is_in_use:
            self._left = self._clock.now()

    @property
    def _is_in_use(self) -> bool:
        return bool(self._connected() & {*self.state.people(), self.state.host})

    @property
    def _can_be_unused(self) -> bool:
        """Whether the table becomes due by being unused, rather than at the end of a turn's time."""
        return not _is_timed(self.state) and self.state.stage in ("waiting", "playing", "between")

    def _enqueue(
        self, name: str, run: Callable[[], Awaitable[None]], parent: Parent = None
    ) -> asyncio.Future[State]:
        """Queue a task for the actor."""
        answer: asyncio.Future[State] = asyncio.get_running_loop().create_future()
        # Retrieves the exception, in case no caller does.
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        if self._task.cancelling():
            _refuse(answer, _stopped())
        else:
            self._queue.put_nowait(_Work(name, run, answer, parent))
        return answer

    async def _run(self) -> None:
        while True:
            work = await self._queue.get()
            with self._traces.continued(work.name, work.parent, table=self.state.id) as span:
                await self._work(work, span)

    async def _work(self, work: _Work, span: Span) -> None:
        answer = work.answer
        try:
            await work.run()
        except asyncio.CancelledError:  # the actor was cancelled, not its callers
            _refuse(answer, _stopped())
            raise
        except Refusal as refusal:
            span.set_attribute("kingdomino.refusal", refusal.code)
            if refusal.code == "stale_ply":
                refusal = Refusal(refusal.code, refusal.reason, table=self.table)
            _refuse(answer, refusal)
        except StorageError:
            _log.exception("the store failed", extra={"table": self.state.id})
            if self._retry is None:
                self._retry = self._clock.call_later(_RETRY, self._go_on)
            _refuse(answer, Refusal("storage", "the database failed, so nothing was done"))
        except Exception as error:
            _log.exception("a command failed", extra={"table": self.state.id})
            _refuse(answer, error)
        else:
            if not answer.done():
                answer.set_result(self.state)

    def _go_on(self) -> None:
        """Resume after a storage failure: end a player's time, and catch up with other processes."""
        self._retry = None
        self._schedule()
        self.catch_up()

    async def _do(self, command: Command) -> None:
        """Run a command, and repeat it if another process has added to the log meanwhile."""
        if self._clock.now() - self.state.updated > _REST:
            await self._rediscover()
        for _ in range(_ATTEMPTS):
            number = self.state.number
            try:
                return await self._attempt(command)
            except Conflict:
                await self._read_on()
            except Refusal:  # perhaps only because this process is behind
                await self._catch_up()
                if self.state.number == number:
                    raise
        raise Refusal("stale_ply", "the table has changed meanwhile")

    async def _attempt(self, command: Command) -> None:
        """Run a command and store its events. Raises `Conflict` if the state is out of date."""
        at = self._clock.now()
        transaction = Transaction(self.state, at, self.left)
        command(transaction)
        if not transaction.entries:
            return
        state = transaction.state
        is_new_turn = state.turn != self.state.turn
        left = (state.turn.left if state.turn else None) if is_new_turn else self.left
        stored = row(state, due(state, left, at, self._services.settings))
        reseats = any(entry.kind == "seated" for entry in transaction.entries)
        ends = any(entry.kind in ("finished", "closed") for entry in transaction.entries)
        played = results(state) if ends else ()
        news = Changed(process=self._services.cluster.process, table=state.id, number=state.number)
        await self._services.store.append(
            transaction.entries, stored, reseats, played, news.model_dump_json()
        )
        for by in transaction.actors:
            self._services.telemetry.metrics.actions.labels(by).inc()
        self._is_ours, self._mover = True, None
        self.due = stored.due
        if is_new_turn:
            self._start_clock(left)
        self._publish(state, transaction.entries)

    async def _catch_up(self) -> None:
        """Read other processes' events, if there are other processes."""
        if not self._services.cluster.is_alone:
            await self._read_on()

    async def _read_on(self) -> None:
        """Read the stored events that the state lacks. Only called from the queue, so that nothing else changes it."""
        store, table = self._services.store, self.state.id
        entries = await store.entries(table, self.state.number, secrets=True)
        if not entries:
            return
        stored = await store.table(table)
        state = self.state.copy()
        replay(state, entries)
        is_new_turn = state.turn != self.state.turn
        self.state, self.due = state, stored.due if stored else None
        self._is_ours = self._has_mover_ended
        if is_new_turn:
            self._start_clock(self._stored_left())
        self._publish(state, entries)

    async def _rediscover(self) -> None:
        """Read the log again before a command at a table that was inactive for long.

        The table may have been deleted, or archived: then the store does not detect a conflict.
        """
        if await self._services.store.table(self.state.id) is None:
            raise Refusal("no_table", "this table has been deleted")
        await self._catch_up()

    def _publish(self, state: State, entries: Sequence[Entry]) -> None:
        self.state = state
        self._has_run_out |= self.left == 0 and any(entry.kind == "left" for entry in entries)
        self._schedule()
        self._broadcast(events_message(entries))
        if any(entry.kind in ("seated", "drawing", "dealt", "closed") for entry in entries):
            self._send_you()
            self._update_presence()
            self._telling_presence.call()

    # The clock of a turn, and the bots.

    def _start_clock(self, left: int | None) -> None:
        """Start the clock of a turn. It runs until the next turn."""
        self._turn_ends = None if left is None else self._clock.time() + left / 1000
        self._has_run_out = False

    def _stored_left(self) -> int | None:
        """Return the time left of a turn that began at another process, or before a restart."""
        left = self.state.turn.left if self.state.turn else None
        if left is not None and self.due is not None and _is_timed(self.state):
            left = max(0, min(left, self.due - self._clock.now()))
        return left

    def _schedule(self) -> None:
        """Schedule the next event without a command: a bot's turn, or the end of a player's time.

        If a bot is already choosing this turn, let it go on.
        """
        bot_turn, is_ours = self._next_bot_turn(), self._moves_bots()
        if bot_turn != self._bot_turn or self._bot is None or (is_ours and not self._bot_is_ours):
            self._stop_bot()
            if bot_turn is not None:
                self._bot_turn, self._bot_is_ours = bot_turn, is_ours
                self._bot = asyncio.create_task(self._play_bot(bot_turn, is_ours))
                self._bot.add_done_callback(self._forget_bot)
        self._stop_timer()
        if self.left is not None and _is_timed(self.state) and not self._has_run_out:
            self._timer = self._clock.call_later(self.left / 1000, self._end_time)
        elif self.state.stage == "drawing":
            passed = (self._clock.now() - self.state.drawing_since) / 1000
            left = min(max(0.0, _COLLECTING - passed), _COLLECTING)
            self._timer = self._clock.call_later(left, self._end_drawing)

    def _next_bot_turn(self) -> _BotTurn | None:
        """Return the turn that a bot plays now. Bots alone play only while a client watches."""
        state, turn = self.state, self.state.turn
        if state.stage != "playing" or turn is None or not (self._is_followed or state.is_attended):
            return None
        # A player who returns after the time is up cannot stop the bot.
        spec = state.seats[turn.seat].bot_spec or (SUBSTITUTE if self._has_run_out else None)
        return _BotTurn(state.game_number, turn.ply, turn.seat, spec) if spec else None

    def _moves_bots(self) -> bool:
        """Whether this process moves the bots. The process that added the last event does.

        At a table of bots alone, a process whose clients watch does.
        """
        if self.state.is_attended or self._peers.first is None:
            return self._is_ours
        return bool(self._subscribers) and self._services.cluster.process < self._peers.first

    async def _play_bot(self, turn: _BotTurn, is_ours: bool) -> None:
        settings = self._services.settings
        # A turn has up to two decisions. Quick bots need almost no time for them.
        thinking = 2 * settings.think if is_slow(turn.spec) else 0
        await asyncio.sleep(settings.pause + (0 if is_ours else thinking + _TAKEOVER))
        while not await self._is_moved(turn):
            await asyncio.sleep(_RETRY)

    async def _is_moved(self, turn: _BotTurn) -> bool:
        """Let a bot choose and act. Return false if the store fails."""
        with self._traces.continued("bot turn", None, table=self.state.id, bot=turn.spec, ply=turn.ply):
            return await self._choose_and_act(turn)

    async def _choose_and_act(self, turn: _BotTurn) -> bool:
        position, kind = self.state.position, self.state.seats[turn.seat].kind
        person = self.state.host or ""
        owner = WorkOwner(self.address or person, person, self.state.id)
        seed = self.state.deal.bot_seed(turn.seat)
        try:
            actions, failed = await self._services.cluster.bots.turn(turn.spec, seed, position, owner)
        except StorageError:
            _log.exception("a bot could not be asked", extra={"table": self.state.id})
            return False

        def play(transaction: Transaction) -> None:
            if self._next_bot_turn() == turn:  # unless the player has returned
                transaction.act(turn.ply, actions, "bot" if kind == "bot" and not failed else "stand-in")

        try:
            await self.ask(play)
        except Refusal as refusal:
            return refusal.code != "storage"
        return True

    def _forget_bot(self, task: asyncio.Task[None]) -> None:
        if task is self._bot:
            self._bot = self._bot_turn = None

    def _stop_bot(self) -> None:
        if self._bot is not None:
            self._bot.cancel()
        self._bot = self._bot_turn = None

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def _end_time(self) -> None:
        turn = self.state.turn
        assert turn is not None

        def leave(transaction: Transaction) -> None:
            if transaction.state.turn == turn and transaction.state.seats[turn.seat].away is None:
                transaction.leave(turn.seat, "time")

        self._post(leave)

    def _end_drawing(self) -> None:
        """Begin the game without the missing nonces."""

        def deal(transaction: Transaction) -> None:
            if transaction.state.stage == "drawing":
                transaction.deal()

        self._post(deal)

    def _post(self, command: Command) -> None:
        """Queue an internal command, and ignore its refusal."""
        self._enqueue("command", partial(self._do, command))

    # Messages to subscribers and processes.

    def _broadcast(self, message: str) -> None:
        for subscriber in self._subscribers:
            subscriber.send(message)

    def _send_you(self) -> None:
        for subscriber in self._subscribers:
            you = self.you(subscriber.user, subscriber.name)
            if you != subscriber.you:
                subscriber.you = you
                subscriber.send(YouMessage(you=you).model_dump_json())

    def _update_presence(self) -> None:
        self._presence.update(self.state.people(), self._connected())

    @property
    def _is_followed(self) -> bool:
        """Whether any client follows the table, here or at another process."""
        return bool(self._subscribers) or self._peers.first is not None

    def _connected(self) -> set[str]:
        """Return the people who follow the table, here or at another process."""
        return self._connected_here() | self._peers.users

    def _connected_here(self) -> set[str]:
        return {subscriber.user for subscriber in self._subscribers if subscriber.user is not None}

    def _watching(self) -> int:
        """Count the spectators here."""
        return sum(not self.state.seats_of(subscriber.user) for subscriber in self._subscribers)

    def _tell_following(self) -> None:
        """Report to the other processes who follows the table here, if that has changed."""
        people = {*self.state.people(), self.state.host}
        users = sorted({user for user in self._connected_here() if user in people})
        following = Following(
            process=self._services.cluster.process,
            table=self.state.id,
            users=tuple(users),
            watching=self._watching(),
        )
        is_new = (
            following.users or following.watching if self._last_sent is None else following != self._last_sent
        )
        if is_new:
            self._last_sent = following
            self._services.cluster.tell(following)

    def _send_presence(self) -> None:
        """Send our subscribers who is here, and report our followers to the other processes."""
        self._broadcast(self._presence_message())
        self._tell_following()

    def _presence_message(self) -> str:
        users = [entry.user if entry.kind == "person" else None for entry in self.state.seats]
        seats = tuple(None if user is None else self._presence.of(user) for user in users)
        watching = self._watching() + self._peers.watching
        return PresenceMessage(seats=seats, watching=watching).model_dump_json()


def replay(state: State, entries: Sequence[Entry]) -> None:
    """Apply stored entries to a state."""
    for entry in entries:
        secret = events.read_secret(entry.kind, entry.secret)
        state.apply(events.read(entry.body), entry.body, secret)


def row(state: State, due: int | None) -> TableRow:
    """Return the table's row for the store."""
    users = tuple((seat, entry.user) for seat, entry in enumerate(state.seats) if entry.user is not None)
    code = state.code if state.stage == "waiting" else None
    is_open = any(seat.kind == "open" for seat in state.seats)
    is_listed = state.public and (is_open or state.stage != "waiting")
    text = summary(state).model_dump_json()
    return TableRow(state.id, state.stage, is_listed, state.updated, due, text, code, users)


def due(state: State, left: int | None, now: int, settings: Settings) -> int | None:
    """Return when a table is due, in milliseconds since 1970; ``left`` is the time left of its turn."""
    if state.is_over:
        return None
    if state.stage == "drawing":
        return state.drawing_since + round(1000 * _COLLECTING)
    if state.stage == "waiting":
        return now + round(1000 * settings.waiting)
    if _is_timed(state) and left is not None:
        return now + left
    if (state.seconds or 0) >= _CORRESPONDENCE and not state.is_attended:
        return now + 1000 * _MISSED_TURNS * (state.seconds or 0)
    return now + round(1000 * settings.abandoned)


def _is_timed(state: State) -> bool:
    """Whether a person must decide within a time limit."""
    turn = state.turn
    if state.stage != "playing" or turn is None or turn.left is None:
        return False
    return state.seats[turn.seat].bot_spec is None


def _return(transaction: Transaction, user: str | None) -> None:
    for seat in transaction.state.seats_of(user):
        if transaction.state.seats[seat].away == "absent":
            transaction.return_to(seat)


def _stopped() -> Refusal:
    return Refusal("storage", "the server is shutting down")


def _refuse(answer: asyncio.Future[State], error: Exception) -> None:
    if not answer.done():
        answer.set_exception(error)
