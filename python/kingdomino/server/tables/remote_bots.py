"""Bots of a server with several processes: quick ones choose here, the others in any process that does jobs."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import kingdomino as kd
from kingdomino.server.storage import StorageError
from kingdomino.server.tables.bot_list import is_slow
from kingdomino.server.tables.bot_runner import BotRunner
from kingdomino.server.tables.peers import Choose, Chosen
from kingdomino.server.tables.state import SUBSTITUTE
from kingdomino.server.tables.threads import Share
from kingdomino.server.telemetry import Telemetry

_log = logging.getLogger(__name__)
_AGAIN: Final = 5.0
"""Seconds after which a turn is asked for again: the process that took it may have ended, or lost the database."""


class RemoteBots:
    """Asks other processes for the turns of slow bots, and waits for what they tell."""

    def __init__(
        self,
        here: BotRunner,
        ask: Callable[[Choose], Awaitable[None]],
        timeout: float,
        telemetry: Telemetry,
    ) -> None:
        """``ask`` queues a job. After ``timeout`` seconds without an answer a substitute chooses here."""
        self._telemetry = telemetry
        telemetry.metrics.turns_asked.set_function(lambda: len(self._asked))
        self._here, self._ask, self._timeout = here, ask, timeout
        self._asked: dict[str, tuple[Choose, asyncio.Future[tuple[list[str], bool]]]] = {}

    async def turn(self, spec: str, seed: int, position: kd.Position, share: Share) -> tuple[list[str], bool]:
        """Choose a whole turn, as `BotRunner.turn`. Raises `StorageError` if the job cannot be queued."""
        if not is_slow(spec):
            return await self._here.turn(spec, seed, position, share)
        asked = Choose(
            request=secrets.token_hex(8),
            bot=spec,
            seed=seed,
            position=position.to_text(),
            share=share,
            trace=self._telemetry.traces.written(),
        )
        answer: asyncio.Future[tuple[list[str], bool]] = asyncio.get_running_loop().create_future()
        self._asked[asked.request] = asked, answer
        try:
            async with asyncio.timeout(self._timeout):
                while True:
                    await self._ask(asked)
                    done, _ = await asyncio.wait({answer}, timeout=_AGAIN)
                    if done:
                        return answer.result()
        except TimeoutError:
            self._telemetry.metrics.bot_failures.labels("no worker").inc()
            _log.error("no process chose a bot's turn in time", extra={"bot": spec})
            return (await self._here.turn(SUBSTITUTE, seed, position, share))[0], True
        finally:
            del self._asked[asked.request]

    def hear(self, message: Chosen) -> None:
        """Take an answer, if it is to one of our questions."""
        _, answer = self._asked.get(message.request, (None, None))
        if answer is not None and not answer.done():
            answer.set_result((list(message.actions), message.failed))

    async def ask_again(self) -> None:
        """Ask everything again that has no answer: it may have been told when we did not hear."""
        with suppress(StorageError):
            for asked, _ in list(self._asked.values()):
                await self._ask(asked)
