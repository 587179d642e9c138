"""Runs the bots' choices in threads, by default as many at once as the machine has cores.

A bot is given a position and nothing else.
"""

import asyncio
import logging
import os
from collections.abc import Callable
from contextlib import ExitStack, suppress
from threading import Thread

import kingdomino as kd
from kingdomino import bots
from kingdomino.server.tables.choices import after
from kingdomino.server.tables.state import SUBSTITUTE

_log = logging.getLogger(__name__)


class BotRunner:
    """Runs each choice in a new daemon thread, so that a bot that never answers does not keep the server alive."""

    def __init__(self, threads: int | None, longest: float) -> None:
        """Allow this many choices at once (default: the cores) each for this many seconds."""
        self._free = asyncio.Semaphore(threads or os.cpu_count() or 1)
        self._longest = longest

    async def turn(self, spec: str, seed: int, position: kd.Position) -> tuple[list[str], bool]:
        """Choose a whole turn: a claim, or a placement and the claim that goes with it.

        If the bot raises, makes an illegal choice or takes too long, the failure is logged and a substitute chooses.
        The second value says whether that happened.
        """
        try:
            return await self._run(lambda: _turn(spec, seed, position)), False
        except TimeoutError:
            _log.error("a bot took too long", extra={"bot": spec})
        except Exception:
            _log.exception("a bot failed", extra={"bot": spec})
        return _turn(SUBSTITUTE, seed, position), True

    async def _run(self, choose: Callable[[], list[str]]) -> list[str]:
        """Choose in a thread. Its place is free again when it ends or its time is over."""
        await self._free.acquire()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[str]] = loop.create_future()
        place = ExitStack()
        place.callback(self._free.release)
        over = loop.call_later(self._longest, place.close)

        def end(actions: list[str] | None, error: Exception | None) -> None:
            over.cancel()
            place.close()
            if not answer.done():
                if error is not None:
                    answer.set_exception(error)
                else:
                    answer.set_result(actions or [])

        def work() -> None:
            actions, failure = None, None
            try:
                actions = choose()
            except BaseException as error:  # also one that would end a thread, or the server
                failure = RuntimeError(f"it raised {type(error).__name__}")
                failure.__cause__ = error
            with suppress(RuntimeError):  # the server has stopped in the meantime
                loop.call_soon_threadsafe(end, actions, failure)

        Thread(target=work, name="bot", daemon=True).start()
        async with asyncio.timeout(self._longest):
            return await answer


def _turn(spec: str, seed: int, position: kd.Position) -> list[str]:
    bot = bots.make(spec, seed=seed)
    first = str(bot.choose(position))
    now = after(position, [first])
    if position.phase == "place" and now.to_move == position.to_move and now.phase == "claim":
        second = str(bot.choose(now))
        after(now, [second])  # a bot whose action was refused would never be asked again
        return [first, second]
    return [first]
