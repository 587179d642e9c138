"""Runs the bots' choices in threads: quick bots in a lane of their own, the others in fair turns.

A bot is given a position and nothing else. Every decision is bounded by time, whatever the bot: a search is stopped and
gives the best action found so far; any other bot is abandoned, and a stand-in chooses.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from functools import partial
from threading import Event
from typing import Final

import kingdomino as kd
from kingdomino import bots
from kingdomino.errors import BotError
from kingdomino.machine import available_cores
from kingdomino.server.tables.bots.bot_list import is_quick
from kingdomino.server.tables.bots.threads import FairOrder, WorkOwner, in_thread
from kingdomino.server.tables.core.choices import after
from kingdomino.server.tables.core.state import SUBSTITUTE
from kingdomino.server.telemetry import Telemetry

_log = logging.getLogger(__name__)
_QUICK: Final = 0.25  # seconds that a quick bot may think about a decision
_STUCK: Final = 2  # abandoned threads that may still run, for each thread that a lane has


class BotRunner:
    """Chooses the bots' turns, as many at once as there are threads, and no thread for ever."""

    def __init__(
        self, threads: int | None, longest: float, timeout: float, telemetry: Telemetry | None = None
    ) -> None:
        """Allow this many slow bots at once (default: the cores), each for ``longest`` seconds a decision.

        After ``timeout`` seconds a decision is abandoned whose bot has not stopped.
        """
        cores = available_cores()
        self.threads = threads or cores
        self._telemetry = telemetry or Telemetry()
        self._quick = _Lane("quick", cores, min(_QUICK, longest), timeout, self._telemetry)
        self._slow = _Lane("slow", self.threads, longest, timeout, self._telemetry)

    async def turn(
        self, spec: str, seed: int, position: kd.Position, owner: WorkOwner
    ) -> tuple[list[kd.Action], bool]:
        """Choose a whole turn: a claim, or a placement and the claim that goes with it.

        If the bot raises, makes an illegal choice or does not stop in time, the failure is logged and a stand-in
        chooses. The second value says whether that happened.
        """
        failures = self._telemetry.metrics.bot_failures
        try:
            bot = bots.make(spec, seed=seed)
            lane = self._quick if is_quick(bot) else self._slow
            return await _turn(position, partial(lane.choose, bot, owner)), False
        except TimeoutError:
            failures.labels("late").inc()
            _log.error("a bot took too long", extra={"bot": spec})
        except Exception:
            failures.labels("error").inc()
            _log.exception("a bot failed", extra={"bot": spec})
        stand_in = bots.make(SUBSTITUTE, seed=seed)

        async def at_once(position: kd.Position) -> kd.Action:
            return stand_in.choose(position)

        return await _turn(position, at_once), True


class _Lane:
    """A number of threads, and the decisions that wait for one of them."""

    def __init__(self, name: str, threads: int, longest: float, timeout: float, telemetry: Telemetry) -> None:
        self._name, self._traces = name, telemetry.traces
        metrics = telemetry.metrics
        self._thinking = metrics.bots_thinking.labels(name)
        self._seconds, self._wait_seconds = metrics.bot_seconds.labels(name), metrics.bot_wait.labels(name)
        metrics.bots_waiting.labels(name).set_function(lambda: len(self._waiting))
        metrics.bots_abandoned.labels(name).set_function(lambda: self._stuck)
        self._longest = longest  # seconds a decision
        self._timeout = timeout  # seconds
        self._free = threads
        self._most_stuck = _STUCK * threads
        self._stuck = 0  # threads of abandoned turns that still run
        self._order = FairOrder()
        self._waiting: list[tuple[WorkOwner, asyncio.Future[None]]] = []

    async def choose(self, bot: bots.Bot, owner: WorkOwner, position: kd.Position) -> kd.Action:
        """Choose in a thread, when it is the turn of this owner. A bot that can be stopped has ``longest`` seconds.

        The place is free again when the choice ends or is abandoned. Raises `TimeoutError` then, and at once while too
        many abandoned threads still run: each would become another one.
        """
        with self._wait_seconds.time():
            await self._wait(owner)
        place = ExitStack()
        place.callback(self._leave)
        if self._stuck >= self._most_stuck:
            place.close()
            raise TimeoutError
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[kd.Action] = loop.create_future()
        stop = Event()
        is_abandoned = False
        begun = time.perf_counter()

        def end(action: kd.Action | None, error: Exception | None) -> None:
            stopping.cancel()
            over.cancel()
            place.close()
            self._stuck -= is_abandoned
            self._thinking.dec()
            self._seconds.observe(time.perf_counter() - begun)
            if answer.done():
                return
            if action is None:
                answer.set_exception(error or BotError(f"bot {bot.spec!r} chose nothing"))
            else:
                answer.set_result(action)

        def abandon() -> None:
            nonlocal is_abandoned
            is_abandoned = True
            self._stuck += 1
            place.close()
            if not answer.done():
                answer.set_exception(TimeoutError())

        stopping = loop.call_later(self._longest, stop.set)
        over = loop.call_later(self._timeout, abandon)
        self._thinking.inc()
        in_thread("bot", lambda: bot.choose_within(position, None, stop), end)
        try:
            with self._traces.span("think", lane=self._name):
                return await answer
        finally:
            stop.set()

    async def _wait(self, owner: WorkOwner) -> None:
        """Wait for a place."""
        entry = owner, asyncio.get_running_loop().create_future()
        self._waiting.append(entry)
        self._let_in()
        try:
            await entry[1]
        except asyncio.CancelledError:
            if not entry[1].cancelled():  # the place had just been given
                self._leave()
            elif entry in self._waiting:
                self._waiting.remove(entry)
            raise

    def _leave(self) -> None:
        self._free += 1
        self._let_in()

    def _let_in(self) -> None:
        while self._free and self._waiting:
            entry = min(self._waiting, key=lambda waiting: self._order.key(waiting[0]))
            self._waiting.remove(entry)
            if not entry[1].cancelled():
                self._order.serve(entry[0])
                self._free -= 1
                entry[1].set_result(None)


async def _turn(
    position: kd.Position, choose: Callable[[kd.Position], Awaitable[kd.Action]]
) -> list[kd.Action]:
    first = await choose(position)
    now = after(position, [first])
    if position.phase == "place" and now.to_move == position.to_move and now.phase == "claim":
        second = await choose(now)
        after(now, [second])  # a bot whose action was refused would never be asked again
        return [first, second]
    return [first]
