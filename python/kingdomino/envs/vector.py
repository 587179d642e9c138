"""Many games per call, in the engine, with NumPy arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, Literal, TypeAlias, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

import kingdomino as kd
from kingdomino import _core
from kingdomino.bots.spec import parse
from kingdomino.envs.observation import compact_dtype, highest, planes_shape
from kingdomino.envs.options import (
    Form,
    IllegalReward,
    Reward,
    RulesOptions,
    check_form,
    check_reward,
    check_seat,
    fresh_seed,
    read_illegal_reward,
    read_opponents,
    read_rules,
)

Policy: TypeAlias = Literal["greedy", "random"]

MOST_GAMES = 1_000_000
"""Most games in one environment. Their arrays take about 4 GB; with more, the system would kill the process."""

_POLICIES: dict[str, Policy] = {"greedy": "greedy", "random": "random"}


@dataclass(frozen=True, slots=True)
class Arrays:
    """The output of a step, with a row for each game. N games, P players.

    planes: the view of the seat to move, uint8 (N, 8 · P, side, side); in the compact form (N, bytes).
    vector: the rest of the observation, int16 (N, words); in the compact form (N, 0).
    action_mask: int8 (N, action numbers), 1 for each legal action number.
    rewards: float32 (N, P), one for each seat; with opponents (N,), the learner's.
    done: bool (N,), whether this step ended the game. Then observation, mask and seat belong to the next game.
    seat: uint8 (N,), the seat to move.
    scores: int16 (N, P), the final scores of the last game that ended in this row.
    final_planes, final_vector: that game's last observation, as the learner or the last seat to move saw it.
    final_seat: uint8 (N,), that seat.
    """

    planes: NDArray[np.uint8]
    vector: NDArray[np.int16]
    action_mask: NDArray[np.int8]
    rewards: NDArray[np.float32]
    done: NDArray[np.bool_]
    seat: NDArray[np.uint8]
    scores: NDArray[np.int16]
    final_planes: NDArray[np.uint8]
    final_vector: NDArray[np.int16]
    final_seat: NDArray[np.uint8]


class VectorEnv:
    """Many games of one rules set, stepped together. When a game ends, the same step starts the next one.

    games: the number of games, 1 to 1,000,000. Each takes about 4 KB with two players.
    rules: the rules set or its text; or its options by name, as for `kingdomino.Rules`.
    opponents: None: you choose the actions of every seat. Spec strings (``greedy`` and ``random``): these bots play
        all seats except the learner's.
    seat: the learner's seat, with opponents. None: it changes from game to game.
    observation: "planes" or "compact" (docs/formats/observation.md).
    reward: "rank", "win", "score" or "margin", given at the end of a game.
    illegal_reward: None: an illegal action raises. A number, or "worst": it ends its game with this reward.
    threads: the number of threads for each step, limited to the number of cores. It does not change the results.

    A row's seed determines all its games: the first is ``kingdomino.Game(rules, seed)``, and the next ones have the
    seeds ``derive_seed(seed, "episode", 1)``, 2 and so on. A reset without a seed starts the next one.

    Raises `KingdominoError`, and `TypeError` for numbers that are not integers.
    """

    def __init__(
        self,
        games: int,
        rules: kd.Rules | str | None = None,
        *,
        opponents: str | Sequence[str] | None = None,
        seat: int | None = None,
        observation: Form = "planes",
        reward: Reward = "rank",
        illegal_reward: IllegalReward = None,
        threads: int = 1,
        **options: Unpack[RulesOptions],
    ) -> None:
        games = index(games)
        if not 1 <= games <= MOST_GAMES:
            raise kd.KingdominoError(f"{games} games: there must be 1 to {MOST_GAMES:,}")
        if seat is not None and opponents is None:
            raise kd.KingdominoError(f"seat {seat!r} without opponents: you choose the actions of every seat")
        own = ("opponents", "seat", "observation", "reward", "illegal_reward", "threads")
        self.rules = read_rules(rules, options, own)
        self.games = games
        self.observation = observation
        self.opponents = None if opponents is None else tuple(read_opponents(opponents, self.rules))
        self._batch = _core.Batch(
            self.rules,
            [0] * games,
            form=check_form(observation),
            reward=check_reward(reward),
            penalty=read_illegal_reward(illegal_reward, reward, self.rules),
            opponents=[_opponent(spec) for spec in self.opponents or ()],
            seat=check_seat(seat, self.rules),
            threads=threads,
        )
        self._arrays = self.new_arrays()
        self._actions = np.zeros(games, np.int64)
        self._started = False

    def new_arrays(self) -> Arrays:
        """Return new arrays that `reset` and `step` can write into."""
        games, players = self.games, self.rules.players
        compact = self.observation == "compact"
        planes = (compact_dtype(self.rules).itemsize,) if compact else planes_shape(self.rules)
        words = 0 if compact else len(highest(self.rules))
        return Arrays(
            planes=np.zeros((games, *planes), np.uint8),
            vector=np.zeros((games, words), np.int16),
            action_mask=np.zeros((games, self.rules.action_count), np.int8),
            rewards=np.zeros((games, players) if self.opponents is None else games, np.float32),
            done=np.zeros(games, np.bool_),
            seat=np.zeros(games, np.uint8),
            scores=np.zeros((games, players), np.int16),
            final_planes=np.zeros((games, *planes), np.uint8),
            final_vector=np.zeros((games, words), np.int16),
            final_seat=np.zeros(games, np.uint8),
        )

    def reset(
        self, seed: int | np.integer[Any] | Sequence[int] | None = None, out: Arrays | None = None
    ) -> Arrays:
        """Start a new game in every row.

        ``seed`` is a list with a seed for each game, or the seed of row 0; then row i has ``seed + i``. Without a seed,
        each row starts its next game; at the first reset the seed comes from the operating system.
        Writes to ``out`` and returns it; by default to arrays of the environment, which the next call overwrites.
        Raises `KingdominoError` for seeds or arrays of the wrong shape.
        """
        arrays = self._arrays if out is None else out
        if seed is None and not self._started:
            seed = fresh_seed()
        if isinstance(seed, (int, np.integer)):
            seed = range(int(seed), int(seed) + self.games)
        self._batch.reset(None if seed is None else list(seed), arrays)
        self._started = True
        return arrays

    def step(self, actions: ArrayLike, out: Arrays | None = None) -> Arrays:
        """Play one action in each game.

        ``actions`` has an action number for each game. ``out`` is as for `reset`. Raises `IllegalActionError` with the
        game, the action and the reason, and changes nothing; `KingdominoError` for a wrong number of actions, for
        arrays of the wrong shape and before the first `reset`; `TypeError` for actions that are not integers.
        """
        self._check_started()
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions must be whole numbers, not {given.dtype}")
        if given.shape != (self.games,):
            raise kd.KingdominoError(f"actions of shape {given.shape} for {self.games} games")
        arrays = self._arrays if out is None else out
        self._batch.step(np.ascontiguousarray(given, np.int64), arrays)
        return arrays

    def sample(self, out: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Sample a uniformly random legal action in each game.

        The choice depends only on the seeds, the steps and the number of calls. ``out`` is an int64 array with an entry
        for each game; by default the next call overwrites it. Raises `KingdominoError` for an array of the wrong
        shape, `TypeError` for any other type.
        """
        self._check_started()
        actions = self._actions if out is None else out
        self._batch.sample(actions)
        return actions

    def game(self, row: int) -> kd.Game:
        """Return a copy of the game in this row. Raises `KingdominoError`."""
        if row not in range(self.games):
            raise kd.KingdominoError(f"there is no game {row} (0 to {self.games - 1})")
        return self._batch.game(row)

    def _check_started(self) -> None:
        if not self._started:
            raise kd.KingdominoError("reset the environment before its first step")


def _opponent(spec: str) -> tuple[Policy, int | None]:
    name, given = parse(spec)
    if name not in _POLICIES:
        raise kd.BotError(f"the engine has no bot {name!r}, only 'greedy' and 'random'")
    return _POLICIES[name], int(given["seed"]) if "seed" in given else None


def observation_arrays(arrays: Arrays, form: Form) -> dict[str, NDArray[Any]]:
    """Return the observations of all games, with the names of `observation.observe`."""
    if form == "compact":
        return {"compact": arrays.planes}
    return {"planes": arrays.planes, "vector": arrays.vector}
