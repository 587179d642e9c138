"""The games of a plan, in order.

The unit is the block: one deal (deck and opening order) played in every rotation of the seats, two games for two
players and n for n. So neither the deck nor the seat favours a bot. Every pairing plays the same deals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import kingdomino as kd
from kingdomino.arena.plan import Entrant, Plan


@dataclass(frozen=True, slots=True)
class Pairing:
    """A group of bots, in their seats of the first game of a block, and the number of games in a block."""

    bots: tuple[Entrant, ...]
    rotations: int

    @property
    def names(self) -> tuple[str, ...]:
        """Each name once, in the order of the seats."""
        return tuple(dict.fromkeys(entrant.name for entrant in self.bots))

    @property
    def is_self_play(self) -> bool:
        """Whether all seats have the same bot, under one name or several."""
        return len({entrant.spec for entrant in self.bots}) == 1


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game to play: its number in the schedule, its block, pairing and rotation, and the bots by seat."""

    number: int
    block: int
    pairing: int
    rotation: int
    seats: tuple[Entrant, ...]


def pairings(plan: Plan) -> tuple[Pairing, ...]:
    """Return the pairings.

    With n > 2 players, round-robin pairs every choice of n bots, and gauntlet the first bot with every choice
    of n-1 others, in the order of the plan. Self-play comes last and has one game a block,
    because its rotations would repeat that game.
    """
    players, (first, *others) = plan.rules.players, plan.bots
    groups: list[tuple[Entrant, ...]]
    match plan.format:
        case "round-robin":
            groups = list(combinations(plan.bots, players))
        case "gauntlet":
            groups = [(first, *opponents) for opponents in combinations(others, players - 1)]
        case "one-against":
            groups = [(first, *[opponent] * (players - 1)) for opponent in others]
        case "each-against":
            groups = [(entrant, *[plan.bots[-1]] * (players - 1)) for entrant in plan.bots]
    alone = [(entrant,) * players for entrant in plan.bots] if plan.self_play else []
    # Rotations of equally named copies repeat the game; each-against ends with such a group.
    every = dict.fromkeys([*groups, *alone])
    return tuple(Pairing(group, players if len(set(group)) > 1 else 1) for group in every)


def schedule(plan: Plan) -> Iterator[Fixture]:
    """Return every game of the plan, ordered by block, then pairing, then rotation."""
    first = first_block(plan)
    return (numbered(first, number) for number in range(plan.blocks * len(first)))


def first_block(plan: Plan) -> tuple[Fixture, ...]:
    """Return the games on the first deal of the plan."""
    games = (
        (index, rotation, pairing.bots[rotation:] + pairing.bots[:rotation])
        for index, pairing in enumerate(pairings(plan))
        for rotation in range(pairing.rotations)
    )
    return tuple(Fixture(number, 0, *game) for number, game in enumerate(games))


def numbered(first: Sequence[Fixture], number: int) -> Fixture:
    """Return the game of this number in a schedule with the first block ``first``: all blocks have the same games."""
    block, place = divmod(number, len(first))
    return replace(first[place], number=number, block=block)


def games_per_block(plan: Plan) -> int:
    """Return the number of games on one deal, over all pairings."""
    return sum(pairing.rotations for pairing in pairings(plan))


def deal_seed(plan: Plan, block: int) -> int:
    """Return the seed of a block's deal: its games are ``kd.Game(plan.rules, seed=…)``."""
    return kd.derive_seed(plan.seed, "deal", block)


def bot_seed(plan: Plan, fixture: Fixture, seat: int) -> int:
    """Return the seed of the bot in a seat, if its spec has none.

    It depends only on the bot, the block and the seat: a bot has the same random numbers against every opponent,
    and copies at one table have different ones.
    """
    name = f"bot {fixture.seats[seat].spec}"
    return kd.derive_seed(plan.seed, name, fixture.block * plan.rules.players + seat)
