"""Bots of a server with several processes: quick ones choose here, slow ones in any process that runs jobs."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

import kingdomino as kd
from kingdomino.server.cluster.messages import Alive, Choose, Chosen
from kingdomino.server.storage import StorageError
from kingdomino.server.tables.bots.bot_list import is_slow
from kingdomino.server.tables.bots.bot_runner import BotRunner
from kingdomino.server.tables.bots.threads import WorkOwner
from kingdomino.server.tables.core.clock import Clock
from kingdomino.server.tables.core.state import SUBSTITUTE
from kingdomino.server.tables.people.secrets import pseudonym
from kingdomino.server.telemetry import Telemetry
from kingdomino.server.telemetry.traces import traceparent

_log = logging.getLogger(__name__)
_AGAIN: Final = 5.0
"""Seconds without a sign of a turn until we ask again: the process that took it may have died."""
_REMEMBERED: Final = 10_000  # requests; the one with the oldest sign goes first


@dataclass(slots=True)
class _Asked:
    """A turn that callers wait for, and their number. ``last`` is when we last asked for it."""

    turn: Choose
    answer: asyncio.Future[tuple[list[kd.Action], bool]]
    askers: int = 0
    last: float = -math.inf


class RemoteBots:
    """Asks other processes for the turns of slow bots, and waits for their answers.

    A turn has the same request id whichever process asks. The process that takes it names it in its heartbeats until it
    has chosen; meanwhile no process asks again.
    """

    def __init__(
        self,
        here: BotRunner,
        ask: Callable[[Choose], Awaitable[bool]],
        key: bytes,
        timeout: float,
        clock: Clock,
        telemetry: Telemetry,
    ) -> None:
        """``ask`` queues a job, and returns whether it was already waiting in the queue.

        A job contains pseudonyms made with ``key`` instead of the address and the person. After ``timeout`` seconds
        without an answer or a sign a stand-in chooses here.
        """
        self._telemetry = telemetry
        telemetry.metrics.turns_asked.set_function(lambda: len(self._asked))
        self._here, self._ask, self._timeout, self._clock = here, ask, timeout, clock
        self._key = key
        self._asked: dict[str, _Asked] = {}
        self._signs: OrderedDict[str, float] = OrderedDict()  # time of the last sign, by request
        self._heard = -math.inf  # time of the last sign or answer of any request

    async def turn(
        self, spec: str, seed: int, position: kd.Position, owner: WorkOwner
    ) -> tuple[list[kd.Action], bool]:
        """Choose a whole turn, as `BotRunner.turn`. Raises `StorageError` if the job cannot be queued."""
        if not is_slow(spec):
            return await self._here.turn(spec, seed, position, owner)
        turn = Choose(
            request=_request(spec, seed, position, owner),
            bot=spec,
            seed=seed,
            position=position.to_text(),
            share=WorkOwner(
                pseudonym(self._key, owner.address), pseudonym(self._key, owner.person), owner.work
            ),
            trace=traceparent(),
        )
        asked = self._asked.get(turn.request)
        if asked is None:
            asked = self._asked[turn.request] = _Asked(turn, asyncio.get_running_loop().create_future())
        asked.askers += 1
        try:
            return await self._answer(asked)
        except TimeoutError:
            self._telemetry.metrics.bot_failures.labels("no worker").inc()
            _log.error("no process chose a bot's turn in time", extra={"bot": spec})
            return (await self._here.turn(SUBSTITUTE, seed, position, owner))[0], True
        finally:
            asked.askers -= 1
            if not asked.askers:
                del self._asked[turn.request]

    async def _answer(self, asked: _Asked) -> tuple[list[kd.Action], bool]:
        """Wait for the answer, and ask again after a time without signs. Raises `TimeoutError` and `StorageError`."""
        begun = self._clock.time()
        while not asked.answer.done():
            now, sign = self._clock.time(), self._last_sign(asked.turn)
            end, again = max(begun, sign) + self._timeout, max(asked.last, sign) + _AGAIN
            if now >= end:
                raise TimeoutError
            if now < again:
                await self._wait(asked.answer, min(again, end) - now)
            else:
                asked.last = now
                async with asyncio.timeout(self._timeout):
                    waits = await self._ask(asked.turn)
                if waits and self._heard > now - _AGAIN:  # it is in the queue, and the workers are busy
                    self._note(asked.turn.request)
        return asked.answer.result()

    async def _wait(self, answer: asyncio.Future[tuple[list[kd.Action], bool]], seconds: float) -> None:
        """Wait for an answer, at most this long."""
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        timer = self._clock.call_later(seconds, partial(over.set_result, None))
        try:
            await asyncio.wait((answer, over), return_when=asyncio.FIRST_COMPLETED)
        finally:
            timer.cancel()

    def _last_sign(self, turn: Choose) -> float:
        return self._signs.get(turn.request, -math.inf)

    def hear(self, message: Chosen | Alive) -> None:
        """Handle an answer to one of our requests, or signs of requests of any process."""
        if isinstance(message, Alive):
            for request in message.requests:
                self._heard = self._clock.time()
                self._note(request)
            return
        self._heard = self._clock.time()
        self._signs.pop(message.request, None)
        asked = self._asked.get(message.request)
        if asked is not None and not asked.answer.done():
            actions = [kd.Action.parse(text) for text in message.actions]
            asked.answer.set_result((actions, message.failed))

    def _note(self, request: str) -> None:
        """Record a sign of a request."""
        self._signs[request] = self._clock.time()
        self._signs.move_to_end(request)
        if len(self._signs) > _REMEMBERED:
            self._signs.popitem(last=False)

    async def ask_again(self) -> None:
        """Repeat all requests without an answer or a sign: the answers may have been lost."""
        with suppress(StorageError):
            for asked in list(self._asked.values()):
                if self._last_sign(asked.turn) + _AGAIN <= self._clock.time():
                    await self._ask(asked.turn)


def _request(spec: str, seed: int, position: kd.Position, owner: WorkOwner) -> str:
    """Return the id of a turn's request, the same in every process."""
    text = json.dumps([owner.work, position.to_text(), spec, seed])
    return hashlib.sha256(text.encode()).hexdigest()[:32]
