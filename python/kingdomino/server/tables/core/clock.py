"""The server's clock. Tests replace it, so that no test waits."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """Something that will be called later."""

    def cancel(self) -> None:
        """Do not call it."""


class Clock:
    """The time of events, and a second clock for durations, which nothing sets back or forward."""

    def now(self) -> int:
        """Return the milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    def time(self) -> float:
        """Return seconds; only their differences have a meaning."""
        return time.monotonic()

    def call_later(self, seconds: float, callback: Callable[[], object]) -> Timer:
        """Call this in the event loop when so much time has passed."""
        return asyncio.get_running_loop().call_later(seconds, callback)
