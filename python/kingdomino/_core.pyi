from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, Literal, Protocol, Self, TypeAlias, final, overload

import numpy as np
from numpy.typing import NDArray

from kingdomino.evaluation import Analysis, Annotation, Stop
from kingdomino.events import ChanceEvent, GameEvent
from kingdomino.values import (
    Coordinates,
    Domino,
    Doubt,
    Outcome,
    Placement,
    PlayoutResult,
    Prospects,
    Refusal,
    Score,
    Slot,
    Square,
    Territory,
)

__all__ = [
    "DEBUG",
    "DOMINOES",
    "Action",
    "Actions",
    "Batch",
    "ChanceOutcomes",
    "Events",
    "Game",
    "Judging",
    "Kingdom",
    "Match",
    "Position",
    "Record",
    "Rules",
    "RunningSearch",
    "Search",
    "Story",
    "Taught",
    "__version__",
    "best_arrangement",
    "choose",
    "choose_by_playouts",
    "daily_puzzle",
    "derive_seed",
    "level_move",
    "observation_fields",
    "observe",
    "perft",
    "photo_read",
    "photo_teach",
    "playouts",
    "read_puzzles",
    "reasons",
    "rewards",
    "summary",
    "table_choices",
    "table_deal",
    "table_play",
    "table_rules",
    "table_score",
    "table_start",
    "worth",
]

_Placement: TypeAlias = Placement | tuple[Coordinates, Coordinates] | str
_GridSquare: TypeAlias = str | tuple[str, int] | None
_Grid: TypeAlias = str | Iterable[str | Iterable[_GridSquare]] | Mapping[Coordinates, tuple[str, int]]
_Tiling: TypeAlias = tuple[tuple[Domino, Placement], ...]

class _Stop(Protocol):
    def is_set(self) -> bool:
        """Whether the work is to be stopped."""

__version__: Final[str]
"""The version of the library."""
DEBUG: Final[bool]
"""Whether the engine was built without optimisation."""
DOMINOES: Final[tuple[Domino, ...]]
"""All 48 dominoes in order: ``DOMINOES[0]`` is number 1."""

@final
class Rules:
    """A rules set. Immutable, hashable, comparable, picklable.

    players: 2 to 4.
    edition: "first" or "second". They differ with three players (first: 36 dominoes in lines of three; second: all
        48 in lines of four, with one left unclaimed) and in the tie-breaks.
    mighty_duel: the two-player game with all 48 dominoes and kingdoms of 7x7.
    harmony: 5 points more for a kingdom that fills its largest box.
    middle_kingdom: 10 points more for a castle in the middle of its kingdom.
    opening: "random": each king is drawn; "snake", for two players: one claims first and fourth, the other second
        and third.

    Raises RulesError for an unknown option, or for a combination that no rules set has.

    Source: the rulebooks of both editions; the snake opening is common practice.
    """
    def __new__(
        cls,
        players: int = 2,
        edition: Literal["first", "second"] = "second",
        mighty_duel: bool = False,
        harmony: bool = False,
        middle_kingdom: bool = False,
        opening: Literal["random", "snake"] = "random",
    ) -> Self: ...
    @classmethod
    def parse(cls, text: str) -> Self:
        """The rules set with this text, like "2.second.random.duel.harmony.middle": players, edition, opening, then
        the options that apply. Raises ParseError.
        """
    @staticmethod
    def all() -> list[Rules]:
        """Every rules set: players, editions, the Mighty Duel, openings and bonuses in every combination that exists."""
    def snake_order(self, first: int) -> tuple[int, ...] | None:
        """The order in which the kings claim in the snake opening if this seat's king is drawn first, like (0, 1, 1, 0);
        None if the kings are drawn one at a time. Raises KingdominoError for an unknown seat.
        """
    def replace(self, **changes: object) -> Rules:
        """The same rules with these options changed: `rules.replace(harmony=True)`. Raises RulesError."""
    def to_text(self) -> str:
        """The text that `parse` reads."""
    @property
    def players(self) -> int:
        """The number of players, 2 to 4."""
    @property
    def edition(self) -> Literal["first", "second"]:
        """ "first" or "second"."""
    @property
    def mighty_duel(self) -> bool:
        """Whether this is the two-player game with all 48 dominoes and kingdoms of 7x7."""
    @property
    def harmony(self) -> bool:
        """Whether a kingdom that fills its largest box scores 5 points more."""
    @property
    def middle_kingdom(self) -> bool:
        """Whether a castle in the middle of its kingdom scores 10 points more."""
    @property
    def opening(self) -> Literal["random", "snake"]:
        """The order of the kings in the opening round: "random" or "snake"."""
    @property
    def size(self) -> int:
        """The largest width and height of a kingdom, in squares: 5, or 7 in the Mighty Duel."""
    @property
    def line_length(self) -> int:
        """The dominoes in a line: 4, or 3 with three players in the first edition."""
    @property
    def kings(self) -> int:
        """The kings of each player: 2 with two players, else 1."""
    @property
    def rounds(self) -> int:
        """The lines in a game, and its rounds after the opening: 6 with two players on 5x5, else 12."""
    @property
    def dominoes(self) -> int:
        """The dominoes in the deck of a game: 24, 36 or 48."""
    @property
    def plies(self) -> int:
        """The number of decisions in a game, including discards."""
    @property
    def harmony_points(self) -> int:
        """The points for Harmony: 5, or 0 without that bonus."""
    @property
    def middle_kingdom_points(self) -> int:
        """The points for Middle Kingdom: 10, or 0 without that bonus."""
    @property
    def action_count(self) -> int:
        """The number of action numbers, which start at 0: 373 for 5x5, 725 for 7x7."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[Any, ...]: ...

@final
class Kingdom:
    """One player's squares, the castle at (0, 0). Immutable, hashable, comparable, picklable.

    `Kingdom(size)` is the castle alone; `size` is the largest width and height, in squares: 5, or 7 in the Mighty
    Duel. Squares are (x, y) relative to the castle, x to the right, y up. Equal kingdoms have the same squares and
    size.

    Raises SetupError for any other size.
    """
    def __new__(cls, size: int = 5) -> Self: ...
    @classmethod
    def from_squares(cls, squares: Mapping[Coordinates, tuple[str, int]], size: int = 5) -> Self:
        """The kingdom with these squares: (x, y) -> (terrain, crowns), with or without the castle, like `squares`.

        Terrains have the names of `Terrain`, or common other names like "field"; crowns are 0 to 3. Kingdoms that no
        game can produce are accepted, too.

        Raises SetupError, whose `faults` lists everything that is wrong: unknown terrains, impossible crowns, a box
        that is too large, squares that are not connected to the castle.
        """
    @classmethod
    def from_grid(cls, rows: _Grid, names: Mapping[str, str] | None = None, size: int = 5) -> Self:
        """The kingdom in this grid: rows from the top, with the castle anywhere and empty rows and columns around it.

        rows: a text, or a sequence of rows. A text has lines, or rows joined by "/"; it may be what `to_text` or `str`
            returns. A row is a text or a sequence of squares. A row's text is letters and crowns ("w2ff"), words with spaces
            between them, or anything between commas, semicolons, bars or tabs. A square is a text ("w2", "wheat 2", "castle",
            "." for an empty one), None, or (terrain, crowns). `squares` of a kingdom is also taken.
        names: your own words or letters, and the usual word for each: {"P": "grassland"}; "" is an empty square.
        size: the largest width and height, 5 or 7.

        Terrains have the names of `Terrain`, their first letters w, f, l, g, s and m, or other usual names, in any case and
        also in the plural: field; wood; water, sea, ocean; grass, plain, pasture, meadow, garden; bog, marsh, village;
        mountain, cave. The castle is "castle" or "c". Kingdoms that no dominoes make are accepted, too (`doubts`).

        Raises SetupError, whose `faults` lists everything that is wrong, with row and column from 1.
        """
    @classmethod
    def parse(cls, text: str, size: int = 5) -> Self:
        """The kingdom with this text, like "w1ff/.C.": rows from the top; "." is empty, "C" the castle, a terrain its
        first letter, then its crowns. Raises SetupError with all faults.
        """
    def to_text(self) -> str:
        """The text that `parse` reads."""
    @property
    def size(self) -> int:
        """The largest width and height, in squares: 5 or 7."""
    @property
    def squares(self) -> dict[Coordinates, Square]:
        """The covered squares: (x, y) -> Square(terrain, crowns), including the castle, from the top row down."""
    @property
    def box(self) -> tuple[Coordinates, Coordinates]:
        """The smallest box around all squares: its lowest corner, (min x, min y), and its highest."""
    @property
    def reach(self) -> tuple[Coordinates, Coordinates]:
        """The box of the squares that one more domino can reach: up to two beyond each side of `box`, as far as the size
        allows; its lowest corner, (min x, min y), and its highest.
        """
    @property
    def crowns(self) -> int:
        """The crowns on all its squares."""
    def placements(self, domino: Domino | int) -> list[Placement]:
        """Every legal placement of a domino (or of the one with this number), each once: a domino with two equal ends
        appears in one orientation only. Raises KingdominoError.

        Source: rulebooks, "connecting": at least one end must touch the castle or its own terrain.
        """
    def best_gain(self, domino: Domino | int) -> int | None:
        """The most points that placing a domino (or the one with this number) now adds to the territories; None if it
        fits nowhere. Raises KingdominoError.
        """
    def refusal(self, domino: Domino | int, placement: _Placement) -> Refusal | None:
        """The Refusal that says why this domino may not be placed there; None if it may. Placements are given as for
        `Action.place`. Raises KingdominoError for an unknown domino and for squares far from the castle.
        """
    def place(self, domino: Domino | int, placement: _Placement) -> Kingdom:
        """The kingdom with this domino added. Raises IllegalActionError with the refusal."""
    def territories(self) -> list[Territory]:
        """Its territories, terrain by terrain: the largest sets of connected squares of one terrain. The castle
        belongs to none.
        """
    def score(self, rules: Rules | None = None) -> Score:
        """Its score in points, as if the game ended now: for each territory its squares times its crowns, and the
        bonuses of the rules. Without rules there are no bonuses.
        """
    def tilings(self, limit: int = 10) -> list[_Tiling]:
        """The ways in which the 48 dominoes can make it, each domino used at most once; at most `limit` ways.

        A tiling is a tuple of (domino, placement), in an order in which the rules allow them, if there is one. Equal dominoes
        stand for each other: the lowest are used, and exchanging them is no other way. The rule that a domino connects to
        its terrain leaves no tiling out, because kingdoms on real tables break it.

        Releases the interpreter's lock; Ctrl-C stops it. Raises KingdominoError for a negative limit.
        """
    def can_be_built(self) -> bool:
        """Whether the 48 dominoes can make it, each used at most once: whether it has `tilings`."""
    def doubts(self) -> list[Doubt]:
        """The doubts about it as a real kingdom: squares that no domino has, or more of them than all dominoes have
        together, an odd number of squares, squares that no dominoes make. A list of Doubt, empty for the kingdom of a game.
        """
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Action:
    """One decision: claim a domino, place the claimed domino, or discard it. Immutable, hashable, comparable,
    picklable. Ordered by number: claims, the discard, placements.

    Made by `parse`, `claim`, `place`, `discard` or `from_number`. Whether it is legal depends on the position.
    """
    @classmethod
    def parse(cls, text: str) -> Self:
        """The action with this text: "claim 17", "place 1,0>2,0" (the left end at (1, 0), the right end at (2, 0) of
        the player's kingdom) or "discard". Raises ParseError for other texts.
        """
    def to_text(self) -> str:
        """The text that `parse` reads."""
    @classmethod
    def claim(cls, domino: Domino | int) -> Self:
        """The claim of this domino, or of the one with this number. Raises KingdominoError."""
    @classmethod
    def place(cls, placement: _Placement) -> Self:
        """The placement of the claimed domino: a Placement, its text, or ((x, y) of the left end, (x, y) of the right
        end). Raises KingdominoError.
        """
    @classmethod
    def discard(cls) -> Self:
        """The discard of the claimed domino, which must fit nowhere."""
    @classmethod
    def from_number(cls, number: int, rules: Rules) -> Self:
        """The action with this number, 0 to rules.action_count - 1. Raises KingdominoError if no action has it: at the
        edge of the frame, some placements would lead out of it.
        """
    def number(self, rules: Rules) -> int:
        """Its number, which means the same in every position under these rules.

        The claim of domino n is n - 1, the discard is 48, and a placement is 49 + 4 * ((y + r) * (2 * r + 1) + x +
        r) + d, where (x, y) is the square of the left end, r is 4 for kingdoms of 5x5 and 6 for 7x7, and d is the
        direction of the right end: 0 right, 1 up, 2 left, 3 down.

        Raises KingdominoError for a placement too far from the castle for these rules.
        """
    @property
    def kind(self) -> Literal["claim", "place", "discard"]:
        """ "claim", "place" or "discard"."""
    @property
    def domino(self) -> Domino | None:
        """The claimed domino; None for a placement or a discard."""
    @property
    def placement(self) -> Placement | None:
        """Where the domino is placed; None for a claim or a discard."""
    def __eq__(self, other: object, /) -> bool: ...
    def __lt__(self, other: Action, /) -> bool: ...
    def __le__(self, other: Action, /) -> bool: ...
    def __gt__(self, other: Action, /) -> bool: ...
    def __ge__(self, other: Action, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Actions(Sequence[Action]):
    """The legal actions of a position, each once: an immutable sequence. It is equal to any sequence of the same
    actions.

    `action in actions` takes an action or its text, in constant time. A domino with two equal ends can be placed on
    two squares in two ways; only one is in the sequence, but `Position.is_legal` accepts both.
    """
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Action: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Action]: ...
    def __iter__(self) -> Iterator[Action]: ...
    def __contains__(self, action: object, /) -> bool: ...
    def index(self, action: Action | str) -> int:  # type: ignore[override]  # no range to search in
        """The index of one of the actions, or of the one with this text. Raises ValueError for another action."""
    def count(self, action: object) -> int:
        """1 for one of the actions or its text, else 0."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Position:
    """Everything that the players can see: kingdoms, lines, kings, the set of unseen dominoes, the seat to move. It
    holds nothing hidden. Immutable, hashable, comparable, picklable.

    `Position(rules)` is the empty table, before the first line is revealed; `parse` reads any position from its text, one
    line like a FEN. `str` gives boards for a terminal.
    """
    def __new__(cls, rules: Rules | None = None) -> Self: ...
    @classmethod
    def parse(cls, text: str) -> Self:
        """The position with this text (docs/formats/position.md). Raises SetupError, whose `faults` lists everything
        that is wrong.
        """
    def to_text(self) -> str:
        """The text that `parse` reads."""
    @property
    def rules(self) -> Rules:
        """The rules set."""
    @property
    def round(self) -> int:
        """The round: 0 while the first line is claimed, then 1 to rules.rounds."""
    @property
    def phase(self) -> Literal["claim", "place", "chance", "over"]:
        """The next step: "claim", "place" (or discard), "chance" (a line is to be revealed or a king drawn) or
        "over".
        """
    @property
    def due(self) -> Literal["line", "king"] | None:
        """The chance event that is due: "line" (continue with `reveal`) or "king" (continue with `draw`); None unless phase
        == "chance".
        """
    def play(self, action: Action | str) -> Position:
        """The position after this action, or the one with this text. If a line is to be revealed or a king drawn next,
        its phase is "chance".

        Raises IllegalActionError with the refusal, and ParseError for a text that is not an action.
        """
    def reveal(self, line: Sequence[Domino | int]) -> Position:
        """Return the position after this line is revealed. The line is a full line of unseen dominoes, or their numbers.

        Raises SetupError, whose `faults` lists everything that is wrong, also if no line is due.
        """
    def draw(self, seat: int) -> Position:
        """The position after a king of this seat is drawn, which claims next. Raises SetupError."""
    @property
    def to_move(self) -> int | None:
        """The seat whose decision it is, from 0; None in the phases "chance" and "over"."""
    @property
    def kingdoms(self) -> tuple[Kingdom, ...]:
        """The kingdoms, one for each seat."""
    @property
    def line(self) -> tuple[Slot, ...]:
        """The line whose dominoes are placed in this round, lowest number first; in round 0 the first line, which is
        being claimed. A tuple of Slot.
        """
    @property
    def next_line(self) -> tuple[Slot, ...]:
        """The line beside it, which is being claimed, lowest number first; () in round 0 and in the last round. A tuple of
        Slot.
        """
    @property
    def offered(self) -> tuple[Slot, ...]:
        """The line that is being claimed, lowest number first: `next_line`, in round 0 `line`, in the last round (). A
        tuple of Slot.
        """
    @property
    def kings_to_draw(self) -> tuple[int, ...]:
        """The seats whose kings are still to be drawn in the opening round, in seat order, each once for each of its kings;
        else (). With the snake opening only the first king is drawn, since it decides the order of the others.
        """
    @property
    def kings_to_claim(self) -> tuple[int, ...]:
        """The seats of the kings that have not claimed a domino of the line on offer, in seat order, each once for each such
        king; () if no line is on offer.
        """
    def chance_outcomes(self) -> ChanceOutcomes:
        """The possible chance events, with probabilities: a collection of pairs (LineRevealed, probability) or
        (KingDrawn, probability), made as they are read, since there are up to 194,580 lines. Empty in the other phases.
        """
    def sample(self, seed: int) -> Position:
        """Return the position after all chance events that are due, sampled: a line, a king, or both in turn. In the other
        phases, return the same position.

        seed: 0 to 2**64 - 1; the sample follows from it.
        """
    @property
    def domino(self) -> Domino | None:
        """The domino to place (or discard) now; None unless phase == "place"."""
    @property
    def settled(self) -> Domino | None:
        """The domino that the seat to move has placed or discarded in this turn, while it claims the next one; else
        None.
        """
    @property
    def dominoes_to_come(self) -> int:
        """The number of dominoes that will still be revealed."""
    @property
    def unseen(self) -> frozenset[Domino]:
        """The dominoes that have not been revealed. In games that do not use all 48, some of them never will be."""
    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
    def scores(self) -> tuple[Score, ...]:
        """The scores of the kingdoms in points, as if the game ended now; one Score for each seat."""
    def prospects(self, seat: int) -> Prospects:
        """Bounds on the future of this seat's kingdom, as Prospects. Raises KingdominoError."""
    def harmony_lost(self, seat: int) -> bool:
        """Whether this seat has lost Harmony by discarding a domino, perhaps before the game began; False under rules
        without Harmony. `prospects` also sees gaps that nothing can fill. Raises KingdominoError.
        """
    def outcome(self) -> Outcome | None:
        """How the game ended; None until it is over.

        Source: rulebooks, "end of the game". Equal scores: the largest territory by squares, then (first
        edition only) the most crowns, then the victory is shared.
        """
    def legal_actions(self) -> Actions:
        """Every legal action, each once; empty in the phases "chance" and "over"."""
    def legal_mask(self) -> bytes:
        """One byte for each action number, rules.action_count of them: 1 where it is legal, else 0."""
    def refusal(self, action: Action | str) -> Refusal | None:
        """The Refusal that says why this action (or the one with this text) is not legal now; None if it is. Raises
        ParseError for a text that is not an action.
        """
    def is_legal(self, action: Action | str) -> bool:
        """Whether this action (or the one with this text) is legal now. Raises ParseError for a text that is not an
        action.
        """
    def canonical(self, action: Action | str) -> Action:
        """This action, or the one with this text, in the form that `legal_actions` lists. Only the placement of a domino
        with two equal ends has a second form: turned round, it covers the same squares.

        Raises IllegalActionError with the refusal, and ParseError for a text that is not an action.
        """
    def equivalent(self, action: Action | str) -> Action:
        """Return the representative of the placements equivalent to this one. Equivalent placements lead to the same
        kingdom, up to a rotation or a reflection about the castle. The representative is the first of them in
        `legal_actions`. A claim or a discard represents itself.

        Raises IllegalActionError with the refusal, and ParseError for a text that is not an action.
        """
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class ChanceOutcomes:
    """The chance events possible in a position: a collection of pairs (event, probability), made as they are read."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[tuple[ChanceEvent, float]]: ...

@final
class Events(Sequence[GameEvent]):
    """The events that one action caused, in order: an immutable sequence, equal to any sequence of the same events. They
    are made as they are read, so they cost nothing in a program that ignores them.
    """
    @overload
    def __getitem__(self, index: int, /) -> GameEvent: ...
    @overload
    def __getitem__(self, index: slice, /) -> tuple[GameEvent, ...]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[GameEvent]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Game:
    """A position, the hidden deck and the history. Mutable, comparable, copyable, picklable.

    rules: the rules set; default: two players, second edition, no bonuses.
    seed: 0 to 2**64 - 1; decides the deck and the opening order, the same on every machine. By default a new
        one below 2**32 from the operating system, kept in `seed`.
    deck: the dominoes (or their numbers) in the order in which they are revealed, line by line; rules.dominoes of
        them. By default from the seed.
    opening: the seats in the order in which their kings are drawn, each once for each of its kings. By default from
        the seed.

    Raises SetupError, whose `faults` lists everything that is wrong with deck and opening, and KingdominoError for
    unknown dominoes, seats and seeds.
    """
    def __new__(
        cls,
        rules: Rules | None = None,
        seed: int | None = None,
        deck: Sequence[Domino | int] | None = None,
        opening: Sequence[int] | None = None,
    ) -> Self: ...
    @classmethod
    def from_position(
        cls,
        position: Position,
        seed: int | None = None,
        deck: Sequence[Domino | int] | None = None,
        opening: Sequence[int] | None = None,
    ) -> Self:
        """Create a game that starts in this position. The seed decides the hidden parts: the order of the unseen dominoes
        in the deck, and the order of the kings still to be drawn.

        seed: 0 to 2**64 - 1; by default a new one, as for a whole game.
        deck: the dominoes (or their numbers) that are still to come, in the order in which they are revealed; by
            default from the seed.
        opening: the seats whose kings are still to be drawn, in order; by default from the seed.

        Raises SetupError, whose `faults` lists everything that is wrong with deck and opening, and KingdominoError for
        unknown dominoes, seats and seeds.
        """
    @property
    def rules(self) -> Rules:
        """The rules set."""
    @property
    def seed(self) -> int | None:
        """The seed that decides the deck and the opening order; None if they were not made from a seed."""
    @property
    def deck(self) -> tuple[Domino, ...]:
        """The dominoes in the order in which they are revealed after the start, each line sorted."""
    @property
    def opening(self) -> tuple[int, ...]:
        """The seats in the order in which their kings are drawn."""
    @property
    def position(self) -> Position:
        """The current position: everything that the players can see."""
    @property
    def start(self) -> Position:
        """The position before the first decision."""
    @property
    def history(self) -> tuple[Action, ...]:
        """Every action since the start."""
    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
    def legal_actions(self) -> Actions:
        """Every legal action, each once; empty when the game is over."""
    def play(self, action: Action | str) -> Events:
        """Play this action, or the one with this text, then reveal lines and draw kings as they are due. Return the
        events, in order: events of kingdomino.events.

        Raises IllegalActionError with the refusal, and ParseError for a text that is not an action. The game is
        then unchanged.
        """
    def undo(self) -> Action:
        """Takes the last action back and returns it. Raises KingdominoError at the start."""
    def outcome(self) -> Outcome | None:
        """How the game ended; None until it is over.

        Source: rulebooks, "end of the game".
        """
    def layout(self, seat: int) -> dict[Coordinates, tuple[Domino, Literal["left", "right"]]]:
        """The dominoes in the kingdom of a seat that were placed in this game: (x, y) -> (domino, "left" or "right"
        end). Raises KingdominoError for an unknown seat.
        """
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, memo: dict[int, Any], /) -> Game: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Match:
    """Several games in a row by the same players: a Dynasty is three. Mutable, comparable, copyable, picklable.

    rules: the rules of all games; default: two players, second edition, no bonuses.
    seed: 0 to 2**64 - 1; decides the deals of all games. By default a new one below 2**32 from the operating
        system, kept in `seed`.
    games: the number of games, 1 to 100.
    dynasty: what counts at the end: "total" (the sum of the scores) or "best" (the best single score).

    When a game is over, the next one begins. Raises KingdominoError and RulesError.

    Source: both editions' Dynasty; "best" is a players' option.
    """
    def __new__(
        cls,
        rules: Rules | None = None,
        seed: int | None = None,
        games: int = 3,
        dynasty: Literal["total", "best"] = "total",
    ) -> Self: ...
    @classmethod
    def from_games(
        cls,
        games: Sequence[Game],
        seed: int | None = None,
        length: int = 3,
        dynasty: Literal["total", "best"] = "total",
    ) -> Self:
        """A match with these games so far. The first that is not over is the current one.

        seed: the seed of the match. Without it, the match starts no further games.
        length: the number of games in the match.
        dynasty: what counts at the end.

        Raises KingdominoError if there are no games or too many, or if their rules differ.
        """
    @property
    def rules(self) -> Rules:
        """The rules of all games."""
    @property
    def seed(self) -> int | None:
        """The seed that decides the deals of all games; None if they were not made from a seed."""
    @property
    def length(self) -> int:
        """The number of games in the match."""
    @property
    def dynasty(self) -> Literal["total", "best"]:
        """The scoring at the end: "total" or "best"."""
    @property
    def games(self) -> tuple[Game, ...]:
        """The games that have started. They are not copies: an action played in one of them is played in the match."""
    @property
    def game(self) -> Game:
        """The current game: the first that is not over, or the last one."""
    @property
    def position(self) -> Position:
        """The position of the current game: everything that the players can see."""
    def play(self, action: Action | str) -> Events:
        """Plays this action, or the one with this text, in the current game, and returns what happened, like `Game.play`.

        Raises IllegalActionError with the refusal, and ParseError for a text that is not an action. The match is
        then unchanged.
        """
    @property
    def is_over(self) -> bool:
        """Whether all its games are over."""
    def scores(self) -> tuple[Score, ...]:
        """The scores of the match so far: one Score for each seat, the sum or the best over its finished games."""
    def outcome(self) -> Outcome | None:
        """How the match ended, by `scores`; equal totals share the victory. None until all games are over.

        Source: both editions' Dynasty.
        """
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __copy__(self) -> Match: ...
    def __deepcopy__(self, memo: object, /) -> Match: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Record:
    """The record of a game: rules, revealed lines, every action, names, tags, comments, annotations,
    the result. Immutable, hashable, comparable, picklable.

    `to_text` and `to_json` give its two forms; `parse` and `from_json` are their exact inverses, and check
    everything by replaying the game. Replaying needs no random numbers.
    """
    @classmethod
    def from_game(
        cls,
        game: Game,
        players: Sequence[str] = (),
        tags: Mapping[str, str] = ...,
        comments: Mapping[int, str] = ...,
        *,
        hidden: bool = True,
    ) -> Self:
        """The record of a game.

        players: one name for each seat, or empty.
        tags: further facts about the game: one word -> one line of text.
        comments: number of plies before it -> lines of text.
        hidden: whether the record of an unfinished game also holds its seed, the rest of the deck and the kings to
            be drawn, so that `replay` can continue it.

        Raises RecordError for texts that cannot be written on lines, and for a comment after the end of the game.
        """
    def annotated(
        self, comments: Mapping[int, str] | None = None, annotations: Mapping[int, Annotation] | None = None
    ) -> Record:
        """The same record with these annotations instead of its own. None keeps its own.

        comments: number of plies before it -> lines of text.
        annotations: number of plies before the position -> its annotation.

        Raises RecordError for a ply that does not exist, a comment that cannot be written on lines, or an impossible
        figure.
        """
    @classmethod
    def parse(cls, text: str) -> Self:
        """The record with this text, in either form: text, or JSON from its `{` on. Raises RecordError, which names the
        fault and its line (in JSON: the event or the field).
        """
    @staticmethod
    def split(text: str) -> list[tuple[int, str]]:
        """Split a text into the texts of its records, each with the number of lines before it. The records are not parsed.
        A text without any record gives itself. Each record in JSON is one line.
        """
    @classmethod
    def from_json(cls, text: str) -> Self:
        """The record with this JSON text. Raises RecordError, which names the fault and its event or
        field.
        """
    def to_text(self) -> str:
        """The text that `parse` reads. It ends with a newline."""
    def to_json(self) -> str:
        """The text that `from_json` reads: one object on one line."""
    def replay(self) -> Game:
        """The game, ready to continue. Raises RecordError for an unfinished game without its deck."""
    @property
    def initial_position(self) -> Position:
        """The position at the start, in which a line or a king may be due; the empty table for a whole game."""
    def positions(self) -> list[Position]:
        """The position before each ply, and the last one. Needs no deck: without it, the last position of an
        unfinished game may be in the phase "chance".
        """
    def events(self) -> tuple[GameEvent, ...]:
        """The events, in order: a tuple of events (kingdomino.events). A whole game begins with its first line. Without its
        deck, an unfinished game may end before a line or a king that is due.
        """
    @property
    def rules(self) -> Rules:
        """The rules set."""
    @property
    def players(self) -> tuple[str, ...]:
        """The players' names, one for each seat; () if the record has none."""
    @property
    def tags(self) -> dict[str, str]:
        """Further facts about the game, like its date: one word -> one line of text."""
    @property
    def seed(self) -> int | None:
        """The seed that is written in it; None if there is none. The replayed game keeps the seed only if it gives the same
        deck and opening order.
        """
    def actions(self) -> tuple[Action, ...]:
        """Every action."""
    @property
    def comments(self) -> dict[int, str]:
        """The comments: number of plies before it -> comment, which may have several lines."""
    @property
    def annotations(self) -> dict[int, Annotation]:
        """The annotations by an analysis: number of plies before the position -> annotation."""
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it is unfinished."""
    def _repr_svg_(self) -> str | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Search:
    """A search for the best action in one position. Another run continues it.

    It samples hidden dominoes from the unseen ones and never sees a deck. Endings, in which every line still to be
    claimed from is known, are solved exactly if there is time.

    position: the position; a seat must be to move.
    seed: 0 to 2**64 - 1. With a limit of playouts, the same seed gives the same result, with any number of threads.
    actions: legal actions to compare. Only these are searched. Each gets the same number of playouts, with the same
        random numbers (common random numbers), so that a difference of two values is more accurate than the values.
        By default all legal actions are searched, and better ones get more playouts. Equivalent placements count as one.

    Raises KingdominoError, and IllegalActionError for one of the actions.

    Only one thread at a time may use it; a call while it runs in another thread raises KingdominoError.

    Source: max^n tree search with double progressive widening (crates/search/src/tree says which papers).
    """
    def __new__(
        cls, position: Position, seed: int = 0, *, actions: Sequence[Action | str] | None = None
    ) -> Self: ...
    @property
    def position(self) -> Position:
        """The position being searched."""
    @property
    def playouts(self) -> int:
        """The number of playouts from this position, as limits count them: an ending that takes long to solve counts as
        several. The analysis has those really made.
        """
    def run(
        self,
        *,
        time: float | None = None,
        playouts: int | None = None,
        nodes: int | None = None,
        threads: int = 1,
        stop: _Stop | None = None,
    ) -> Stop:
        """Run until the first limit is reached, another thread stops the search, or an ending is solved. Return a Stop that
        says which. A run makes at least one playout, unless it solves an ending.

        An ending is solved first. If that takes more than half of the time, the rest goes to playouts, and the next
        call continues solving.

        time: seconds.
        playouts: of this call, on all threads together; an ending that takes long to solve counts as several.
        nodes: of the whole tree, about 150 bytes each; by default 2**21. A full tree gets no more than one playout a
            call. After `advance`, the search starts over if more than half of the nodes are in use. Without the other
            limits, the call also ends after this number of playouts.
        threads: the most threads to use. Each grows trees of its own: at most 8, and at most one per 16,384 playouts
            of a limit.
        stop: an object with a method is_set, like threading.Event; the search ends within about 20 ms after it returns
            True.

        Other Python threads run meanwhile; Ctrl-C stops the search. Raises KingdominoError, also where no seat is to
        move.
        """
    def start(
        self,
        *,
        time: float | None = None,
        playouts: int | None = None,
        nodes: int | None = None,
        threads: int = 1,
    ) -> RunningSearch:
        """Start a run like `run` in a thread of its own, and return a RunningSearch at once. Until the run ends, other calls
        of this search raise KingdominoError.

        time, playouts, nodes, threads: as for `run`.

        Raises KingdominoError, also where no seat is to move.
        """
    def best(self) -> Action:
        """Return the best action found. Raises KingdominoError before the first run and where no seat is to move."""
    def analysis(self) -> Analysis:
        """Return every legal action, or those compared, with its values, the best first: an Analysis. Equivalent placements
        have one entry, for `Position.equivalent`, or for the first of those compared.
        """
    def advance(self, action: Action | str) -> None:
        """Move on to the position after an action and keep the tree. Figures count from there. If another of
        three or four players decides next, the search drops the tree: in it, those players may decide greedily.
        If a line is revealed or a king drawn next, it also drops the tree, and cannot run again.

        Raises IllegalActionError.
        """

@final
class RunningSearch:
    """A search that runs in a thread of its own, made by `Search.start`. Deleting it stops the run. The end of a `with`
    statement stops the run, too, and waits for it.
    """
    def stop(self) -> None:
        """Stop the run, which ends within about 20 ms. Do nothing if it has ended."""
    @overload
    def wait(self, timeout: None = None) -> Stop:
        """Wait until the run ends, and return the reason: a Stop. Return None if it has not ended after `timeout` seconds.

        Other Python threads run meanwhile; Ctrl-C ends the wait, but not the run. Raises KingdominoError.
        """
    @overload
    def wait(self, timeout: float) -> Stop | None:
        """Wait until the run ends, and return the reason: a Stop. Return None if it has not ended after `timeout` seconds.

        Other Python threads run meanwhile; Ctrl-C ends the wait, but not the run. Raises KingdominoError.
        """
    def __enter__(self) -> Self: ...
    def __exit__(self, *_error: object) -> None: ...

@final
class Judging:
    """The judgement of one decision, which is made in steps.

    position, action: a seat is to move, and the action is legal.
    playouts: on which it is based. None: as many as the time of `run` allows.
    ply: the number of the decision in its game, for the result.
    seed: 0 to 2**64 - 1. The judgement follows from position, action, playouts and seed, whatever the steps.

    Raises KingdominoError, and IllegalActionError. Only one thread at a time may use it.
    """
    def __new__(
        cls,
        position: Position,
        action: Action | str,
        playouts: int | None = None,
        *,
        ply: int = 0,
        seed: int = 0,
    ) -> Self: ...
    def step(self, playouts: int) -> bool:
        """Make at most this many playouts, or solve an ending for some 10 ms. Return whether the judgement is complete."""
    def run(self, *, time: float | None = None, stop: _Stop | None = None) -> None:
        """Do all the work that is left.

        time: seconds after which the judgement is completed roughly.
        stop: an object with a method is_set, like threading.Event; once it returns True, the judgement is completed
            roughly within about 20 ms.

        Other Python threads run meanwhile; Ctrl-C stops it.
        """
    def decision(self) -> str:
        """Return the JSON of the decision. Raises KingdominoError before the judgement is complete."""

@final
class Story:
    """A record as decisions and the chance events before them."""
    def __new__(cls, record: Record) -> Self: ...
    @property
    def plies(self) -> int:
        """The number of decisions."""
    def judging(self, ply: int, playouts: int | None, seed: int) -> Judging:
        """Return the judgement of a decision. Raises KingdominoError.

        playouts: as for Judging.
        seed: the review's.
        """
    def start(self, time: float | None, playouts: int | None, seed: int, stop: _Stop) -> str:
        """Return the JSON of the value before the first event.

        time, stop: as for Judging.run.
        playouts, seed: as for judging.
        """
    def assemble(self, start: str, decisions: Sequence[str]) -> str:
        """Return the JSON of the review of the decisions judged so far, the first ones of the game in order.

        start: the JSON of the value before the first event.
        decisions: the JSON of each decision.

        Raises KingdominoError.
        """

def summary(games: str, rules: Rules | None) -> str:
    """Return the JSON of the sums of a player's costs over many games.

    games: the JSON of the player's decisions, one list per game; each decision has round, action, choices, cost_points
        and theme.
    rules: the rules of all games, for the level.

    Raises KingdominoError.
    """

def worth(position: Position) -> str:
    """Return the JSON of the worth of each domino of the line being claimed to every kingdom."""

def reasons(position: Position, action: Action | str, better: Action | str, parts: str) -> str:
    """Return the JSON of every reason why an action is worse than a better one, the weightiest first.

    parts: the JSON of the parts of the cost; an empty list if they are not known.

    Raises IllegalActionError.
    """

def read_puzzles(text: str) -> str:
    """Return the JSON of the puzzles in a file (docs/formats/puzzles.md).

    Raises ParseError.
    """

def daily_puzzle(date: str, puzzles: int) -> int:
    """Return the index of a day's puzzle, of this many.

    date: like "2026-03-01".

    Raises ParseError.
    """

def table_rules(rules: Rules) -> str:
    """Return the JSON of a rules set and its facts."""

def table_start(position: Position) -> str:
    """Return the JSON of a position from which a game begins, and of its parts."""

def table_score(position: Position, seat: int) -> str:
    """Return the JSON of the score of a seat's kingdom during a game. Raises KingdominoError."""

def table_deal(game: Game, ply: int) -> str:
    """Return the JSON of the events of a game's deal and of its first turn, which is decision `ply`."""

def table_play(game: Game, action: Action | str, ply: int) -> str:
    """Play an action, which is decision `ply`. Return the JSON of its events and of the next turn.

    Raises IllegalActionError.
    """

def table_choices(position: Position) -> str:
    """Return the JSON of the options of the seat to move, or of None."""

def photo_read(
    picture: bytes | NDArray[np.uint8],
    size: int,
    corners: Sequence[tuple[float, float]] | None,
    taught: Taught | None,
) -> tuple[
    Kingdom | None,
    list[tuple[float, float]],
    tuple[tuple[Square | None, float, tuple[Square | None, Square | None], bool], ...],
]:
    """Return the reading of a picture, for `kingdomino.photo.read`: a kingdom or None, the corners, and for each square its content,
    probability, two other contents, and whether it is doubtful. The table is None.
    """

def photo_teach(
    picture: bytes | NDArray[np.uint8],
    squares: Sequence[Square | tuple[str, int] | None],
    size: int,
    corners: Sequence[tuple[float, float]] | None,
    taught: Taught,
) -> Taught:
    """Return the examples with the squares of a picture added, for `kingdomino.photo.teach`. The table is None."""

def playouts(
    position: Position,
    n: int = 1000,
    policy: Literal["random", "greedy", "tuned", "gprd", "fg"] = "random",
    threads: int | None = None,
    seed: int = 0,
) -> PlayoutResult:
    """Plays n games to the end from this position, each with a deck sampled from the unseen dominoes, and returns
    statistics of scores, margins and victories: a PlayoutResult.

    n: the number of playouts, 1 or more.
    policy: how all seats decide: "random" (uniformly among the legal actions), "greedy" (the placement with the
        highest score now, the claim whose domino then fits best), "tuned" (the same with regard to dominoes still
        to come, by weights tuned in matches), or the published greedy players "gprd" and "fg" (see
        crates/search/src/policies).
    threads: the number of threads; by default the number of processors.
    seed: 0 to 2**64 - 1. The same seed gives the same result, with any number of threads.

    Releases the interpreter's lock; Ctrl-C stops it. Raises KingdominoError.
    """

def best_arrangement(
    kingdom: Kingdom | None,
    dominoes: Sequence[Domino | int],
    rules: Rules,
    steps: int,
    seed: int,
) -> tuple[Kingdom, _Tiling]:
    """The best kingdom found for these dominoes in this many steps of a search, and its tiling. With a kingdom, the search has
    its dominoes, and begins at it.

    Releases the interpreter's lock; Ctrl-C stops it. Raises KingdominoError for a domino that is given twice, and for a
    kingdom that no dominoes make.
    """

def choose(
    position: Position,
    policy: Literal["random", "greedy", "tuned", "gprd", "fg"],
    seed: int,
    noise: float = 0.0,
) -> Action:
    """The action that a policy chooses in this position.

    policy: "random", "greedy", "tuned", "gprd" or "fg".
    seed: 0 to 2**64 - 1; decides the random choices.
    noise: the standard deviation, in points, of normal noise added to the value of every action. Only for "tuned".

    Raises KingdominoError, also when the game is over.
    """

def choose_by_playouts(
    position: Position,
    player: Literal["mce", "uct"],
    *,
    playout: Literal["random", "fg", "pg", "eg"] = "fg",
    exploration: float = 0.6,
    time: float | None = None,
    playouts: int | None = None,
    seed: int = 0,
    stop: _Stop | None = None,
) -> Action:
    """The action that a published search chooses in this position.

    It searches over turns: a placement and a claim together. For a placement it returns the best turn's; for
    the claim after it, it searches again, over the claims. Each playout samples a new deck from the unseen
    dominoes.

    player: "mce" (flat Monte Carlo evaluation: playouts are spread evenly over the turns; the highest mean of
        own / (own + best opponent's score) is best) or "uct" (a tree of turns; the highest win rate is best).
    playout: the turns of a playout that the policy "fg" plays, the others being random: "random" (none), "fg"
        (all), "pg" (the turns of the seat to move) or "eg" (a random quarter).
    exploration: the exploration constant of "uct", 0 to 1000.
    time: seconds.
    playouts: 1 or more. The search runs until the first limit is reached; without limits, until it is stopped.
        It makes at least one playout.
    seed: 0 to 2**64 - 1. With a limit of playouts alone, the same seed gives the same choice.
    stop: an object with a method is_set, like threading.Event; the search ends within 20 ms after it returns True.

    Releases the interpreter's lock; Ctrl-C stops it. Raises KingdominoError, also when the game is over.

    Source: Gedda, Lagerkvist and Butler, "Monte Carlo Methods for the Game Kingdomino" (IEEE CIG 2018).
    """

def derive_seed(seed: int, name: str, counter: int) -> int:
    """The seed for this name and counter under this seed, 0 to 2**64 - 1.

    Every random stream gets its seed like this, so no two streams share a generator. Game 3 of a series with seed 7 is
    `kd.Game(rules, seed=kd.derive_seed(7, "game", 3))`. The formula is in docs/formats/random.md. Raises
    KingdominoError.
    """

def level_move(position: Position, level: int, seed: int) -> tuple[Action | None, int | None]:
    """Return how a level of the bot king decides: its action; or None, and the playouts of the search that it needs (None: as
    many as there is time for).

    level: 1 to 8.
    seed: 0 to 2**64 - 1; decides the noise.

    Raises KingdominoError, also when the game is over.
    """

def perft(game: Game, depth: int) -> int:
    """The number of sequences of `depth` actions from here, with the game's own deck; 1 for a depth of 0. If two
    engines agree on it for many games, they agree on the rules.

    Releases the interpreter's lock; Ctrl-C stops it. Raises KingdominoError.

    Source: the perft ("performance test") of chess programming.
    """

@final
class Taught:
    """Examples of the squares of one box, from `kingdomino.photo.teach`. Immutable, hashable, comparable and picklable.

    `Taught()` has none. `Taught.from_bytes` reads what `to_bytes` writes.
    """
    def __new__(cls) -> Self: ...
    def to_bytes(self) -> bytes:
        """Return the examples as bytes, 129 for each direction of a square."""
    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the examples whose bytes `to_bytes` wrote. Raises KingdominoError for others."""

@final
class Batch:
    """Many games of one rules set, written into the caller's arrays.

    rules: the rules set.
    seeds: one for each game, 0 to 2**64 - 1.
    form: "planes" or "compact", the form of the observations.
    reward: "rank", "win", "score" or "margin".
    penalty: None: an illegal action is refused. A number: it ends its game with this reward.
    opponents: (policy, seed or None) of each seat except the learner's, beginning with the next. If empty, the
        caller plays every seat.
    seat: the learner's seat, with opponents. None: it changes from game to game.
    threads: the number of threads that share the work, at most one for each core.

    Raises KingdominoError, and OSError if the system cannot start the threads.
    """
    def __new__(
        cls,
        rules: Rules,
        seeds: Sequence[int],
        form: Literal["planes", "compact"] = "planes",
        reward: Literal["rank", "win", "score", "margin"] = "rank",
        penalty: float | None = None,
        opponents: Sequence[tuple[Literal["greedy", "random"], int | None]] = (),
        seat: int | None = None,
        threads: int = 1,
    ) -> Self: ...
    def __len__(self) -> int: ...
    def reset(self, seeds: Sequence[int] | None, arrays: object) -> None:
        """Starts the first game of each seed (without seeds, the next game in each row), and writes into the arrays.
        Raises KingdominoError.
        """
    def step(self, actions: NDArray[np.int64], arrays: object) -> None:
        """Plays one action in each game, given by its number, and writes into the arrays.

        Raises IllegalActionError, and changes nothing, if one of them is illegal and there is no penalty;
        KingdominoError for arrays of the wrong shape.
        """
    def sample(self, out: NDArray[np.int64]) -> None:
        """Writes a legal action number of each game, chosen uniformly at random. Raises KingdominoError, and
        TypeError if `out` is not an array of int64.
        """
    def game(self, row: int) -> Game:
        """A copy of the game in this row. Raises KingdominoError for an unknown row."""

def observe(
    position: Position, seat: int, form: Literal["planes", "compact"] = "planes"
) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    """Return a seat's observation: planes and vector (docs/formats/observation.md). In the compact form the vector is
    empty. Raises KingdominoError if the game does not have the seat, or if a line or a king is due.
    """

def observation_fields(rules: Rules) -> list[tuple[str, int, int]]:
    """The fields of the vector of an observation, in order: (name, number of words, highest possible value)."""

def rewards(position: Position, reward: Literal["rank", "win", "score", "margin"]) -> tuple[float, ...]:
    """The reward of each seat ("rank", "win", "score" or "margin"); 0 for all before the end of the game.
    Raises KingdominoError.
    """
