"""The rate limit of the fixed words that players can say."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from kingdomino.server.tables.core.refusals import Refusal

_AT_ONCE: Final = 3
_SECONDS: Final = 10.0
"""A seat can say at most `_AT_ONCE` words in `_SECONDS`."""


class Speech:
    """The times of recent words, by seat."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._times: dict[int, deque[float]] = {}

    def speak(self, seat: int) -> None:
        """Count a seat's word. Raises `Refusal` if there were too many."""
        now = self._clock()
        times = self._times.setdefault(seat, deque(maxlen=_AT_ONCE))
        if len(times) == _AT_ONCE and (wait := times[0] + _SECONDS - now) > 0:
            raise Refusal(
                "too_often",
                f"a seat can say {_AT_ONCE} words in {_SECONDS:.0f} s; try again later",
                wait=wait,
            )
        times.append(now)
