"""Which games a plan consists of, in their order: the block is the unit.

A block is one deal (deck and opening order) played in every rotation of the seats, so that neither
luck of the deck nor of the seat favours anybody: two games for two players, n for n. Every pairing
plays the same deals.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import kingdomino as kd
from kingdomino.arena.plan import Entrant, Plan


@dataclass(frozen=True, slots=True)
class Pairing:
    """Bots that meet, seat by seat as they sit in the first game of a block, and the games of one block."""

    bots: tuple[Entrant, ...]
    rotations: int

    @property
    def names(self) -> tuple[str, ...]:
        """Each name once, in the order of the seats."""
        return tuple(dict.fromkeys(entrant.name for entrant in self.bots))

    @property
    def is_self_play(self) -> bool:
        """Whether all who meet are one bot, under one name or several."""
        return len({entrant.spec for entrant in self.bots}) == 1


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game to play: its number in the schedule, where it belongs, and who sits where."""

    number: int
    block: int
    pairing: int
    rotation: int
    seats: tuple[Entrant, ...]


def pairings(plan: Plan) -> tuple[Pairing, ...]:
    """Give who meets whom.

    At a table of n > 2, round-robin seats every choice of n of the bots and gauntlet the first bot with
    every choice of n-1 others, in the order in which the plan names them. Self-play comes last, and is one
    game a block: its rotations would be the same game again.
    """
    players, (first, *others) = plan.rules.players, plan.bots
    groups: list[tuple[Entrant, ...]]
    match plan.format:
        case "round-robin":
            groups = list(combinations(plan.bots, players))
        case "gauntlet":
            groups = [(first, *rivals) for rivals in combinations(others, players - 1)]
        case "one-against":
            groups = [(first, *[rival] * (players - 1)) for rival in others]
        case "each-against":
            groups = [(entrant, *[plan.bots[-1]] * (players - 1)) for entrant in plan.bots]
    alone = [(entrant,) * players for entrant in plan.bots] if plan.self_play else []
    # Under one name the rotations of copies are one and the same game; each-against ends with such a group.
    every = dict.fromkeys([*groups, *alone])
    return tuple(Pairing(group, players if len(set(group)) > 1 else 1) for group in every)


def schedule(plan: Plan) -> Iterator[Fixture]:
    """Give every game of the plan: block by block, in it pairing by pairing, in it rotation by rotation."""
    number = 0
    for block in range(plan.blocks):
        for index, pairing in enumerate(pairings(plan)):
            for rotation in range(pairing.rotations):
                seats = pairing.bots[rotation:] + pairing.bots[:rotation]
                yield Fixture(number, block, index, rotation, seats)
                number += 1


def games_per_block(plan: Plan) -> int:
    """Give how many games one deal is played in, over all pairings."""
    return sum(pairing.rotations for pairing in pairings(plan))


def deal_seed(plan: Plan, block: int) -> int:
    """Give the seed of a block's deal: its games are ``kd.Game(plan.rules, seed=…)`` of it."""
    return kd.derive_seed(plan.seed, "deal", block)


def bot_seed(plan: Plan, fixture: Fixture, seat: int) -> int:
    """Give the seed of the bot in a seat, if its spec names none.

    It follows from the bot, the block and the seat, and from nothing else: a bot has the same luck
    whomever it meets, and copies at one table have luck of their own.
    """
    name = f"bot {fixture.seats[seat].spec}"
    return kd.derive_seed(plan.seed, name, fixture.block * plan.rules.players + seat)
