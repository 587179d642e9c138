"""Which players of a table are connected, and since when the others are away."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from kingdomino.server.settings import Settings
from kingdomino.server.tables.core.clock import Clock, Timer
from kingdomino.server.tables.core.messages import SeatPresence

_INTERVAL: Final = 1.0
"""Seconds between two presence messages of a table, because many spectators come and go."""


class Presence:
    """The presence of people. Calls ``changed`` when someone has been gone long enough to count as away."""

    def __init__(self, clock: Clock, settings: Settings, changed: Callable[[], object]) -> None:
        self._clock, self._changed = clock, changed
        self._away_after, self._long_after = settings.away_after, settings.stand_in_after
        self._gone: dict[str, float] = {}  # time of leaving, by user
        self._timer: Timer | None = None

    def update(self, people: Collection[str], connected: Collection[str | None]) -> None:
        """Update who plays here, and who is connected."""
        now = self._clock.time()
        self._gone = {user: self._gone.get(user, now) for user in people if user not in connected}
        self._wait()

    def of(self, user: str) -> SeatPresence:
        """Return whether a person is connected, or how long they have been gone."""
        if user not in self._gone:
            return SeatPresence(state="here", ms=0)
        seconds = self._clock.time() - self._gone[user]
        ms = round(1000 * seconds)
        if seconds >= self._long_after:
            return SeatPresence(state="long_away", ms=ms)
        return SeatPresence(state="away" if seconds >= self._away_after else "gone", ms=ms)

    def stop(self) -> None:
        """Call nothing any longer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self) -> None:
        self.stop()
        now = self._clock.time()
        thresholds = (
            since + after for since in self._gone.values() for after in (self._away_after, self._long_after)
        )
        if next_change := min((at for at in thresholds if at > now), default=None):
            self._timer = self._clock.call_later(next_change - now, self._pass_threshold)

    def _pass_threshold(self) -> None:
        self._wait()
        self._changed()


class OnceASecond:
    """Throttles a function to one call a second. It runs at once, or else once at the end of the second."""

    def __init__(self, clock: Clock, send: Callable[[], None]) -> None:
        self._clock, self._send = clock, send
        self._timer: Timer | None = None
        self._is_due = False

    def call(self) -> bool:
        """Call the function now, or at the end of the second. Return whether it ran now."""
        self._is_due = self._timer is not None
        if self._timer is None:
            self._send()
            self._timer = self._clock.call_later(_INTERVAL, self._end)
        return not self._is_due

    def stop(self) -> None:
        """Call nothing any longer."""
        if self._timer is not None:
            self._timer.cancel()

    def _end(self) -> None:
        self._timer = None
        if self._is_due:
            self.call()
