"""What a seat sees of a position, as NumPy arrays (docs/formats/observation.md).

It is made of a `Position`, which is what everyone at the table can see, so nothing hidden is in it.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import kingdomino as kd
from kingdomino import _core
from kingdomino.envs.options import Form

VERSION = 1
"""Of the observation, in all its forms. It changes whenever a word of it changes its place or meaning."""

PLANES = 8
"""Planes a kingdom: wheat, forest, lake, grassland, swamp, mine, crowns, room."""


class Field(NamedTuple):
    """Some neighbouring words of the vector: where they are, and the highest that they can be."""

    name: str
    words: slice
    highest: int


def side(rules: kd.Rules) -> int:
    """Give the side of the frame of all squares that a kingdom can reach: 9, or 13 in the Mighty Duel."""
    return 2 * rules.kingdom_size - 1


def planes_shape(rules: kd.Rules) -> tuple[int, int, int]:
    """Give the shape of the planes: eight for each player, rows (lowest first), columns (from the left)."""
    return PLANES * rules.players, side(rules), side(rules)


def fields(rules: kd.Rules) -> list[Field]:
    """List what the vector holds, in its order."""
    found, start = [], 0
    for name, length, highest in _core.observation_fields(rules):
        found.append(Field(name, slice(start, start + length), highest))
        start += length
    return found


def highest(rules: kd.Rules) -> NDArray[np.int16]:
    """Give the highest that each word of the vector can be: dividing by it leaves numbers from 0 to 1."""
    return np.concatenate(
        [np.full(field.words.stop - field.words.start, field.highest, np.int16) for field in fields(rules)]
    )


def compact_dtype(rules: kd.Rules) -> np.dtype[np.void]:
    """Give the structured type of the compact form: ``bytes.view(compact_dtype(rules))`` names its parts."""
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
    """Give what this seat sees, in new arrays.

    ``{"planes": uint8 (8 · players, side, side), "vector": int16 (words,)}``, or ``{"compact": uint8
    (bytes,)}``. Raises `KingdominoError` for a seat that the game does not have.
    """
    planes, vector = _core.observe(position, seat, form)
    return {"planes": planes, "vector": vector} if form == "planes" else {"compact": planes}


def action_mask(position: kd.Position) -> NDArray[np.int8]:
    """Give 1 where an action number is legal, else 0, in a new array with an entry for each number."""
    return np.frombuffer(bytearray(position.legal_mask()), np.int8)
