"""Outcomes of finished games."""

from typing import Literal

import kingdomino as kd


def ended(played: kd.Game | kd.Position | kd.Match | kd.Record) -> kd.Outcome:
    """Return the outcome; fail before the end."""
    outcome = played.outcome()
    assert outcome is not None
    return outcome


def totals(outcome: kd.Outcome) -> tuple[int, ...]:
    """Return the points by seat."""
    return tuple(score.total for score in outcome.scores)


def outcome_of(
    points: tuple[int, ...],
    ranking: tuple[int, ...],
    winners: tuple[int, ...],
    decided_by: Literal["score", "largest_territory", "crowns", "shared"],
) -> kd.Outcome:
    """Make the outcome of a game without bonuses; only the winners may share a place."""
    places = tuple(1 if seat in winners else ranking.index(seat) + 1 for seat in range(len(points)))
    scores = tuple(kd.Score(total, total) for total in points)
    return kd.Outcome(scores, places, ranking, winners, decided_by)
