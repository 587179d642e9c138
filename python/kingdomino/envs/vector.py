"""Many games stepped in one call, in the engine, over NumPy arrays."""

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
    Reward,
    RulesOptions,
    check_seat,
    fresh_seed,
    read_opponents,
    read_rules,
)

Policy: TypeAlias = Literal["greedy", "random"]

MOST_GAMES = 1_000_000
"""In one environment: their arrays take some 4 GB, and more would end the process rather than raise."""

_POLICIES: dict[str, Policy] = {"greedy": "greedy", "random": "random"}


@dataclass(frozen=True, slots=True)
class Arrays:
    """What a step writes: a row for each game. N games, P players.

    planes: what the seat to move sees, uint8 (N, 8 · P, side, side); in the compact form (N, bytes).
    vector: the rest of it, int16 (N, words); in the compact form (N, 0).
    action_mask: int8 (N, action numbers), 1 where one is legal.
    rewards: float32; (N, P), one a seat, or (N,), the learner's, where there are opponents.
    done: bool (N,), whether the game has just ended. Everything above then shows the next one.
    seat: uint8 (N,), the seat to move.
    scores: int16 (N, P), the points at the end of the last game that ended in this row.
    final_planes, final_vector: its last observation, as the learner saw it, or whoever moved last.
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


class VectorEnv:
    """Many games of one rules set, stepped together; each begins anew by itself when it has ended.

    games: how many, 1 to 1,000,000; two players' take some 4 KB each.
    rules: the rules set or its text; or its options by name, as for `kingdomino.Rules`.
    opponents: None, and every seat's actions are asked for; or spec strings of the bots that play all
        seats but one. Inside the engine there are ``greedy`` and ``random``.
    seat: the learner's seat where there are opponents; None for another one from game to game.
    observation: "planes" or "compact" (docs/formats/observation.md).
    reward: "rank", "win", "score" or "margin", at the end of a game.
    illegal_reward: None, and an illegal action refuses the step; or what it earns, and its game ends.
    threads: how many share each step, but no more than there are cores. The result is the same for any
        number.

    The games of a row follow from its seed: the first is ``kingdomino.Game(rules, seed)``, the next ones
    have the seeds ``derive_seed(seed, "episode", 1)``, 2 and so on.

    Raises `KingdominoError`, and `TypeError` for what are no whole numbers. Nothing is allocated for a step
    with one thread.
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
        illegal_reward: float | None = None,
        threads: int = 1,
        **options: Unpack[RulesOptions],
    ) -> None:
        games = index(games)
        if not 1 <= games <= MOST_GAMES:
            raise kd.KingdominoError(f"{games} games: there must be 1 to {MOST_GAMES:,}")
        if seat is not None and opponents is None:
            raise kd.KingdominoError(f"seat {seat!r} without opponents: every seat's actions are asked for")
        self.rules = read_rules(rules, options)
        self.games = games
        self.observation = observation
        self.opponents = None if opponents is None else tuple(read_opponents(opponents, self.rules))
        self._batch = _core.Batch(
            self.rules,
            [0] * games,
            form=observation,
            reward=reward,
            penalty=illegal_reward,
            opponents=[_opponent(spec) for spec in self.opponents or ()],
            seat=check_seat(seat, self.rules),
            threads=threads,
        )
        self._arrays = self.new_arrays()
        self._actions = np.zeros(games, np.int64)
        self._begun = False

    def new_arrays(self) -> Arrays:
        """Make arrays that `reset` and `step` can write into."""
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
        )

    def reset(
        self, seed: int | np.integer[Any] | Sequence[int] | None = None, out: Arrays | None = None
    ) -> Arrays:
        """Begin anew in every row and give what is seen.

        ``seed`` is one for each game, or the first of as many that follow each other; by default from the
        operating system. ``out`` is written and given back; by default arrays that the next call writes
        again. Raises `KingdominoError` for seeds or arrays that do not fit.
        """
        if seed is None:
            seed = fresh_seed()
        if isinstance(seed, (int, np.integer)):
            seed = range(int(seed), int(seed) + self.games)
        seeds = list(seed)
        arrays = self._arrays if out is None else out
        self._batch.reset(seeds, arrays)
        self._begun = True
        return arrays

    def step(self, actions: ArrayLike, out: Arrays | None = None) -> Arrays:
        """Play an action in each game, given by its number, and give what came of it.

        ``actions`` has one whole number a game. ``out`` is as for `reset`. Raises `IllegalActionError`,
        which names the game, the action and the reason, and then nothing has changed; `KingdominoError`
        for another number of actions, for arrays that do not fit and before the first `reset`;
        `TypeError` for what are no whole numbers.
        """
        self._check_begun()
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions must be whole numbers, not {given.dtype}")
        if given.shape != (self.games,):
            raise kd.KingdominoError(f"actions of shape {given.shape} for {self.games} games")
        arrays = self._arrays if out is None else out
        self._batch.step(np.ascontiguousarray(given, np.int64), arrays)
        return arrays

    def sample(self, out: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Choose a legal action in each game, each as likely as the others.

        What is chosen follows from the seeds, the steps and how often it has been asked. ``out`` is an int64
        array with one entry a game; by default one that the next call writes again. Raises
        `KingdominoError` for an array of another shape, `TypeError` for what is no array of int64.
        """
        self._check_begun()
        actions = self._actions if out is None else out
        self._batch.sample(actions)
        return actions

    def game(self, row: int) -> kd.Game:
        """Give a copy of the game in this row, to look at or to draw. Raises `KingdominoError`."""
        if row not in range(self.games):
            raise kd.KingdominoError(f"there is no game {row} (0 to {self.games - 1})")
        return self._batch.game(row)

    def _check_begun(self) -> None:
        if not self._begun:
            raise kd.KingdominoError("reset the environment before its first step")


def _opponent(spec: str) -> tuple[Policy, int | None]:
    name, given = parse(spec)
    if name not in _POLICIES:
        raise kd.BotError(f"inside the engine there is no bot {name!r}; there are 'greedy' and 'random'")
    return _POLICIES[name], int(given["seed"]) if "seed" in given else None


def observation_arrays(arrays: Arrays, form: Form) -> dict[str, NDArray[Any]]:
    """Give the observations of all games by the names that `observation.observe` uses."""
    if form == "compact":
        return {"compact": arrays.planes}
    return {"planes": arrays.planes, "vector": arrays.vector}
