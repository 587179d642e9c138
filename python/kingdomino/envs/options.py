"""The options of all environments: parse and check rules, opponents, seats, seeds and actions."""

import secrets
from collections.abc import Iterable, Sequence
from math import nan
from operator import index
from typing import Literal, SupportsIndex, TypeAlias, TypedDict, get_args

import kingdomino as kd
from kingdomino import _core
from kingdomino.validation import did_you_mean

Form: TypeAlias = Literal["planes", "compact"]
"""The form of an observation (docs/formats/observation.md)."""

Reward: TypeAlias = Literal["rank", "win", "score", "margin"]
"""The reward of a seat at the end of a game: "rank", from 1 for the first place to -1 for the last; "win", 1
for a win or 1/k for a win shared by k; "score", its points; "margin", its points minus the best opponent's."""


_MOST_REWARD = 1e30
"""Just below the limit of rewards, which are 32-bit numbers."""

IllegalReward: TypeAlias = float | Literal["worst"] | None
"""The effect of an illegal action. None: it raises. A number: it ends the game with this reward. "worst": it ends the
game with the worst possible reward."""


class RulesOptions(TypedDict, total=False):
    """The parameters of `kingdomino.Rules`."""

    players: int
    edition: Literal["first", "second"]
    mighty_duel: bool
    harmony: bool
    middle_kingdom: bool
    opening: Literal["random", "snake"]


def read_rules(rules: kd.Rules | str | None, options: RulesOptions, own: Iterable[str]) -> kd.Rules:
    """Return the rules set: as given, from its text, or from the options of `kingdomino.Rules`.

    ``own`` are the other options of the environment, for the message about an unknown one. Raises `RulesError` for
    conflicting options, and for options in addition to ``rules``; `TypeError` for an unknown option.
    """
    known = sorted([*RulesOptions.__annotations__, *own])
    for name in options:
        if name not in RulesOptions.__annotations__:
            raise TypeError(
                f"there is no option {name!r}{did_you_mean(name, known)}; the options are {', '.join(known)}"
            )
    if rules is None:
        return kd.Rules(**options)
    if options:
        raise kd.RulesError(f"either rules or {', '.join(options)}, not both")
    if not isinstance(rules, str | kd.Rules):
        raise TypeError(f"rules: {rules!r} is neither a rules set nor its text (like '2.second.random')")
    return kd.Rules.parse(rules) if isinstance(rules, str) else rules


def check_reward(reward: Reward) -> Reward:
    """Return the reward. Raises `KingdominoError` if it is unknown."""
    if reward not in get_args(Reward):
        raise kd.KingdominoError(f"there is no reward {reward!r} ({', '.join(get_args(Reward))})")
    return reward


def check_form(observation: Form) -> Form:
    """Return the form of the observations. Raises `KingdominoError` if it is unknown."""
    if observation not in get_args(Form):
        raise kd.KingdominoError(f"there is no observation {observation!r} ({' or '.join(get_args(Form))})")
    return observation


def read_illegal_reward(given: IllegalReward, reward: Reward, rules: kd.Rules) -> float | None:
    """Return the reward for an illegal action; None if it raises. Raises `KingdominoError`.

    The worst reward is -1 for "rank", 0 for "win" and "score", and minus the highest possible score for "margin".
    """
    if given == "worst":
        [highest] = (value for name, _, value in _core.observation_fields(rules) if name == "scores")
        return {"rank": -1.0, "win": 0.0, "score": 0.0, "margin": -float(highest)}[reward]
    if given is None:
        return None
    try:
        value = float(given)
    except (TypeError, ValueError, OverflowError):
        value = nan
    if not abs(value) <= _MOST_REWARD:
        raise kd.KingdominoError(f"illegal_reward: {given!r} is not a number, 'worst' or None")
    return value


def read_opponents(opponents: str | Sequence[str], rules: kd.Rules) -> list[str]:
    """Return a spec string for each seat except the learner's, beginning with the next one.

    A single spec applies to all seats; several are a list, or one string with commas. Raises `KingdominoError` for a
    wrong number of specs, and `BotError` for unknown bots.
    """
    if not isinstance(opponents, Sequence):
        raise TypeError(f"opponents: {opponents!r} is neither a bot's spec string nor a list of them")
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
    """Return the seat. Raises `KingdominoError` if there is no such seat."""
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

    With a ``given`` seed it is that seed's first game, otherwise the game after this seed and episode.
    """
    if given is None and seed is not None:
        return seed, episode + 1
    return fresh_seed() if given is None else given, 0


def learner_seat(seed: int, rules: kd.Rules) -> int:
    """Return the learner's seat in the game with this seed, if the caller has not chosen one."""
    return kd.derive_seed(seed, "seat", 0) % rules.players


def find_action(number: SupportsIndex, position: kd.Position) -> kd.Action:
    """Return the legal action with this number.

    Raises `IllegalActionError` with the number, the action and the reason, and `TypeError` if the number is not an
    integer.
    """
    number = index(number)
    try:
        action = kd.Action.from_number(number, position.rules)
    except kd.KingdominoError as error:
        raise kd.IllegalActionError(str(error)) from None
    if refusal := position.refusal(action):
        raise kd.IllegalActionError(f"action {number} ({action}): {refusal}", refusal, action)
    return action
