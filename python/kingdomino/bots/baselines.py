"""The published searches MCE and UCT, for comparison. They keep no state.

Source: Magnus Gedda, Mikael Z. Lagerkvist and Martin Butler, "Monte Carlo Methods for the Game Kingdomino" (IEEE CIG
2018, arXiv 1807.04458).
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event
from typing import ClassVar, Final, Literal, cast

from kingdomino._core import Action, Position, choose_by_playouts
from kingdomino.bots.bot import Bot, Limit
from kingdomino.bots.spec import canonical, check_limits, check_seed
from kingdomino.errors import BotError

_DEFAULT_LIMIT: Final = Limit(time=1.0)
_EXPLORATION: Final = 0.6
"""The best value according to the paper."""
_PLAYOUTS: Final = ("random", "fg", "pg", "eg")


@dataclass(frozen=True)
class _Baseline(Bot):
    """The common part of both searches; ``time`` is in seconds per decision."""

    playout: str = "fg"
    time: float | None = None
    playouts: int | None = None
    seed: int = 0

    _name: ClassVar[Literal["mce", "uct"]]

    def __post_init__(self) -> None:
        if self.playout not in _PLAYOUTS:
            names = ", ".join(map(repr, _PLAYOUTS[:-1]))
            raise BotError(
                f"bot {self._name!r}: playout is {names} or {_PLAYOUTS[-1]!r}, not {self.playout!r}"
            )
        check_limits(self._name, self.time, self.playouts)
        check_seed(self._name, self.seed)

    @property
    def spec(self) -> str:
        """The canonical spec string, without default options."""
        return canonical(
            self._name,
            playout=None if self.playout == "fg" else self.playout,
            time=self.time,
            playouts=self.playouts,
            seed=self.seed or None,
            c=None if self._exploration == _EXPLORATION else self._exploration,
        )

    def choose(self, position: Position) -> Action:
        """Return the action. Raises `KingdominoError` when the game is over."""
        return self._choose(position, self._limit, None)

    def choose_within(self, position: Position, limit: Limit | None, stop: Event) -> Action:
        """Return the best action found within the limit (`None`: the bot's own), or until ``stop`` is set."""
        return self._choose(position, limit or self._limit, stop)

    @property
    def _limit(self) -> Limit:
        if self.time is None and self.playouts is None:
            return _DEFAULT_LIMIT
        return Limit(self.time, self.playouts)

    def _choose(self, position: Position, limit: Limit, stop: Event | None) -> Action:
        return choose_by_playouts(
            position,
            self._name,
            playout=cast(Literal["random", "fg", "pg", "eg"], self.playout),
            exploration=self._exploration,
            time=limit.time,
            playouts=limit.playouts,
            seed=self.seed,
            stop=stop,
        )

    @property
    def _exploration(self) -> float:
        return _EXPLORATION


@dataclass(frozen=True)
class Mce(_Baseline):
    """Flat Monte Carlo evaluation: plays the turn with the best mean result of its playouts.

    It spreads playouts evenly over all legal turns; the result of a playout is own score / (own score + best opponent's
    score). It thinks for ``time`` seconds or ``playouts`` playouts, whichever it reaches first, and by default for one
    second. ``playout`` sets which turns of the playouts are full greedy: none (``random``), all (``fg``), its own
    (``pg``) or one in four (``eg``); the others are random.
    """

    _name = "mce"


@dataclass(frozen=True)
class Uct(_Baseline):
    """UCT: a search tree of turns. Plays the turn with the best win rate.

    It has the options of `Mce`, and ``c``, from 0 to 1000: the weight of exploration.
    """

    c: float = _EXPLORATION

    _name = "uct"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.c <= 1000:
            raise BotError(f"bot 'uct': c is a number from 0 to 1000, not {self.c}")

    @property
    def _exploration(self) -> float:
        return self.c
