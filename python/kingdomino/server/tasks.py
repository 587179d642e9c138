"""The end of tasks in the background."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import Any, Final

__all__ = ["end_tasks"]

_log = logging.getLogger(__name__)
_AGAIN: Final = 5.0
"""Seconds between two cancellations. Jobs in progress get three to end."""


async def end_tasks(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks, and wait until they have ended. Errors in them are logged.

    Before Python 3.12, `asyncio.wait_for` loses a cancellation that arrives together with its result, and psycopg's
    pool uses it. So tasks that keep running are cancelled again.
    """
    ending = list(tasks)
    pending = {task for task in ending if not task.done()}
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=_AGAIN)
    for task in ending:
        if not task.cancelled() and (error := task.exception()):
            _log.error("a task failed: %s", task.get_name(), exc_info=error)
