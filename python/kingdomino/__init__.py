"""Kingdomino: the place to play, study and research the game.

    >>> import kingdomino as kd
    >>> game = kd.Game(kd.Rules(players=2), seed=7)
    >>> greedy = kd.bots.make("greedy")
    >>> while not game.is_over:
    ...     events = game.play(greedy.choose(game.position))
    >>> [kingdom.size for kingdom in game.position.kingdoms]
    [5, 5]

Contents:

- values: `Domino`, `Terrain`, `Square`, `Placement`, `Territory`, `Score`, `Outcome`, `Prospects`,
  `Refusal`, `Slot`; ``DOMINOES`` are all 48;
- events: `Claimed`, `Placed`, `Discarded`, `LineRevealed`, `KingDrawn`, `RoundBegan`, `Finished`;
- the engine: `Rules`, `Kingdom`, `Position` (what everyone at the table can see), `Game` (a position, the hidden
  deck and the history), `Match` (several games in a row), `Action` and `Actions`, `Record` (a recorded game);
- `Search` (with `Stop` and `RunningSearch`), `playouts`, `perft` and `derive_seed`, which run in the engine;
- modules, loaded on first use: ``svg`` (pictures), ``text`` (for a terminal), ``bots``, ``analysis`` (costs of
  decisions), ``games`` (many records), ``photo`` (reads photographs of kingdoms);
- errors: all derive from `KingdominoError`, a `ValueError`.

Squares are ``(x, y)`` relative to the castle at ``(0, 0)``, x to the right, y up. Seats count from 0, dominoes from 1.
The same seed gives the same game on every machine.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING
from warnings import warn

from kingdomino._core import (
    DEBUG,
    DOMINOES,
    Action,
    Actions,
    ChanceOutcomes,
    Events,
    Game,
    Kingdom,
    Match,
    Position,
    Record,
    Rules,
    RunningSearch,
    Search,
    __version__,
    derive_seed,
    perft,
    playouts,
)
from kingdomino.errors import (
    ArenaError,
    BotError,
    EngineError,
    IllegalActionError,
    KingdominoError,
    ParseError,
    PictureError,
    RecordError,
    ResultsError,
    RulesError,
    SetupError,
)
from kingdomino.evaluation import ActionAnalysis, Analysis, Annotation, Stop
from kingdomino.events import (
    ChanceEvent,
    Claimed,
    Discarded,
    Finished,
    GameEvent,
    KingDrawn,
    LineRevealed,
    Placed,
    RoundBegan,
)
from kingdomino.values import (
    Coordinates,
    Domino,
    Doubt,
    End,
    Fault,
    Outcome,
    Placement,
    PlayoutResult,
    Prospects,
    Refusal,
    RefusalCode,
    Score,
    Slot,
    Square,
    Terrain,
    Territory,
)

if TYPE_CHECKING:
    from kingdomino import analysis, bots, games, photo, svg, text

__all__ = [
    "DOMINOES",
    "Action",
    "ActionAnalysis",
    "Actions",
    "Analysis",
    "Annotation",
    "ArenaError",
    "BotError",
    "ChanceEvent",
    "ChanceOutcomes",
    "Claimed",
    "Coordinates",
    "Discarded",
    "Domino",
    "Doubt",
    "End",
    "EngineError",
    "Events",
    "Fault",
    "Finished",
    "Game",
    "GameEvent",
    "IllegalActionError",
    "KingDrawn",
    "Kingdom",
    "KingdominoError",
    "LineRevealed",
    "Match",
    "Outcome",
    "ParseError",
    "PictureError",
    "Placed",
    "Placement",
    "PlayoutResult",
    "Position",
    "Prospects",
    "Record",
    "RecordError",
    "Refusal",
    "RefusalCode",
    "ResultsError",
    "RoundBegan",
    "Rules",
    "RulesError",
    "RunningSearch",
    "Score",
    "Search",
    "SetupError",
    "Slot",
    "Square",
    "Stop",
    "Terrain",
    "Territory",
    "__version__",
    "analysis",
    "bots",
    "derive_seed",
    "games",
    "perft",
    "photo",
    "playouts",
    "svg",
    "text",
]

if DEBUG:
    warn("this is a debug build of kingdomino, many times slower than a release build", stacklevel=2)


def __getattr__(name: str) -> ModuleType:
    """Load ``analysis``, ``bots``, ``games``, ``photo``, ``svg`` or ``text`` on first use."""
    if name in ("analysis", "bots", "games", "photo", "svg", "text"):
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
