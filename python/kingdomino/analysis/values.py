"""The values of a review. Each is immutable and comparable; `Review` is written and read as JSON.

Win probabilities are 0 to 1; a victory shared by k counts 1/k. Scores and margins are in points; a margin is a score
minus the best opponent's. Tuples of figures have one entry per seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from math import exp
from typing import Annotated

from pydantic import PlainSerializer, PlainValidator, TypeAdapter, ValidationError, WithJsonSchema

from kingdomino._core import Action
from kingdomino.analysis.why import CostPart, Reason
from kingdomino.errors import ParseError
from kingdomino.validation import explain, path


def _action(value: object) -> Action:
    return value if isinstance(value, Action) else Action.parse(str(value))


ActionText = Annotated[
    Action, PlainValidator(_action), PlainSerializer(str, return_type=str), WithJsonSchema({"type": "string"})
]
"""An action, in JSON its text."""


class Grade(StrEnum):
    """A decision by its cost in points, for programs and filters. `Grade.of` has the thresholds."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @classmethod
    def of(cls, cost_points: float) -> Grade:
        """Best: 0. Good: below 1 point. Inaccuracy: below 2. Mistake: below 4. Blunder: 4 points or more."""
        if cost_points <= 0:
            return cls.BEST
        for grade, limit in ((cls.GOOD, 1), (cls.INACCURACY, 2), (cls.MISTAKE, 4)):
            if cost_points < limit:
                return grade
        return cls.BLUNDER


class Theme(StrEnum):
    """The theme of a cost, in one word. Room: for a square, or for a territory with crowns. Order: the next turn comes
    later.
    """

    HARMONY = "harmony"
    CENTRE = "centre"
    ROOM = "room"
    CROWNS = "crowns"
    POINTS = "points"
    OPPONENT = "opponent"
    ORDER = "order"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The value of a position to each seat."""

    win_rates: tuple[float, ...]
    mean_scores: tuple[float, ...]
    mean_margin: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Alternative:
    """A possible action.

    value: the value of the position after it to each seat.
    cost, cost_points: its cost against the best action, as in `Decision`.
    line: it and the most likely continuation.
    """

    action: ActionText
    value: Evaluation
    cost: float
    cost_points: float
    line: tuple[ActionText, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a game and its cost.

    ply: its number in the record, from 0.
    seat: who decided.
    round: the round, from 1; 0 for the claims of the opening.
    action, best: the action played, and the best one, which is the one played if none is better.
    choices: the number of legal actions; equivalent placements count once. A single one cannot cost anything.
    place: the place of the action played among these, 1 for the best. The alternatives come first, then the others by
        playouts, or by value if that is exact.
    before, after: the position's value with best play, and after the action played.
    cost: the win probability that the action lost for the seat; 0 if the loss is within two errors.
    cost_points: the same for the expected margin, in points.
    decided: whether the game is decided for the seat: its win probability is below 2% or above 98% after either action.
    error, error_points: the errors of the two costs: with 50 times the playouts, 95 in 100 costs are within two of
        them. 0 if they are exact.
    exact: whether the values are the exact results of best play, not estimates.
    playouts: their number.
    line: the best action and the most likely continuation.
    why: why the action played is worse, in the game's terms; None if it is the best, or if only its chances are lower
        and no fact explains it.
    theme: the theme of the reason; None without one.
    parts: the parts that add up to the cost in points, the largest first.
    alternatives: the best actions, best first, with the one played.
    """

    ply: int
    seat: int
    round: int
    action: ActionText
    best: ActionText
    choices: int
    place: int
    before: Evaluation
    after: Evaluation
    cost: float
    cost_points: float
    decided: bool
    error: float
    error_points: float
    exact: bool
    playouts: int
    line: tuple[ActionText, ...]
    why: Reason | None
    theme: Theme | None
    parts: tuple[CostPart, ...]
    alternatives: tuple[Alternative, ...]

    @property
    def grade(self) -> Grade:
        """The grade of the cost in points. Where only chances are lost, and no points, the decision is good and not
        best.
        """
        return Grade.GOOD if self.cost and not self.cost_points else Grade.of(self.cost_points)

    @property
    def accuracy(self) -> float:
        """The accuracy of the decision, 0 to 100: 100 without a cost, 64 at 10%, 40 at 20%.

        Source: the curve that lichess uses for chess (https://lichess.org/page/accuracy), from win probabilities.
        """
        return min(100.0, max(0.0, 103.1668 * exp(-4.354 * self.cost) - 3.1669))


@dataclass(frozen=True, slots=True)
class Luck:
    """A random event before a decision, and its effect on each seat.

    ply: the number of the next decision. The review does not list an event after the last decision of an unfinished
        record.
    line: the numbers of the revealed dominoes; () if only a king was drawn.
    king: the seat whose king was drawn, or None.
    win_rates, points: the value after the event minus the expected value before it, in win probability and in
        expected margin. Win probabilities add up to 0.
    """

    ply: int
    line: tuple[int, ...]
    king: int | None
    win_rates: tuple[float, ...]
    points: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Level:
    """A level of `king`, 1 the weakest, with a 95% interval."""

    level: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Account:
    """An account of a seat's margin, in whole points: margin = start + play + luck, and play = received - cost.
    The largest part takes the rounding error.

    margin: its score minus the best opponent's.
    start: the margin to expect at the start. With three or more players, each expects to trail the best of the others.
    play: the effect of all decisions: the gain from the other seats' costs (received), less its own cost.
    luck: the effect of chance.
    """

    margin: int
    start: int
    play: int
    cost: int
    received: int
    luck: int


@dataclass(frozen=True, slots=True)
class SeatReview:
    """The sums of one seat. In win probability, and likewise in points, to rounding:
    result - start = luck - cost + received.

    decisions: the number of the seat's decisions with a choice between actions.
    cost, cost_points: their cost to the seat.
    luck, luck_points: the effect of chance.
    received, received_points: the gain from the other seats' costs.
    accuracy: the mean of the decisions' accuracies, 0 to 100; None without decisions.
    level: the level of `king` whose decisions cost as much; None unless that is clear to two levels.
    account: the account of the margin; None during the review, and for an unfinished game.
    """

    seat: int
    decisions: int
    cost: float
    cost_points: float
    luck: float
    luck_points: float
    received: float
    received_points: float
    accuracy: float | None
    level: Level | None
    account: Account | None


@dataclass(frozen=True, slots=True)
class Review:
    """The costs of a game's decisions, and the luck.

    plies: the number of decisions in the record; `decisions` has fewer during a review.
    start: the value before the first line is revealed, or of the position at which the game began.
    result: the result of the game; None for an unfinished one.
    """

    plies: int
    start: Evaluation
    result: Evaluation | None
    decisions: tuple[Decision, ...]
    luck: tuple[Luck, ...]
    seats: tuple[SeatReview, ...]

    def to_json(self) -> str:
        """The JSON text that `from_json` reads."""
        return _adapter().dump_json(self).decode()

    @classmethod
    def from_json(cls, text: str) -> Review:
        """The review with this JSON text. Raises ParseError."""
        try:
            return _adapter().validate_json(text)
        except ValidationError as error:
            first = error.errors()[0]
            raise ParseError(f"not a review: {explain(first, path(first['loc']))}", text) from None


@cache
def _adapter() -> TypeAdapter[Review]:
    return TypeAdapter(Review)
