from collections.abc import Iterator, Mapping, Sequence
from threading import Event
from typing import Any, ClassVar, Final, Literal, Self, TypeAlias, final, overload

import numpy as np
from numpy.typing import NDArray

from kingdomino.analysis import Analysis
from kingdomino.values import (
    Coordinates,
    Domino,
    Outcome,
    Placement,
    PlayoutResult,
    Refusal,
    Score,
    Square,
    Territory,
)

__all__ = [
    "DEBUG",
    "DOMINOES",
    "Action",
    "Actions",
    "Batch",
    "Game",
    "Kingdom",
    "Match",
    "Position",
    "Record",
    "Rules",
    "Search",
    "__version__",
    "choose",
    "choose_by_playouts",
    "derive_seed",
    "observation_fields",
    "observe",
    "perft",
    "playouts",
    "rewards",
]

_Placement: TypeAlias = Placement | tuple[Coordinates, Coordinates] | str

__version__: Final[str]
DEBUG: Final[bool]
DOMINOES: Final[tuple[Domino, ...]]

@final
class Rules:
    """A rules set. Immutable, hashable, comparable, picklable.

    players: 2 to 4.
    edition: "first" or "second". They differ in the game of three (first: 36 dominoes in lines of
        three; second: all 48 in lines of four, of which one is left over) and in the tie-break.
    mighty_duel: the game of two with all 48 dominoes and kingdoms of 7x7.
    harmony: 5 points more for a kingdom that fills its whole square.
    middle_kingdom: 10 points more for a castle in the middle of its kingdom.
    opening: "random", each king is drawn; or "snake", for two players: one of them claims first and
        fourth, the other second and third.

    Raises RulesError for an option that does not exist and for options that do not go together.

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
        """The rules set with this text, like "2.second.random.duel.harmony.middle": the players, the edition,
        the opening, then the options that apply. Raises ParseError.
        """
    def replace(self, **changes: object) -> Rules:
        """The same rules with these options changed: `rules.replace(harmony=True)`. Raises RulesError."""
    def to_text(self) -> str:
        """The text that `parse` reads."""
    @property
    def players(self) -> int:
        """How many play: 2 to 4."""
    @property
    def edition(self) -> Literal["first", "second"]:
        """ "first" or "second"."""
    @property
    def mighty_duel(self) -> bool:
        """Whether it is the game of two with all dominoes and kingdoms of 7x7."""
    @property
    def harmony(self) -> bool:
        """Whether a kingdom without a gap scores 5 points more."""
    @property
    def middle_kingdom(self) -> bool:
        """Whether a castle in the middle scores 10 points more."""
    @property
    def opening(self) -> Literal["random", "snake"]:
        """How the kings come up in the opening round: "random" or "snake"."""
    @property
    def kingdom_size(self) -> int:
        """How many squares wide and tall a kingdom may become: 5, or 7 in the Mighty Duel."""
    @property
    def line_length(self) -> int:
        """How many dominoes a line has: 4, or 3 for three players in the first edition."""
    @property
    def kings(self) -> int:
        """How many kings each player has: 2 in the game of two, else 1."""
    @property
    def rounds(self) -> int:
        """How many lines a game has: 6 in the game of two on 5x5, else 12."""
    @property
    def dominoes_in_play(self) -> int:
        """How many dominoes come up in a game: 24, 36 or 48."""
    @property
    def plies(self) -> int:
        """How many decisions a game has. Discards count too."""
    @property
    def harmony_points(self) -> int:
        """What Harmony is worth: 5 points, or 0 without that bonus."""
    @property
    def middle_kingdom_points(self) -> int:
        """What Middle Kingdom is worth: 10 points, or 0 without that bonus."""
    @property
    def action_count(self) -> int:
        """How many action numbers there are: 373 for 5x5 and 725 for 7x7; they count from 0."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[Any, ...]: ...

@final
class Kingdom:
    """One player's squares, the castle at (0, 0). Immutable, hashable, comparable, picklable.

    `Kingdom(size)` is the castle alone; `size` is how many squares wide and tall it may become: 5, or
    7 in the Mighty Duel. Squares are (x, y) relative to the castle, x to the right, y up. Equal
    kingdoms have the same squares and the same size.

    Raises SetupError for any other size.
    """
    def __new__(cls, size: int = 5) -> Self: ...
    @classmethod
    def from_squares(cls, squares: Mapping[Coordinates, tuple[str, int]], size: int = 5) -> Self:
        """The kingdom with these squares: (x, y) -> (terrain, crowns), without the castle.

        Terrains are called as in `Terrain`, or as in other editions; crowns are 0 to 3. Whether play
        can have led to it is not asked.

        Raises SetupError, whose `faults` lists everything that is wrong: unknown terrains, impossible
        crowns, a box that is too large, squares that are not connected to the castle.
        """
    @classmethod
    def parse(cls, text: str, size: int = 5) -> Self:
        """The kingdom with this text, like "w1ff/.C.": rows from the top, "." empty, "C" the castle, a
        terrain its first letter, then its crowns. Raises SetupError with all faults.
        """
    def to_text(self) -> str:
        """The text that `parse` reads."""
    @property
    def size(self) -> int:
        """How many squares wide and tall it may become: 5 or 7."""
    @property
    def squares(self) -> dict[Coordinates, Square]:
        """What lies where: (x, y) -> Square(terrain, crowns), the castle included, the highest row first."""
    @property
    def box(self) -> tuple[Coordinates, Coordinates]:
        """The smallest box around all squares: its lowest corner, (min x, min y), and its highest."""
    @property
    def crowns(self) -> int:
        """The crowns on all its squares together."""
    def placements(self, domino: Domino | int) -> list[Placement]:
        """Every legal placement of a domino (or of the one with this number), each once: of a domino
        whose ends are alike, only one of the two ways round. Raises KingdominoError.

        Source: rulebooks, "connecting": one end at least must touch the castle or its own terrain.
        """
    def refusal(self, domino: Domino | int, placement: _Placement) -> Refusal | None:
        """Why this domino may not be placed there, a Refusal, or None if it may. Placements are given as for
        `Action.place`. Raises KingdominoError for a domino or squares that do not exist.
        """
    def place(self, domino: Domino | int, placement: _Placement) -> Kingdom:
        """The kingdom with this domino added. Raises IllegalActionError with what `refusal` returns."""
    def territories(self) -> list[Territory]:
        """Its territories, terrain by terrain: the largest sets of squares of one terrain that are
        connected side by side. The castle belongs to none.
        """
    def score(self, rules: Rules | None = None) -> Score:
        """What it is worth, in points, as if the game ended now: each territory its squares times its
        crowns, and the bonuses that the rules have; none without rules.
        """
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Action:
    """One decision: to claim a domino, to place the claimed domino or to discard it. Immutable, hashable,
    comparable, picklable. Sorted in the order of their numbers: claims, the discard, placements.

    Made by `parse`, `claim`, `place`, `discard` or `from_number`. Whether it is legal depends on the position.
    """
    @classmethod
    def parse(cls, text: str) -> Self:
        """The action with this text: "claim 17", "place 1,0>2,0" (the left end at (1, 0), the right end at (2, 0) of
        the player's kingdom) or "discard". Raises ParseError for any other text.
        """
    def to_text(self) -> str:
        """The text that `parse` reads."""
    @classmethod
    def claim(cls, domino: Domino | int) -> Self:
        """To put a king on this domino, or on the one with this number. Raises KingdominoError."""
    @classmethod
    def place(cls, placement: _Placement) -> Self:
        """To place the claimed domino there: a Placement, its text, or ((x, y) of the left end, (x, y) of the right
        end). Raises KingdominoError.
        """
    @classmethod
    def discard(cls) -> Self:
        """To discard the claimed domino, which fits nowhere."""
    @classmethod
    def from_number(cls, number: int, rules: Rules) -> Self:
        """The action with this number, 0 to rules.action_count - 1. Raises KingdominoError if no action has it: at
        the edge of the frame some placements would lead out of it.
        """
    def number(self, rules: Rules) -> int:
        """Its number, which means the same in every position of these rules.

        Domino n is claimed by n - 1, 48 discards, and a placement is
        49 + 4 * ((y + r) * (2 * r + 1) + x + r) + d, where (x, y) is the square of the left end, r is
        4 for kingdoms of 5x5 and 6 for 7x7, and d says where the right end lies, seen from the left:
        0 to the right, 1 above, 2 to the left, 3 below.

        Raises KingdominoError for a placement that no kingdom of these rules can reach.
        """
    @property
    def kind(self) -> Literal["claim", "place", "discard"]:
        """ "claim", "place" or "discard"."""
    @property
    def domino(self) -> Domino | None:
        """The domino that is claimed; None for a placement or a discard."""
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
    """The legal actions of a position, each once: an immutable sequence. It is equal to any other sequence of the same
    actions.

    `action in actions` takes an action or its text and costs the same for any number of actions. Of the two ways to
    place a domino whose ends are alike, only one is in the sequence; `Position.is_legal` accepts both.
    """
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Action: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Action]: ...
    def __iter__(self) -> Iterator[Action]: ...
    def __contains__(self, action: object, /) -> bool: ...
    def index(self, action: Action | str) -> int:  # type: ignore[override]  # no range to search in
        """The place of an action, or of the one with this text, in the sequence. Raises ValueError if it is not legal."""
    def count(self, action: object) -> int:
        """1 for a legal action, or its text, else 0."""
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Position:
    """What everyone at the table can see: kingdoms, lines, kings, the set of unseen dominoes, whose
    decision it is. Immutable, hashable, comparable, picklable. Nothing hidden is in it.

    Made by `parse` from its text, one line like a FEN. `str` gives boards for a terminal.
    """
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
        """0 while the first line is claimed, then 1 to rules.rounds."""
    @property
    def phase(self) -> Literal["claim", "place", "chance", "over"]:
        """What comes next: "claim", "place" (or discard), "chance" (a line is to be revealed or a king drawn) or "over"."""
    @property
    def due(self) -> Literal["line", "king"] | None:
        """What is hidden and due: "line" (go on with `reveal`), "king" (go on with `draw`); None unless phase ==
        "chance".
        """
    def play(self, action: Action | str) -> Position:
        """The position after this action, or the one with this text. Where something hidden comes next its phase is
        "chance".

        Raises IllegalActionError with the refusal, and ParseError for a text that is not an action.
        """
    def reveal(self, line: Sequence[Domino | int]) -> Position:
        """The position after this line is revealed: as many unseen dominoes, or their numbers, as a line has.

        Raises SetupError, whose `faults` lists everything that is wrong, also if no line is due.
        """
    def draw(self, seat: int) -> Position:
        """The position after a king of this seat is drawn, which claims next. Raises SetupError."""
    @property
    def to_move(self) -> int | None:
        """The seat whose decision it is, from 0; None in the phases "chance" and "over"."""
    @property
    def kingdoms(self) -> tuple[Kingdom, ...]:
        """The kingdoms, one a seat."""
    @property
    def line(self) -> tuple[Domino, ...]:
        """The line whose kings act, lowest number first: its dominoes are placed in this round. In round
        0 the first line, which is being claimed.
        """
    @property
    def next_line(self) -> tuple[Domino, ...]:
        """The line that is being claimed, lowest number first; () in round 0 and in the last round."""
    @property
    def offered(self) -> tuple[Domino, ...]:
        """The line that is being claimed, lowest number first: `next_line`, in round 0 `line`, in the last round ()."""
    @property
    def claims(self) -> dict[int, int]:
        """Whose kings stand where: number of the domino -> seat, for both lines. A king whose domino has been placed or
        discarded stands nowhere until it claims.
        """
    @property
    def domino(self) -> Domino | None:
        """The domino to place (or discard) now; None unless phase == "place"."""
    @property
    def settled(self) -> Domino | None:
        """The domino that the seat to move has placed or discarded in this turn, while it claims the next one; else None."""
    @property
    def dominoes_to_come(self) -> int:
        """How many dominoes will still come up."""
    @property
    def unseen(self) -> frozenset[Domino]:
        """The dominoes that have not come up yet. In games that leave dominoes in the box some of them never will."""
    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
    def scores(self) -> tuple[Score, ...]:
        """What the kingdoms are worth, in points, as if the game ended now; one Score a seat."""
    def outcome(self) -> Outcome | None:
        """How the game ended; None until it is over.

        Source: rulebooks, "end of the game". Equal scores: the largest territory by squares, then (first
        edition only) the most crowns, then the victory is shared.
        """
    def legal_actions(self) -> Actions:
        """Every legal action, each once; none in the phases "chance" and "over"."""
    def legal_mask(self) -> bytes:
        """One byte for each action number, rules.action_count of them: 1 where it is legal, else 0."""
    def refusal(self, action: Action | str) -> Refusal | None:
        """Why this action (or the one with this text) is not legal now, a Refusal, or None if it is. Raises
        ParseError for a text that is not an action.
        """
    def is_legal(self, action: Action | str) -> bool:
        """Whether this action (or the one with this text) is legal now. Raises ParseError for a text that is not an
        action.
        """
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Game:
    """A position, the hidden deck behind it, and how it came about. Mutable, comparable, copyable,
    picklable.

    rules: the rules set; default: two players, second edition, no bonus.
    seed: 0 to 2**64 - 1; the deck and the opening order follow from it, the same on every machine. By
        default a new one below 2**32 from the operating system, kept in `seed`.
    deck: the dominoes (or their numbers) in the order in which they come up, line by line, as many as
        rules.dominoes_in_play; by default from the seed.
    opening: the seats in the order in which their kings are drawn, each as often as it has kings; by
        default from the seed.

    Raises SetupError, whose `faults` lists everything that is wrong with deck and opening, and
    KingdominoError for dominoes, seats and seeds that do not exist.
    """
    def __new__(
        cls,
        rules: Rules | None = None,
        seed: int | None = None,
        deck: Sequence[Domino | int] | None = None,
        opening: Sequence[int] | None = None,
    ) -> Self: ...
    @classmethod
    def from_position(cls, position: Position, seed: int) -> Self:
        """A game that goes on from a position. What is hidden is sampled: the deck from the unseen
        dominoes, the kings still to be drawn; both follow from the seed. Raises KingdominoError.
        """
    @property
    def rules(self) -> Rules:
        """The rules set."""
    @property
    def seed(self) -> int | None:
        """The seed that the deck and the opening order follow from; None where they follow from none."""
    @property
    def deck(self) -> tuple[Domino, ...]:
        """The dominoes that have come up and will come up since the start of this game, in their order,
        each line sorted.
        """
    @property
    def opening(self) -> tuple[int, ...]:
        """The seats in the order in which their kings are drawn."""
    @property
    def position(self) -> Position:
        """What everyone can see now."""
    @property
    def start(self) -> Position:
        """The position before the first decision."""
    @property
    def history(self) -> tuple[Action, ...]:
        """Every decision since the start."""
    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
    def legal_actions(self) -> Actions:
        """Every legal action, each once; none when the game is over."""
    def play(self, action: Action | str) -> None:
        """Plays this action, or the one with this text. Where a line or a king is due then, it is revealed or drawn.

        Raises IllegalActionError with the refusal, and ParseError for a text that is not an action. The game is then
        unchanged.
        """
    def undo(self) -> Action:
        """Takes the last decision back and returns it. Raises KingdominoError at the start."""
    def outcome(self) -> Outcome | None:
        """How the game ended; None until it is over.

        Source: rulebooks, "end of the game".
        """
    def layout(self, seat: int) -> dict[Coordinates, tuple[Domino, Literal["left", "right"]]]:
        """Which end of which domino lies where in the kingdom of a seat: (x, y) -> (domino, "left" or
        "right"), as far as this game saw it placed. Raises KingdominoError for an unknown seat.
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

    rules: the rules of all games; default: two players, second edition, no bonus.
    seed: 0 to 2**64 - 1; the deals of all games follow from it. By default a new one below 2**32 from
        the operating system, kept in `seed`.
    games: how many, 1 to 100.
    dynasty: what counts at the end, "total" (the sum of the scores) or "best" (the best single score).

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
        """A match that has come as far as these games, of which the last may be unfinished.

        seed: that of a match whose games these are. Without it, no game begins by itself.
        length: how many games the match has.
        dynasty: what counts at the end.

        Raises KingdominoError if there are no games or too many, or if they cannot follow each other.
        """
    @property
    def rules(self) -> Rules:
        """The rules of all games."""
    @property
    def seed(self) -> int | None:
        """The seed that the deals of all games follow from; None where they follow from none."""
    @property
    def length(self) -> int:
        """How many games it has."""
    @property
    def dynasty(self) -> Literal["total", "best"]:
        """What counts at the end: "total" or "best"."""
    @property
    def games(self) -> tuple[Game, ...]:
        """The games that have begun. They are the match's own: what is played in them is played in the match."""
    @property
    def game(self) -> Game:
        """The current game: the first that is not over, or the last one."""
    @property
    def position(self) -> Position:
        """What everyone can see of the current game."""
    def play(self, action: Action | str) -> None:
        """Plays this action, or the one with this text, in the current game.

        Raises IllegalActionError with the refusal, and ParseError for a text that is not an action. The match is then
        unchanged.
        """
    @property
    def is_over(self) -> bool:
        """Whether all its games are over."""
    def scores(self) -> tuple[Score, ...]:
        """What the finished games came to: one Score a seat, the sum or the best."""
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
    """A game as it is written down: headers, the lines as they were revealed, every action, comments,
    the result. Immutable, hashable, comparable, picklable.

    `to_text` and `to_json` give its two forms; `parse` and `from_json` are their exact inverses, and
    check everything that a record says by playing it through. Replaying needs no random numbers.
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

        hidden: whether the record of an unfinished game also holds its seed and what is still hidden, the deck and the
            kings to be drawn, so that `replay` can go on with it.
        players: one name a seat, or none at all.
        tags: what else is said about the game: one word -> one line of text.
        comments: number of plies before it -> lines of text.

        Raises RecordError for words that could not be written down, and for a comment beyond the last ply.
        """
    @classmethod
    def parse(cls, text: str) -> Self:
        """The record with this text. Raises RecordError, which names the line and what is wrong with it."""
    @classmethod
    def from_json(cls, text: str) -> Self:
        """The record with this JSON text. Raises RecordError, which names the event or the field."""
    def to_text(self) -> str:
        """The text that `parse` reads: lines of words, the last one ended too."""
    def to_json(self) -> str:
        """The text that `from_json` reads: one object on one line."""
    def replay(self) -> Game:
        """The game, ready to go on. Raises RecordError for an unfinished game whose deck it does not know."""
    def positions(self) -> list[Position]:
        """The position before each ply, and the one after the last. Needs no deck: where the record of an unfinished
        game does not say what came after its last ply, the last position is in the phase "chance".
        """
    @property
    def rules(self) -> Rules:
        """The rules set."""
    @property
    def players(self) -> tuple[str, ...]:
        """The players' names, one a seat; () if the record has none."""
    @property
    def tags(self) -> dict[str, str]:
        """What else is said about the game: its date, its event."""
    @property
    def seed(self) -> int | None:
        """The seed that the deck follows from; None where it is not known."""
    @property
    def actions(self) -> tuple[Action, ...]:
        """Every decision."""
    @property
    def comments(self) -> dict[int, str]:
        """Number of plies before it -> comment, which may have several lines."""
    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it is unfinished."""
    def _repr_svg_(self) -> str | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Search:
    """A search for the best action of a position: what it knows, to be thought about further.

    It samples what is hidden from the unseen dominoes, and never sees a deck.
    Endings (every line that will be claimed from is known) are solved exactly instead, if there is time.

    position: what everyone at the table can see; somebody must be to move.
    seed: 0 to 2**64 - 1. With a limit of playouts the answer follows from it, whatever the number of
        threads.

    One thread at a time may use it: a call while another one thinks is a KingdominoError.

    Source: max^n tree search with double progressive widening (crates/search/src/tree says which papers).
    """
    def __new__(cls, position: Position, seed: int = 0) -> Self: ...
    @property
    def position(self) -> Position:
        """What is thought about."""
    @property
    def playouts(self) -> int:
        """How many playouts have been made from this position."""
    def run(
        self,
        *,
        time: float | None = None,
        playouts: int | None = None,
        nodes: int | None = None,
        threads: int = 1,
        stop: Event | None = None,
    ) -> bool:
        """Thinks until the first limit is reached; without any, until it is stopped or has solved an ending.

        An ending is solved first. Where that takes more than half of the time, the rest goes to playouts, and
        the next call goes on solving. Something is always thought, however short the time.

        time: seconds.
        playouts: of this call, on all threads together.
        nodes: of the whole tree, some 150 bytes each; by default 2**21.
        threads: how many work together.
        stop: anything with a method is_set, like threading.Event: when it says True the search ends, within
            20 ms.

        Returns whether a limit was reached (False: it was stopped). Runs without the interpreter's lock;
        Ctrl-C stops it. Raises KingdominoError.
        """
    def best(self) -> Action:
        """The best action that has been found. Raises KingdominoError before any thought."""
    def analysis(self) -> Analysis:
        """Every legal action with what is known of it, the best first: an Analysis."""
    def advance(self, action: Action | str) -> None:
        """Goes on to the position after an action, and keeps what is known of it. Where a line is revealed or
        a king drawn next there is nothing to keep; the search is then of no more use.

        Raises IllegalActionError.
        """

def playouts(
    position: Position,
    n: int = 1000,
    policy: Literal["random", "greedy", "tuned", "gprd", "fg"] = "random",
    threads: int | None = None,
    seed: int = 0,
) -> PlayoutResult:
    """Finishes a game n times from this position, each time with a deck sampled from the unseen
    dominoes, and returns the statistics of scores, margins and victories: a PlayoutResult.

    n: how many playouts, 1 or more.
    policy: how all seats decide: "random" (uniformly among the legal actions), "greedy" (the
        placement with the highest score now, the claim whose domino then fits best), "tuned" (the
        same with what is still to come in view, by weights that matches have found), or one of the
        published greedy players "gprd" and "fg" (crates/search/src/policies says what they do).
    threads: how many work together; by default as many as there are processors.
    seed: 0 to 2**64 - 1. The result follows from it, whatever the number of threads.

    Runs without the interpreter's lock; Ctrl-C stops it. Raises KingdominoError.
    """

def choose(
    position: Position,
    policy: Literal["random", "greedy", "tuned", "gprd", "fg"],
    seed: int,
    noise: float = 0.0,
) -> Action:
    """What a policy does in this position.

    policy: "random", "greedy", "tuned", "gprd" or "fg".
    seed: 0 to 2**64 - 1; what is left to chance follows from it.
    noise: by how many points (one standard deviation) the tuned policy misjudges every action; the other
        policies know no points.

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
    stop: Event | None = None,
) -> Action:
    """What a published search chooses in this position.

    It searches over turns, a placement and a claim together. Asked for a placement it gives that of the best
    turn; asked for the claim that follows, it searches again, over the claims. What is hidden it samples from
    the unseen dominoes, afresh in every playout.

    player: "mce" (flat Monte Carlo evaluation: playouts spread evenly over the turns, the highest mean of
        own / (own + best rival's score) wins) or "uct" (a tree of turns, the highest rate of victories wins).
    playout: whose turns in the playouts are those of the policy "fg", all others being random: "random"
        (nobody's), "fg" (all), "pg" (those of the seat to move) or "eg" (one in four).
    exploration: how much the tree tries that looks worse, 0 or more: the factor of its confidence bound.
    time: seconds.
    playouts: 1 or more. It thinks until the first limit is reached; without any, until it is stopped. There
        is always one playout.
    seed: 0 to 2**64 - 1. With a limit of playouts alone the choice follows from it.
    stop: anything with a method is_set, like threading.Event: when it says True the search ends, within
        20 ms.

    Runs without the interpreter's lock; Ctrl-C stops it. Raises KingdominoError, also when the game is over.

    Source: Gedda, Lagerkvist and Butler, "Monte Carlo Methods for the Game Kingdomino" (IEEE CIG 2018).
    """

def derive_seed(seed: int, name: str, counter: int) -> int:
    """A seed of its own, 0 to 2**64 - 1, for whatever (seed, name, counter) names.

    Everything random derives its seed like this, so that nothing shares a generator: game 3 of a
    series with seed 7 is `kd.Game(rules, seed=kd.derive_seed(7, "game", 3))`. The formula is in
    docs/formats/random.md. Raises KingdominoError.
    """

def perft(game: Game, depth: int) -> int:
    """How many sequences of `depth` decisions there are from here, with the game's own deck; 1 for a
    depth of 0. Two engines that agree on it for many games agree on the rules of play.

    Runs without the interpreter's lock; Ctrl-C stops it. Raises KingdominoError.

    Source: the perft ("performance test") of chess programming.
    """

@final
class Batch:
    """Many games of one rules set, which write into arrays of the caller.

    rules: the rules set.
    seeds: one a game, 0 to 2**64 - 1.
    form: "planes" or "compact", how observations are written.
    reward: "rank", "win", "score" or "margin".
    penalty: None, and an illegal action is refused; or what it earns, and its game ends.
    opponents: (policy, seed or None) of each seat except the learner's, beginning with the next; without any, the
        caller plays every seat.
    seat: the learner's seat if there are opponents; None: another one from game to game.
    threads: how many share the work.

    Raises KingdominoError, and OSError if the system gives no more threads.
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
    def reset(self, seeds: Sequence[int], arrays: object) -> None:
        """Starts each game with its seed, and writes into the arrays. Raises KingdominoError."""
    def step(self, actions: NDArray[np.int64], arrays: object) -> None:
        """Plays an action in each game, given by its number, and writes into the arrays.

        Raises IllegalActionError, and changes nothing, if one of them is illegal and there is no penalty;
        KingdominoError for arrays that do not fit.
        """
    def sample(self, out: NDArray[np.int64]) -> None:
        """Writes a random legal action of each game, each as likely as the others. Raises KingdominoError, and
        TypeError if `out` is not an array of int64.
        """
    def game(self, row: int) -> Game:
        """A copy of the game in this row. Raises KingdominoError for an unknown row."""

def observe(
    position: Position, seat: int, form: Literal["planes", "compact"] = "planes"
) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    """What a seat sees: planes, a vector (docs/formats/observation.md). In the compact form the vector is
    empty. Raises KingdominoError for a seat that there is not.
    """

def observation_fields(rules: Rules) -> list[tuple[str, int, int]]:
    """What the vector of an observation holds: (name, how many words, the highest that they can be), in its
    order.
    """

def rewards(position: Position, reward: Literal["rank", "win", "score", "margin"]) -> tuple[float, ...]:
    """What the end of a game is worth to each seat ("rank", "win", "score" or "margin"); 0 for all while it
    goes on. Raises KingdominoError.
    """
