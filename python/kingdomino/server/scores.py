"""Rules, scores and positions as the plain values of messages (docs/formats/table.md).

Imports the library's face.
"""

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


def offered(position: kd.Position) -> tuple[kd.Domino, ...]:
    """Give the line that is being claimed: the next one, and the first in the opening."""
    return position.next_line if position.round else position.line


def in_deck(position: kd.Position) -> int:
    """Count the dominoes that still come; the other unseen ones lie in the box."""
    seen = len(kd.DOMINOES) - len(position.unseen)
    return position.rules.dominoes_in_play - seen


def counted(totals: tuple[int, ...], scores: tuple[int, ...], dynasty: str) -> tuple[int, ...]:
    """Add a game's scores to those before it, or keep the best of them (RULES: Dynasty)."""
    if dynasty == "best":
        return tuple(max(total, score) for total, score in zip(totals, scores, strict=True))
    return tuple(total + score for total, score in zip(totals, scores, strict=True))


def match_json(scores: tuple[int, ...]) -> Json:
    """Say how a Dynasty ended; a tie is shared."""
    winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
    return {
        "scores": list(scores),
        "ranking": sorted(range(len(scores)), key=lambda seat: -scores[seat]),
        "winners": winners,
        "decided_by": "score" if len(winners) == 1 else "shared",
    }
