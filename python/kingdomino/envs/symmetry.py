"""The eight symmetries of the square, for observations, legal masks and actions.

Rotating or reflecting a kingdom about its castle preserves legality and scores, so every decision gives eight training
examples.

    >>> import kingdomino as kd
    >>> from kingdomino.envs.symmetry import SYMMETRIES
    >>> turned = SYMMETRIES[1]
    >>> str(turned.action(kd.Action.parse("place 1,0>2,0"), kd.Rules()))
    'place 0,1>0,2'

All kingdoms of a position are mapped alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

import kingdomino as kd
from kingdomino.envs.observation import compact_dtype, fields, side

_LAST_DOUBLE = sum(domino.left == domino.right for domino in kd.DOMINOES)  # doubles have the lowest numbers


@dataclass(frozen=True, slots=True)
class Symmetry:
    """Quarter turns to the left about the castle, after swapping left and right if ``mirrored``."""

    turns: int
    mirrored: bool

    @property
    def inverse(self) -> "Symmetry":
        """The symmetry that undoes this one."""
        return self if self.mirrored else Symmetry(-self.turns % 4, mirrored=False)

    def square(self, square: kd.Coordinates) -> kd.Coordinates:
        """Return the image of this square (x, y)."""
        x, y = square
        if self.mirrored:
            x = -x
        for _ in range(self.turns):
            x, y = -y, x
        return x, y

    def kingdom(self, kingdom: kd.Kingdom) -> kd.Kingdom:
        """Return the mapped kingdom."""
        squares = kingdom.squares.items()
        return kd.Kingdom.from_squares(
            {self.square(at): (str(terrain), crowns) for at, (terrain, crowns) in squares if at != (0, 0)},
            kingdom.size,
        )

    def action(self, action: kd.Action, rules: kd.Rules, *, double: bool = False) -> kd.Action:
        """Return the mapped action. Only placements change.

        ``double``: the domino to be placed has two equal ends. The result then has the canonical form, with the left or
        lower end first (docs/formats/action.md).
        """
        number = action.number(rules)
        return kd.Action.from_number(int(_numbers(self, rules, double)[number]), rules)

    def numbers(self, numbers: NDArray[np.integer[Any]], rules: kd.Rules) -> NDArray[np.int64]:
        """Return the mapped action numbers, for dominoes with two different ends."""
        mapped: NDArray[np.int64] = _numbers(self, rules, False)[numbers]
        return mapped

    def observation(self, seen: Mapping[str, NDArray[Any]], rules: kd.Rules) -> dict[str, NDArray[Any]]:
        """Return the mapped observation, in new arrays.

        ``seen`` has the arrays of `observation.observe`, and optionally an ``action_mask``. All arrays can have leading
        dimensions, such as one for the games of a batch. Raises `KingdominoError` for any other form.
        """
        frame = _squares(self, rules)
        mapped: dict[str, NDArray[Any]] = {name: array.copy() for name, array in seen.items()}
        if "planes" in seen:
            flat = seen["planes"].reshape(*seen["planes"].shape[:-2], -1)
            mapped["planes"][:] = flat[..., frame].reshape(seen["planes"].shape)
        elif "compact" in seen:
            parts = mapped["compact"].view(compact_dtype(rules))
            kingdoms = parts["kingdoms"].reshape(*parts.shape, rules.players, -1)
            parts["kingdoms"] = kingdoms[..., frame].reshape(parts["kingdoms"].shape)
        else:
            raise kd.KingdominoError(f"neither planes nor compact: an observation of {', '.join(seen)}")
        if "action_mask" in seen:
            double = _double_in_hand(seen, rules)[..., None]
            mask = seen["action_mask"]
            mapped["action_mask"][:] = np.where(
                double, _mapped_mask(self, mask, rules, True), _mapped_mask(self, mask, rules, False)
            )
        return mapped

    def after(self, seen: Mapping[str, NDArray[Any]], number: int, rules: kd.Rules) -> int:
        """Return the number of this action of ``seen`` in the mapped observation."""
        return int(_numbers(self, rules, bool(_double_in_hand(seen, rules)))[number])


SYMMETRIES = tuple(Symmetry(turns, mirrored) for mirrored in (False, True) for turns in range(4))
"""All eight; the first is the identity."""


def _double_in_hand(seen: Mapping[str, NDArray[Any]], rules: kd.Rules) -> NDArray[np.bool_]:
    if "planes" in seen:
        (hand,) = (field.words.start for field in fields(rules) if field.name == "hand.number")
        number = seen["vector"][..., hand]
    else:
        number = seen["compact"].view(compact_dtype(rules))["hand"].squeeze(-1)
    return (number > 0) & (number <= _LAST_DOUBLE)


@cache
def _squares(symmetry: Symmetry, rules: kd.Rules) -> NDArray[np.int64]:
    """Return, for each index of a mapped plane, the original index of its square."""
    width = side(rules)
    reach = width // 2
    before = symmetry.inverse.square
    places = [before((x, y)) for y in range(-reach, reach + 1) for x in range(-reach, reach + 1)]
    return np.array([(y + reach) * width + x + reach for x, y in places])


@cache
def _numbers(symmetry: Symmetry, rules: kd.Rules, double: bool) -> NDArray[np.int64]:
    """Return the mapped number of every action. Numbers without an action are unchanged."""
    numbers = np.arange(rules.action_count)
    for number in range(rules.action_count):
        try:
            placement = kd.Action.from_number(number, rules).placement
        except kd.KingdominoError:
            continue
        if placement is not None:
            ends = [symmetry.square(end) for end in placement]
            left, right = sorted(ends) if double else ends
            numbers[number] = kd.Action.place((left, right)).number(rules)
    return numbers


def _mapped_mask(symmetry: Symmetry, mask: NDArray[Any], rules: kd.Rules, double: bool) -> NDArray[Any]:
    mapped = np.zeros_like(mask)
    numbers = _numbers(symmetry, rules, double)
    if double:
        # Two numbers can have the same image, but only a placement's canonical form is ever legal.
        kept = np.flatnonzero(_numbers(SYMMETRIES[0], rules, True) == np.arange(rules.action_count))
        mapped[..., numbers[kept]] = mask[..., kept]
    else:
        mapped[..., numbers] = mask
    return mapped
