"""The strongest bot: a tree search with exact endings; and weaker ones made from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Event
from typing import Final

from kingdomino._core import Action, Position, Search, choose
from kingdomino.analysis import Analysis
from kingdomino.bots.bot import Limit
from kingdomino.bots.spec import canonical, check_limits, check_seed
from kingdomino.errors import BotError

_USUAL: Final = Limit(time=0.5)
_STRONGEST: Final = 8

_NOISE: Final = {1: 30.0, 2: 8.8, 3: 4.8, 4: 2.2, 5: 0.8, 6: 0.0, 7: 0.0}
"""Levels that judge at a glance, and by how many points they misjudge."""
_THINKS_ABOUT_CLAIMS: Final = 7
_A_LITTLE: Final = Limit(playouts=110)


@dataclass(slots=True, eq=False)
class _Mind:
    """What is remembered from one decision to the next: nothing that changes an answer's meaning."""

    search: Search | None = None

    def search_for(self, position: Position, seed: int) -> Search:
        if self.search is None or self.search.position != position:
            self.search = Search(position, seed)
        return self.search

    def __reduce__(self) -> tuple[type[_Mind], tuple[()]]:
        return _Mind, ()


@dataclass(frozen=True)
class King:
    """Thinks for ``time`` seconds a decision, or for so many ``playouts``, whichever is reached first.

    Without either it thinks for half a second; with ``playouts`` alone its choices follow from the seed,
    whatever the number of ``threads``. ``level`` 1 to 7 are weaker players, which take no limit: they judge
    at a glance, more and more surely, and 7 thinks a little about its claims.
    """

    time: float | None = None
    playouts: int | None = None
    threads: int = 1
    level: int = _STRONGEST
    seed: int = 0
    _mind: _Mind = field(default_factory=_Mind, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_limits("king", self.time, self.playouts)
        if not 1 <= self.threads <= 1024:
            raise BotError(f"bot 'king': threads are 1 to 1024, not {self.threads}")
        if not 1 <= self.level <= _STRONGEST:
            raise BotError(f"bot 'king': levels are 1 to {_STRONGEST}, not {self.level}")
        if self.level < _STRONGEST and (self.time is not None or self.playouts is not None):
            raise BotError(f"bot 'king': only level {_STRONGEST} takes a time or a number of playouts")
        check_seed("king", self.seed)

    @property
    def spec(self) -> str:
        """The canonical spec string: what is usual is not named."""
        return canonical(
            "king",
            time=self.time,
            playouts=self.playouts,
            threads=self.threads if self.threads > 1 else None,
            level=self.level if self.level < _STRONGEST else None,
            seed=self.seed or None,
        )

    def choose(self, position: Position) -> Action:
        """Give the action. Raises `KingdominoError` when the game is over."""
        return self._choose(position, self._limit, None)

    def choose_within(self, position: Position, limit: Limit, stop: Event) -> Action:
        """Give the best action found within the limit, or until ``stop`` is set."""
        return self._choose(position, limit, stop)

    def analyse(self, position: Position, limit: Limit | None = None) -> Analysis:
        """Say what is known of every legal action after this much thought (by default the bot's own).

        Raises `KingdominoError` when the game is over.
        """
        search = Search(position, self.seed)
        self._think(search, limit or self._limit, None)
        return search.analysis()

    def analyses(
        self, position: Position, limit: Limit | None = None, every: float = 0.25
    ) -> Iterator[Analysis]:
        """Say it again and again while thinking, about ``every`` so many seconds; the last one is final."""
        search = Search(position, self.seed)
        limit = limit or self._limit
        time, playouts = limit.time, limit.playouts
        while True:
            before = search.playouts
            self._think(search, Limit(every if time is None else min(every, time), playouts), None)
            analysis = search.analysis()
            yield analysis
            done = search.playouts - before
            time = None if time is None else time - every
            playouts = None if playouts is None else playouts - done
            if analysis.exact or not done or (time is not None and time <= 0) or playouts == 0:
                return

    @property
    def _limit(self) -> Limit:
        if self.time is None and self.playouts is None:
            return _USUAL
        return Limit(self.time, self.playouts)

    def _choose(self, position: Position, limit: Limit, stop: Event | None) -> Action:
        actions = position.legal_actions()
        if len(actions) == 1:
            return actions[0]
        if self.level < _STRONGEST:
            if self.level < _THINKS_ABOUT_CLAIMS or position.domino is not None:
                return choose(position, "tuned", self.seed, _NOISE[self.level])
            limit = _A_LITTLE
        search = self._mind.search_for(position, self.seed)
        self._think(search, limit, stop)
        action = search.best()
        if action.kind == "claim":
            self._mind.search = None
        else:
            search.advance(action)  # what is known serves the claim that follows
        return action

    def _think(self, search: Search, limit: Limit, stop: Event | None) -> None:
        search.run(time=limit.time, playouts=limit.playouts, threads=self.threads, stop=stop)

    def __str__(self) -> str:
        return self.spec
