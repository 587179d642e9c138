"""A seat's view of a position, as NumPy arrays (docs/formats/observation.md).

A `Position` contains only what everyone at the table can see, and so does an observation.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import kingdomino as kd
from kingdomino import _core
from kingdomino.envs.options import Form

VERSION = 1
"""The version of both forms. It changes whenever a field moves or changes its meaning."""

PLANES = 8
"""Planes per kingdom: wheat, forest, lake, grassland, swamp, mine, crowns, room."""


class Field(NamedTuple):
    """Consecutive words of the vector: their name, their place, and their highest possible value in a game."""

    name: str
    words: slice
    highest: int


def side(rules: kd.Rules) -> int:
    """Return the side of the frame of all squares that a kingdom can reach: 9, or 13 in the Mighty Duel."""
    return 2 * rules.size - 1


def planes_shape(rules: kd.Rules) -> tuple[int, int, int]:
    """Return the shape of the planes: (8 for each player, rows from the lowest, columns from the left)."""
    return PLANES * rules.players, side(rules), side(rules)


def fields(rules: kd.Rules) -> list[Field]:
    """List the fields of the vector, in order."""
    found, start = [], 0
    for name, length, highest in _core.observation_fields(rules):
        found.append(Field(name, slice(start, start + length), highest))
        start += length
    return found


def highest(rules: kd.Rules) -> NDArray[np.int16]:
    """Return the highest possible value of each word of the vector; divide by it to get numbers from 0 to 1."""
    return np.concatenate(
        [np.full(field.words.stop - field.words.start, field.highest, np.int16) for field in fields(rules)]
    )


def compact_dtype(rules: kd.Rules) -> np.dtype[np.void]:
    """Return the structured type of the compact form: ``array.view(compact_dtype(rules))`` names its parts."""
    players, frame = rules.players, side(rules)
    parts: list[Any] = [
        ("kingdoms", "u1", (players, frame, frame)),
        ("lines", "u1", (2, 4, 2)),
        ("phase", "u1"),
        ("to_move", "u1"),
        ("hand", "u1"),
        ("turn", "u1"),
        ("round", "u1"),
        ("lines_to_come", "u1"),
        ("unseen", "u1", (6,)),
        ("scores", "<i2", (players,)),
        ("kings_waiting", "u1", (players,)),
        ("players", "u1"),
        ("options", "u1", (5,)),
    ]
    return np.dtype(parts)


def observe(position: kd.Position, seat: int, form: Form = "planes") -> dict[str, NDArray[Any]]:
    """Return this seat's observation, in new arrays.

    ``{"planes": uint8 (8 · players, side, side), "vector": int16 (words,)}``, or ``{"compact": uint8
    (bytes,)}``. Raises `KingdominoError` for an unknown seat, and if a line or a king is due, because then no seat
    decides.
    """
    planes, vector = _core.observe(position, seat, form)
    return {"planes": planes, "vector": vector} if form == "planes" else {"compact": planes}


def action_mask(position: kd.Position) -> NDArray[np.int8]:
    """Return a new array with an entry for each action number: 1 if it is legal, else 0."""
    return np.frombuffer(bytearray(position.legal_mask()), np.int8)
