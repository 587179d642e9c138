"""Rules, scores and positions as the plain values of messages (docs/formats/table.md).

Imports the library's face.
"""

from collections.abc import Iterable
from typing import Any, TypeAlias

import kingdomino as kd

Json: TypeAlias = dict[str, Any]
"""An object of a message: names to values that JSON has."""


def rules_json(rules: kd.Rules) -> Json:
    """Spell out a rules set: its options, and what follows from them."""
    return {
        "text": rules.to_text(),
        "players": rules.players,
        "edition": rules.edition,
        "mighty_duel": rules.mighty_duel,
        "harmony": rules.harmony,
        "middle_kingdom": rules.middle_kingdom,
        "opening": rules.opening,
        "size": rules.kingdom_size,
        "kings": rules.kings,
        "rounds": rules.rounds,
        "line": rules.line_length,
        "dominoes": rules.dominoes_in_play,
        "harmony_points": rules.harmony_points,
        "middle_kingdom_points": rules.middle_kingdom_points,
    }


def score_json(kingdom: kd.Kingdom, score: kd.Score, *, final: bool) -> Json:
    """Write a kingdom's score with its territories, those with most points first.

    The total includes the bonuses only when the game is over (``final``): until then they come and go.
    """
    territories = sorted(
        kingdom.territories(),
        key=lambda territory: (-territory.score, -len(territory.squares), sorted(territory.squares)),
    )
    return {
        "total": score.total if final else score.territories,
        "territories": [
            {
                "terrain": str(territory.terrain),
                "squares": sorted(map(list, territory.squares)),
                "crowns": territory.crowns,
                "points": territory.score,
            }
            for territory in territories
        ],
        "harmony": score.harmony,
        "middle_kingdom": score.middle_kingdom,
    }


def outcome_json(outcome: kd.Outcome) -> Json:
    """Say who won, and by which rule."""
    return {
        "ranking": list(outcome.ranking),
        "winners": list(outcome.winners),
        "decided_by": outcome.decided_by,
    }


def totals(scores: Iterable[kd.Score]) -> list[int]:
    """Give the points alone."""
    return [score.total for score in scores]
