"""The strongest bot, a tree search with an endgame solver, and weaker levels of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Event
from typing import Final

from kingdomino._core import Action, Position, Search, level_move
from kingdomino.bots.bot import Bot, Limit
from kingdomino.bots.spec import canonical, check_limits, check_seed
from kingdomino.errors import BotError
from kingdomino.evaluation import Analysis, Stop

_DEFAULT_LIMIT: Final = Limit(time=0.5)
_STRONGEST: Final = 8


@dataclass(slots=True, eq=False)
class _Memory:
    """The search of the last decision, which the next one can continue. Not part of the bot's value."""

    search: Search | None = None

    def search_for(self, position: Position, seed: int) -> Search:
        if self.search is None or self.search.position != position:
            self.search = Search(position, seed)
        return self.search

    def __reduce__(self) -> tuple[type[_Memory], tuple[()]]:
        return _Memory, ()


@dataclass(frozen=True)
class King(Bot):
    """Thinks for ``time`` seconds or ``playouts`` playouts per decision, whichever it reaches first.

    The default is half a second. With only ``playouts``, its choices do not depend on the number of ``threads``, but on
    the seed and on its previous choice in the same game, whose search it continues. Levels 1 to 7 are weaker and accept
    no limit. Levels 1 to 3 judge as beginners do: by adjacent terrains and immediate points, overlooking
    places, fewer at each level. Levels 4 and 5 add noise to the evaluation of a fast policy; level 6 adds none, and
    level 7 also searches briefly for its claims. Analyses always use the strongest level.
    """

    time: float | None = None
    playouts: int | None = None
    threads: int = 1
    level: int = _STRONGEST
    seed: int = 0
    _memory: _Memory = field(default_factory=_Memory, init=False, repr=False, compare=False)

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
        """The canonical spec string, without default options."""
        return canonical(
            "king",
            time=self.time,
            playouts=self.playouts,
            threads=self.threads if self.threads > 1 else None,
            level=self.level if self.level < _STRONGEST else None,
            seed=self.seed or None,
        )

    @property
    def follows_its_analyses(self) -> bool:
        """Whether its level is the strongest, which all its analyses use."""
        return self.level == _STRONGEST

    def choose(self, position: Position) -> Action:
        """Return the action. Raises `KingdominoError` when the game is over."""
        return self._choose(position, self._limit, None)

    def choose_within(self, position: Position, limit: Limit | None, stop: Event) -> Action:
        """Return the best action found within the limit (`None`: the bot's own), or until ``stop`` is set."""
        return self._choose(position, limit or self._limit, stop)

    def analyse(self, position: Position, limit: Limit | None = None) -> Analysis:
        """Evaluate every legal action, within a limit (default: the bot's own).

        Raises `KingdominoError` when the game is over.
        """
        search = Search(position, self.seed)
        self._think(search, limit or self._limit, None)
        return search.analysis()

    def analyses(
        self, position: Position, limit: Limit | None = None, every: float = 0.25, stop: Event | None = None
    ) -> Iterator[Analysis]:
        """Evaluate every legal action, and yield the results so far about every ``every`` seconds and at the end.

        It ends at the limit (default: the bot's own), when it has solved an ending, at some two million nodes, or when
        ``stop`` is set.
        """
        search = Search(position, self.seed)
        limit = limit or self._limit
        time, playouts = limit.time, limit.playouts
        # Without a time limit, solve an ending in one piece, so that the result is the same on every machine.
        if time is None and self._think(search, Limit(playouts=1), stop) is not Stop.SOLVED:
            search = Search(position, self.seed)
        while True:
            before = search.playouts
            ended = self._think(search, Limit(every if time is None else min(every, time), playouts), stop)
            yield search.analysis()
            time = None if time is None else time - every
            playouts = None if playouts is None else playouts - (search.playouts - before)
            if ended is not Stop.LIMIT or (time is not None and time <= 0) or playouts == 0:
                return

    @property
    def _limit(self) -> Limit:
        if self.time is None and self.playouts is None:
            return _DEFAULT_LIMIT
        return Limit(self.time, self.playouts)

    def _choose(self, position: Position, limit: Limit, stop: Event | None) -> Action:
        action, playouts = level_move(position, self.level, self.seed)
        if action is not None:
            return action
        if playouts is not None:
            limit = Limit(playouts=playouts)
        search = self._memory.search_for(position, self.seed)
        self._think(search, limit, stop)
        action = search.best()
        if action.kind == "claim":
            self._memory.search = None
        else:
            search.advance(action)  # the search goes on at the claim of the same turn
        return action

    def _think(self, search: Search, limit: Limit, stop: Event | None) -> Stop:
        return search.run(time=limit.time, playouts=limit.playouts, threads=self.threads, stop=stop)
