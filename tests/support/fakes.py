"""Fake positions with only the attributes that pictures use.

They are small enough to read beside the expected picture.
"""

from types import SimpleNamespace
from typing import cast

import kingdomino as kd

SQUARES = {(1, 0): ("wheat", 0), (2, 0): ("wheat", 1), (0, 1): ("mine", 3), (0, 2): ("swamp", 0)}
KINGDOM = kd.Kingdom.from_squares(SQUARES, size=5)


def slot(number: int, seat: int | None = None, *, is_done: bool = False) -> kd.Slot:
    """Make a slot of a line."""
    return kd.Slot(kd.DOMINOES[number - 1], seat, is_done)


NEXT_LINE = (slot(3), slot(30), slot(36, 0), slot(48))


def position_like(**changed: object) -> kd.Position:
    """Make a fake position of two players: Yellow places domino 6 in round 2."""
    kingdoms = (KINGDOM, kd.Kingdom(5))
    shown = {
        "rules": kd.Rules(players=2),
        "round": 2,
        "phase": "place",
        "to_move": 1,
        "kingdoms": kingdoms,
        "line": (slot(2, 0, is_done=True), slot(6, 1), slot(20, 0), slot(47, 1)),
        "next_line": NEXT_LINE,
        "offered": NEXT_LINE,
        "domino": kd.DOMINOES[5],
        "is_over": False,
        "outcome": lambda: None,
        "scores": lambda: tuple(kingdom.score() for kingdom in kingdoms),
    }
    return cast(kd.Position, SimpleNamespace(**(shown | changed)))
