"""What the environments are told: rules, opponents, seeds, actions. Read and checked here, once."""

import secrets
from collections.abc import Sequence
from operator import index
from typing import Literal, SupportsIndex, TypeAlias, TypedDict

import kingdomino as kd

Form: TypeAlias = Literal["planes", "compact"]
"""How an observation is written (docs/formats/observation.md)."""

Reward: TypeAlias = Literal["rank", "win", "score", "margin"]
"""What the end of a game is worth to a seat: from 1 for the first place to -1 for the last; 1 for a
victory, shared among those who share it; the points; the points less the best rival's."""


class RulesOptions(TypedDict, total=False):
    """The parameters of `kingdomino.Rules`."""

    players: int
    edition: Literal["first", "second"]
    mighty_duel: bool
    harmony: bool
    middle_kingdom: bool
    opening: Literal["random", "snake"]


def read_rules(rules: kd.Rules | str | None, options: RulesOptions) -> kd.Rules:
    """Give the rules set: as it is, from its text, or from the options of `kingdomino.Rules`.

    Raises `RulesError` for options that do not go together, and for both ways at once.
    """
    if rules is None:
        return kd.Rules(**options)
    if options:
        raise kd.RulesError(f"either rules or {', '.join(options)}, not both")
    return kd.Rules.parse(rules) if isinstance(rules, str) else rules


def read_opponents(opponents: str | Sequence[str], rules: kd.Rules) -> list[str]:
    """Give a spec string for each seat but the learner's, beginning with the next one.

    One spec stands for all; several come as a list, or with commas between them. Raises
    `KingdominoError` for another number of them, and `BotError` for bots that do not exist.
    """
    specs = kd.bots.split(opponents) if isinstance(opponents, str) else list(opponents)
    needed = rules.players - 1
    if len(specs) == 1:
        specs *= needed
    if len(specs) != needed:
        raise kd.KingdominoError(f"{len(specs)} opponents, but {rules.players} players need {needed}")
    for spec in specs:
        kd.bots.make(spec)
    return specs


def check_seat(seat: int | None, rules: kd.Rules) -> int | None:
    """Give the seat back. Raises `KingdominoError` for one that the game does not have."""
    if seat is not None and seat not in range(rules.players):
        raise kd.KingdominoError(f"there is no seat {seat!r} (0 to {rules.players - 1})")
    return seat


def fresh_seed() -> int:
    """Give a seed from the operating system."""
    return secrets.randbits(32)


def episode_seed(seed: int, episode: int) -> int:
    """Give the seed of the next games after a reset with this seed; the first one's is the seed itself."""
    return kd.derive_seed(seed, "episode", episode) if episode else seed


def next_episode(asked: int | None, seed: int | None, episode: int) -> tuple[int, int]:
    """Give seed and episode of the game that a reset deals: the asked one's first, or the one after these."""
    if asked is None and seed is not None:
        return seed, episode + 1
    return fresh_seed() if asked is None else asked, 0


def learner_seat(seed: int, rules: kd.Rules) -> int:
    """Give the seat that learns in the game with this seed, where none was asked for."""
    return kd.derive_seed(seed, "seat", 0) % rules.players


def find_action(number: SupportsIndex, position: kd.Position) -> kd.Action:
    """Give the legal action with this number.

    Raises `IllegalActionError`, which names the number, the action and the reason, and `TypeError` for
    what is no whole number.
    """
    number = index(number)
    try:
        action = kd.Action.from_number(number, position.rules)
    except kd.KingdominoError as error:
        raise kd.IllegalActionError(str(error)) from None
    if refusal := position.refusal(action):
        raise kd.IllegalActionError(f"action {number} ({action}): {refusal}", refusal, action)
    return action
