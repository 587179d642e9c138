"""Runs bots in threads: quick bots in a lane of their own, slow ones in a fair order.

A bot gets only a position. Every decision has a time limit. At its end a search stops and returns the best action so
far; any other bot is abandoned, and a stand-in chooses.
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
_QUICK: Final = 0.25  # seconds for a quick bot's decision
_STUCK: Final = 2  # most abandoned threads still running, per thread of a lane


class BotRunner:
    """Runs bots in a bounded number of threads, each decision with a timeout."""

    def __init__(
        self, threads: int | None, longest: float, timeout: float, telemetry: Telemetry | None = None
    ) -> None:
        """Run this many slow bots at once (default: the number of cores), each ``longest`` seconds a decision.

        Abandon a bot that has not stopped after ``timeout`` seconds.
        """
        cores = available_cores()
        self.threads = threads or cores
        self._telemetry = telemetry or Telemetry()
        self._quick = _Lane("quick", cores, min(_QUICK, longest), timeout, self._telemetry)
        self._slow = _Lane("slow", self.threads, longest, timeout, self._telemetry)

    async def turn(
        self, spec: str, seed: int, position: kd.Position, owner: WorkOwner
    ) -> tuple[list[kd.Action], bool]:
        """Choose a whole turn: a claim, or a placement and its claim.

        If the bot raises, makes an illegal choice or does not stop in time, log the failure and let a stand-in choose.
        The second value is whether that happened.
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
    """A bounded number of threads, and the decisions that wait for one of them."""

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
        """Choose in a thread, when it is this owner's turn. Stop a bot after ``longest`` seconds, if possible.

        Raises `TimeoutError` when the choice is abandoned, which frees its place, and at once while too many abandoned
        threads still run, because this choice would probably add another.
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
            if not entry[1].cancelled():  # it had just got the place
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
        after(now, [second])  # the table would never ask again after an illegal action
        return [first, second]
    return [first]
