"""The published searches, to compare with: MCE and UCT. They keep no memory.

Source: Magnus Gedda, Mikael Z. Lagerkvist and Martin Butler, "Monte Carlo Methods for the Game Kingdomino" (IEEE CIG
2018, arXiv 1807.04458).
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event
from typing import ClassVar, Final, Literal, cast

from kingdomino._core import Action, Position, choose_by_playouts
from kingdomino.bots.bot import Limit
from kingdomino.bots.spec import canonical, check_limits, check_seed
from kingdomino.errors import BotError

_USUAL: Final = Limit(time=1.0)
_EXPLORATION: Final = 0.6
"""What the paper found to be best."""
_PLAYOUTS: Final = ("random", "fg", "pg", "eg")


@dataclass(frozen=True)
class _Searching:
    """What both searches have in common; ``time`` is in seconds a decision."""

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
        """The canonical spec string: what is usual is not named."""
        return canonical(
            self._name,
            playout=None if self.playout == "fg" else self.playout,
            time=self.time,
            playouts=self.playouts,
            seed=self.seed or None,
            c=None if self._exploration == _EXPLORATION else self._exploration,
        )

    def choose(self, position: Position) -> Action:
        """Give the action. Raises `KingdominoError` when the game is over."""
        usual = self.time is None and self.playouts is None
        return self._choose(position, _USUAL if usual else Limit(self.time, self.playouts), None)

    def choose_within(self, position: Position, limit: Limit, stop: Event) -> Action:
        """Give the best action found within the limit, or until ``stop`` is set."""
        return self._choose(position, limit, stop)

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

    def __str__(self) -> str:
        return self.spec


@dataclass(frozen=True)
class Mce(_Searching):
    """Flat Monte Carlo evaluation: the turn whose playouts share out the points best.

    Playouts are spread evenly over all legal turns, and are worth own / (own + best rival's score). It thinks
    for ``time`` seconds or so many ``playouts``, whichever is reached first, and for a second without either.
    ``playout`` says whose turns in them are full greedy, all others being random: nobody's (``random``),
    everybody's (``fg``), its own (``pg``) or one in four (``eg``).
    """

    _name = "mce"


@dataclass(frozen=True)
class Uct(_Searching):
    """UCT: a tree of turns, of which the one that won most often is played.

    The options are those of `Mce`, and ``c``, 0 or more: how much is tried that looks worse.
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
