"""Fake positions with only the attributes that pictures use.

They are small enough to read beside the expected picture.
"""

from types import SimpleNamespace
from typing import cast

import kingdomino as kd

SQUARES = {(1, 0): ("wheat", 0), (2, 0): ("wheat", 1), (0, 1): ("mine", 3), (0, 2): ("swamp", 0)}
KINGDOM = kd.Kingdom.from_squares(SQUARES, size=5)


def position_like(**changed: object) -> kd.Position:
    """Make a fake position of two players: Yellow places domino 6 in round 2."""
    kingdoms = (KINGDOM, kd.Kingdom(5))
    shown = {
        "rules": kd.Rules(players=2),
        "round": 2,
        "phase": "place",
        "to_move": 1,
        "kingdoms": kingdoms,
        "line": (kd.DOMINOES[1], kd.DOMINOES[5], kd.DOMINOES[19], kd.DOMINOES[46]),
        "next_line": (kd.DOMINOES[2], kd.DOMINOES[29], kd.DOMINOES[35], kd.DOMINOES[47]),
        "offered": (kd.DOMINOES[2], kd.DOMINOES[29], kd.DOMINOES[35], kd.DOMINOES[47]),
        "claims": {6: 1, 20: 0, 47: 1, 36: 0},
        "domino": kd.DOMINOES[5],
        "is_over": False,
        "outcome": lambda: None,
        "scores": lambda: tuple(kingdom.score() for kingdom in kingdoms),
    }
    return cast(kd.Position, SimpleNamespace(**(shown | changed)))
