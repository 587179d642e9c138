"""The server's clock. Tests replace it so that they need not wait."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """A scheduled call."""

    def cancel(self) -> None:
        """Cancel the call."""


class Clock:
    """The system's time for events, and a monotonic clock for durations."""

    def now(self) -> int:
        """Return the milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    def time(self) -> float:
        """Return monotonic seconds: only differences mean anything."""
        return time.monotonic()

    def call_later(self, seconds: float, callback: Callable[[], object]) -> Timer:
        """Call ``callback`` in the event loop after this many seconds."""
        return asyncio.get_running_loop().call_later(seconds, callback)
