"""A review as annotations of its record."""

from __future__ import annotations

from collections.abc import Sequence

from kingdomino._core import Record
from kingdomino.analysis.graph import check_fits, player_names
from kingdomino.analysis.sentences import COST_BEGINS, cost_sentence, is_costly, reason_sentence
from kingdomino.analysis.values import Decision, Review
from kingdomino.evaluation import Annotation

_DECIMALS = {"win_rates": 4, "mean_scores": 2, "mean_margin": 2, "cost": 4, "cost_points": 2}


def annotate(record: Record, review: Review) -> Record:
    """Return the record with the review's figures before each decision, and a comment before each costly one.

    The figures are rounded: probabilities to four decimals, points to two. Comments of the record stay, but for those
    of an earlier review; a costly decision that has one gets no other. Raises `KingdominoError` if the review is not of
    this record.
    """
    check_fits(review, record)
    names = player_names(record)
    comments = {one.ply: _comment(one, names) for one in review.decisions if is_costly(one)}
    annotations = {one.ply: _annotation(one) for one in review.decisions}
    known = {ply: comment for ply, comment in record.comments.items() if not _is_of_a_review(ply, record)}
    return record.annotated(comments | known, annotations)


def _is_of_a_review(ply: int, record: Record) -> bool:
    """Whether `annotate` has written the comment: it gives the cost of the decision beside figures."""
    return ply in record.annotations and record.comments[ply].startswith(COST_BEGINS)


def _annotation(one: Decision) -> Annotation:
    def rounded(name: str, values: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(round(value, _DECIMALS[name]) for value in values)

    before = one.before
    return Annotation(
        tuple(min(1.0, max(0.0, rate)) for rate in rounded("win_rates", before.win_rates)),
        rounded("mean_scores", before.mean_scores),
        rounded("mean_margin", before.mean_margin),
        one.best,
        round(min(1.0, one.cost), _DECIMALS["cost"]),
        round(one.cost_points, _DECIMALS["cost_points"]),
    )


def _comment(one: Decision, names: Sequence[str]) -> str:
    said = cost_sentence(one, names[one.seat])
    return f"{said} {reason_sentence(one.why, names)}" if one.why else said
