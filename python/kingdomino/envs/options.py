"""The options of all environments: rules, opponents, seats, seeds and actions, read and checked."""

import secrets
from collections.abc import Sequence
from operator import index
from typing import Literal, SupportsIndex, TypeAlias, TypedDict

import kingdomino as kd

Form: TypeAlias = Literal["planes", "compact"]
"""The form of an observation (docs/formats/observation.md)."""

Reward: TypeAlias = Literal["rank", "win", "score", "margin"]
"""The reward of a seat at the end of a game: "rank", from 1 for the first place to -1 for the last; "win", 1
for a win or 1/k for a win shared by k; "score", its points; "margin", its points minus the best opponent's."""


class RulesOptions(TypedDict, total=False):
    """The parameters of `kingdomino.Rules`."""

    players: int
    edition: Literal["first", "second"]
    mighty_duel: bool
    harmony: bool
    middle_kingdom: bool
    opening: Literal["random", "snake"]


def read_rules(rules: kd.Rules | str | None, options: RulesOptions) -> kd.Rules:
    """Return the rules set: as given, from its text, or from the options of `kingdomino.Rules`.

    Raises `RulesError` for options that do not go together, and for options beside ``rules``.
    """
    if rules is None:
        return kd.Rules(**options)
    if options:
        raise kd.RulesError(f"either rules or {', '.join(options)}, not both")
    return kd.Rules.parse(rules) if isinstance(rules, str) else rules


def read_opponents(opponents: str | Sequence[str], rules: kd.Rules) -> list[str]:
    """Return a spec string for each seat except the learner's, beginning with the next one.

    One spec stands for all seats; several are a list, or one string with commas. Raises
    `KingdominoError` for a wrong number of specs, and `BotError` for unknown bots.
    """
    specs = [one.spec for one in kd.bots.specs(opponents)] if isinstance(opponents, str) else list(opponents)
    needed = rules.players - 1
    if len(specs) == 1:
        specs *= needed
    if len(specs) != needed:
        raise kd.KingdominoError(f"{len(specs)} opponents, but {rules.players} players need {needed}")
    for spec in specs:
        kd.bots.make(spec)
    return specs


def check_seat(seat: int | None, rules: kd.Rules) -> int | None:
    """Return the seat. Raises `KingdominoError` if the game does not have it."""
    if seat is not None and seat not in range(rules.players):
        raise kd.KingdominoError(f"there is no seat {seat!r} (0 to {rules.players - 1})")
    return seat


def fresh_seed() -> int:
    """Return a seed from the operating system."""
    return secrets.randbits(32)


def episode_seed(seed: int, episode: int) -> int:
    """Return the seed of a game after a reset with ``seed``. Episode 0 has that seed itself."""
    return kd.derive_seed(seed, "episode", episode) if episode else seed


def next_episode(given: int | None, seed: int | None, episode: int) -> tuple[int, int]:
    """Return the seed and the episode of the game that a reset starts.

    The first game of the seed that was passed; without one, the game after this seed and episode.
    """
    if given is None and seed is not None:
        return seed, episode + 1
    return fresh_seed() if given is None else given, 0


def learner_seat(seed: int, rules: kd.Rules) -> int:
    """Return the learner's seat in the game with this seed, if the caller has not chosen one."""
    return kd.derive_seed(seed, "seat", 0) % rules.players


def find_action(number: SupportsIndex, position: kd.Position) -> kd.Action:
    """Return the legal action with this number.

    Raises `IllegalActionError`, which names the number, the action and the reason, and `TypeError` if the
    number is not an integer.
    """
    number = index(number)
    try:
        action = kd.Action.from_number(number, position.rules)
    except kd.KingdominoError as error:
        raise kd.IllegalActionError(str(error)) from None
    if refusal := position.refusal(action):
        raise kd.IllegalActionError(f"action {number} ({action}): {refusal}", refusal, action)
    return action
