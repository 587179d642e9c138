"""The small values of the game: terrains, ends, squares, dominoes, placements, scores.

Named tuples and string enums: immutable, hashable, comparable, picklable. Their `repr` is a constructor call.
Squares of a kingdom are ``(x, y)`` relative to the castle at ``(0, 0)``, x to the right, y up.
"""

from enum import StrEnum
from importlib import import_module
from typing import Literal, NamedTuple, Self, TypeAlias

from kingdomino.errors import ParseError

Coordinates: TypeAlias = tuple[int, int]
"""A square of a kingdom: ``(x, y)`` relative to the castle, x to the right, y up."""


class Terrain(StrEnum):
    """The terrain of a square: six terrains, and the castle, which matches them all.

    A member equals its name: ``Terrain.WHEAT == "wheat"``. Names from other editions and plurals work too:
    ``Terrain("fields") is Terrain.WHEAT``. An unknown name raises `ParseError`.
    """

    WHEAT = "wheat"
    FOREST = "forest"
    LAKE = "lake"
    GRASSLAND = "grassland"
    SWAMP = "swamp"
    MINE = "mine"
    CASTLE = "castle"

    def __repr__(self) -> str:
        return f"Terrain.{self.name}"

    @classmethod
    def _missing_(cls, value: object) -> "Terrain":
        word = str(value).strip().lower()
        singular = word.removesuffix("s")
        name = _ALIASES.get(word) or _ALIASES.get(singular)
        if name is None and singular != word:
            name = _ALIASES.get(singular.removesuffix("e"))
        if name is None:
            raise ParseError(f"no terrain is called {value!r} (there are {', '.join(cls)})", str(value))
        return cls(name)


_ALIASES = {
    "field": "wheat",
    "wood": "forest",
    "water": "lake",
    "sea": "lake",
    "ocean": "lake",
    "grass": "grassland",
    "plain": "grassland",
    "pasture": "grassland",
    "meadow": "grassland",
    "garden": "grassland",
    "village": "swamp",
    "bog": "swamp",
    "marsh": "swamp",
    "mountain": "mine",
    "cave": "mine",
} | {terrain.value: terrain.value for terrain in Terrain}


class End(NamedTuple):
    """One half of a domino: its terrain and its crowns, 0 to 3."""

    terrain: Terrain
    crowns: int = 0

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``"forest"`` or ``"mine 3"``. Raises `ParseError`."""
        terrain, _, crowns = text.strip().partition(" ")
        try:
            end = cls(Terrain(terrain), ("", "1", "2", "3").index(crowns))
        except ValueError:
            end = None
        if end is None or end.terrain is Terrain.CASTLE:
            raise ParseError(f"not the end of a domino: {text!r} (like 'forest' or 'mine 3')", text)
        return end

    def to_text(self) -> str:
        """Write the text that `parse` reads."""
        return f"{self.terrain} {self.crowns}" if self.crowns else str(self.terrain)

    def __str__(self) -> str:
        return self.to_text()


class Square(NamedTuple):
    """One covered square of a kingdom: its terrain (`Terrain.CASTLE` at (0, 0)) and its crowns, 0 to 3."""

    terrain: Terrain
    crowns: int = 0


class _Domino(NamedTuple):
    number: int
    left: End
    right: End


class Domino(_Domino):
    """One of the 48 dominoes: its number, 1 to 48, and its two ends.

    Ends may be texts: ``Domino(48, "wheat", "mine 3")``; a bad text raises `ParseError`. ``kd.DOMINOES`` has all
    dominoes in order, so number n is ``kd.DOMINOES[n - 1]``.
    """

    __slots__ = ()

    def __new__(cls, number: int, left: End | str, right: End | str) -> Self:
        """Build a domino from its ends, as `End` values or texts."""
        left, right = (End.parse(end) if isinstance(end, str) else End(*end) for end in (left, right))
        return super().__new__(cls, number, left, right)

    @property
    def crowns(self) -> int:
        """The crowns of both ends."""
        return self.left.crowns + self.right.crowns

    def __repr__(self) -> str:
        return f"Domino({self.number}, {str(self.left)!r}, {str(self.right)!r})"

    def __str__(self) -> str:
        return f"{self.number}: {self.left}, {self.right}"

    def _repr_svg_(self) -> str:
        svg: str = import_module("kingdomino.svg").domino(self)
        return svg


class Placement(NamedTuple):
    """The squares of a domino's left and right end. Its text is ``1,0>2,0``: left end, right end."""

    left: Coordinates
    right: Coordinates

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``"1,0>2,0"``. Raises `ParseError`."""
        try:
            left, right = (tuple(map(int, end.split(","))) for end in text.split(">"))
            (left_x, left_y), (right_x, right_y) = left, right
        except ValueError:
            raise ParseError(f"not a placement: {text!r} (like '1,0>2,0')", text) from None
        placement = cls((left_x, left_y), (right_x, right_y))
        if str(placement) != "".join(text.split()):
            # int() also reads 1_0, +1 and 01.
            raise ParseError(f"not a placement: {text!r} (written {placement})", text)
        return placement

    def to_text(self) -> str:
        """Write the text that `parse` reads."""
        return "{},{}>{},{}".format(*self.left, *self.right)

    def __str__(self) -> str:
        return self.to_text()


class Territory(NamedTuple):
    """A territory: connected squares of one terrain. It scores squares × crowns."""

    terrain: Terrain
    squares: frozenset[Coordinates]
    crowns: int

    @property
    def score(self) -> int:
        """Points: the number of squares times their crowns."""
        return len(self.squares) * self.crowns


class Score(NamedTuple):
    """The score of a kingdom, in points. ``total`` is the sum of the others."""

    total: int
    territories: int
    harmony: int = 0
    middle_kingdom: int = 0

    def __str__(self) -> str:
        """Write ``57 points: 42 territories, 5 Harmony, 10 Middle Kingdom``."""
        bonuses = [f"{self.harmony} Harmony"] * bool(self.harmony)
        bonuses += [f"{self.middle_kingdom} Middle Kingdom"] * bool(self.middle_kingdom)
        parts = ", ".join([f"{self.territories} territories", *bonuses])
        return f"{self.total} points" + (f": {parts}" if bonuses else "")

    def _repr_html_(self) -> str:
        return str(self)


class Slot(NamedTuple):
    """One domino of a line.

    seat: the seat that claimed it; None while it is free.
    is_done: whether it has been placed or discarded.
    """

    domino: Domino
    seat: int | None = None
    is_done: bool = False


class Prospects(NamedTuple):
    """Bounds on the future of a seat's kingdom.

    Anything outside these bounds is impossible; not everything within them is possible.

    dominoes: the dominoes that the player may still get: unseen ones if there are more lines, free ones of the line
        being claimed, and the ones under the player's kings.
    placements: how many dominoes the player will still place or discard.
    fillable: the empty squares that dominoes may still cover.
    growing: the territories that may still grow.
    harmony, middle_kingdom: whether the bonus may still be possible; False if the rules do not have it.
    """

    dominoes: frozenset[Domino]
    placements: int
    fillable: frozenset[Coordinates]
    growing: tuple[Territory, ...]
    harmony: bool
    middle_kingdom: bool


DecidedBy: TypeAlias = Literal["score", "largest_territory", "crowns", "shared"]
"""The rule that separates two seats; "shared" if none does."""


class Outcome(NamedTuple):
    """The result of a game or a match.

    scores, places: one entry per seat. Places count from 1; seats that no tie-break separates share a place.
    ranking: the seats from first to last; seats with the same place in seat order.
    winners: the seats in first place.
    decided_by: the rule that separates first from second.
    behind_by: for each seat, the rule that puts it behind the previous seat of the ranking; None for the first.
    largest_territories: the squares of the largest territory of each seat; () for a match, which has no tie-breaks.
    crowns: the crowns of each seat if they break ties (first edition), else ().

    Source: rulebooks, "end of the game".
    """

    scores: tuple[Score, ...]
    places: tuple[int, ...]
    ranking: tuple[int, ...]
    winners: tuple[int, ...]
    decided_by: DecidedBy
    behind_by: tuple[DecidedBy | None, ...] = ()
    largest_territories: tuple[int, ...] = ()
    crowns: tuple[int, ...] = ()

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of the victory, one entry per seat: 1/k for each of k winners, else 0."""
        won = 1 / len(self.winners)
        return tuple(won if seat in self.winners else 0.0 for seat in range(len(self.scores)))

    @property
    def margins(self) -> tuple[int, ...]:
        """The score minus the best opponent's, in points, one entry per seat."""
        totals = [score.total for score in self.scores]
        return tuple(own - max(totals[:seat] + totals[seat + 1 :]) for seat, own in enumerate(totals))


class RefusalCode(StrEnum):
    """Why an action is illegal. Codes are stable, even if their sentences change."""

    GAME_OVER = "game_over"
    """The game is over."""
    WAITING = "waiting"
    """A line must be revealed or a king drawn first."""
    MUST_PLACE = "must_place"
    """``domino`` must be placed or discarded first."""
    MUST_CLAIM = "must_claim"
    """A domino must be claimed now."""
    NOT_ON_OFFER = "not_on_offer"
    """``domino`` is not one of ``line``, the dominoes on offer."""
    CLAIMED = "claimed"
    """``seat`` has a king on ``domino``."""
    APART = "apart"
    """The two squares are not neighbours."""
    TAKEN = "taken"
    """``square`` is covered."""
    TOO_WIDE = "too_wide"
    """The kingdom would be ``width`` squares wide."""
    TOO_TALL = "too_tall"
    """The kingdom would be ``height`` squares tall."""
    NO_MATCH = "no_match"
    """Neither a square of ``terrains`` nor the castle touches the domino there."""
    FITS = "fits"
    """``domino`` can be placed, so it must not be discarded."""

    def __repr__(self) -> str:
        return f"RefusalCode.{self.name}"


class Refusal(NamedTuple):
    """Why an action is illegal: a code, a sentence, and their facts.

    `RefusalCode` lists the facts of each code; the others are None or empty. ``str(refusal)`` is the sentence.
    """

    code: RefusalCode
    sentence: str
    domino: Domino | None = None
    seat: int | None = None
    square: Coordinates | None = None
    width: int | None = None
    height: int | None = None
    terrains: tuple[Terrain, ...] = ()
    line: tuple[Domino, ...] = ()

    def __str__(self) -> str:
        return self.sentence


class Fault(NamedTuple):
    """A fault of a set-up or a record: a code, a sentence, and their facts.

    code: stable, even if the sentence changes (docs/formats/position.md, docs/formats/record.md).
    seat: whose king, turn or kingdom it is.
    square: the square of that kingdom.
    found, expected: the wrong number, and the right or the highest one.

    Other facts are None or empty. ``str(fault)`` is the sentence, without a full stop.
    """

    code: str
    sentence: str
    seat: int | None = None
    square: Coordinates | None = None
    dominoes: tuple[Domino, ...] = ()
    found: int | None = None
    expected: int | None = None

    def __str__(self) -> str:
        return self.sentence


class Doubt(NamedTuple):
    """Something in a kingdom on a real table that cannot be: a code, a sentence, and their facts.

    code: stable, even if the sentence changes (docs/formats/position.md).
    squares: the squares that it concerns; () if it concerns all of them.
    terrain, crowns: what these squares show.
    found, expected: the wrong number, and the right or the highest one.

    Other facts are None. ``str(doubt)`` is the sentence, without a full stop.
    """

    code: str
    sentence: str
    squares: tuple[Coordinates, ...] = ()
    terrain: Terrain | None = None
    crowns: int | None = None
    found: int | None = None
    expected: int | None = None

    def __str__(self) -> str:
        return self.sentence


class PlayoutResult(NamedTuple):
    """The statistics of ``n`` playouts of one position. Every tuple has one entry per seat.

    Scores and margins are in points. A margin is a score minus the best opponent's. A victory shared by k counts
    1/k for each, so ``win_rates`` adds up to 1. Deviations are standard deviations of one playout; the standard
    error of a mean is its deviation divided by sqrt(n).
    """

    n: int
    mean_scores: tuple[float, ...]
    mean_margin: tuple[float, ...]
    win_rates: tuple[float, ...]
    score_deviations: tuple[float, ...]
    margin_deviations: tuple[float, ...]
