"""``gymnasium.make_vec("Kingdomino-v1")``: many games, one seat in each, against bots inside the engine."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

import kingdomino as kd
from kingdomino.envs.options import Form, IllegalReward, Reward, RulesOptions
from kingdomino.envs.spaces import action_space, masked_observation_space
from kingdomino.envs.vector import Arrays, VectorEnv, observation_arrays

_Observations = dict[str, NDArray[Any]]


class KingdominoVectorEnv(gymnasium.vector.VectorEnv[_Observations, ArrayLike, NDArray[Any]]):
    """Many games of `KingdominoEnv` in the engine. The bots are "greedy" and "random".

    num_envs: the number of games.
    threads: the number of threads for each step.
    copy: True: every step returns new arrays. False: the next step overwrites them.

    The other options are the same as for `KingdominoEnv`.

    When a game ends, the same step starts the next one, as in Gymnasium's mode SAME_STEP: ``infos["final_obs"][row]``
    is the last observation of that game, and ``infos["final_info"]`` has its ``scores``, the learner's ``seat`` and the
    ``action_mask``, with a row for every game. ``infos["_final_obs"]`` marks the rows of games that have ended. Raises
    `KingdominoError`.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        num_envs: int = 1,
        rules: kd.Rules | str | None = None,
        *,
        opponents: str | Sequence[str] = "greedy",
        seat: int | None = None,
        observation: Form = "planes",
        reward: Reward = "rank",
        illegal_reward: IllegalReward = "worst",
        threads: int = 1,
        copy: bool = True,
        **options: Unpack[RulesOptions],
    ) -> None:
        self._games = VectorEnv(
            num_envs,
            rules,
            opponents=opponents,
            seat=seat,
            observation=observation,
            reward=reward,
            illegal_reward=illegal_reward,
            threads=threads,
            **options,
        )
        self._form: Form = observation
        self._copy = copy
        self.num_envs = num_envs
        self.single_action_space = action_space(self._games.rules)
        self.single_observation_space = masked_observation_space(self._games.rules, observation)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - part of Gymnasium's interface
    ) -> tuple[_Observations, dict[str, Any]]:
        """Start a new game in every row. Game i has seed + i, as usual in Gymnasium, or seed i of a sequence.

        Without a seed, each row starts its next game. ``options`` is ignored.
        """
        arrays = self._games.reset(seed, self._out())
        if seed is not None:
            super().reset(seed=int(seed if isinstance(seed, (int, np.integer)) else seed[0]))
        return self._observations(arrays), self._infos(arrays)

    def step(
        self, actions: ArrayLike
    ) -> tuple[_Observations, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Play an action in every game. Raises `IllegalActionError` without ``illegal_reward``, and changes nothing."""
        arrays = self._games.step(actions, self._out())
        infos = self._infos(arrays)
        if arrays.done.any():
            infos |= self._endings(arrays)
        truncated = np.zeros(self.num_envs, np.bool_)
        return self._observations(arrays), arrays.rewards, arrays.done, truncated, infos

    def sample(self) -> NDArray[np.int64]:
        """Sample a uniformly random legal action in every game."""
        return self._games.sample().copy() if self._copy else self._games.sample()

    def _out(self) -> Arrays | None:
        return self._games.new_arrays() if self._copy else None

    def _infos(self, arrays: Arrays) -> dict[str, Any]:
        every = np.ones(self.num_envs, np.bool_)
        return _marked({"action_mask": arrays.action_mask, "seat": arrays.seat}, every)

    def _endings(self, arrays: Arrays) -> dict[str, Any]:
        """Return the last observation of each game that has ended, in an object of its own, and the results."""
        mask = np.ones_like(arrays.action_mask)  # as in `KingdominoEnv`: nothing is to be played
        last = replace(arrays, planes=arrays.final_planes, vector=arrays.final_vector, action_mask=mask)
        seen, final_obs = self._observations(last), np.full(self.num_envs, None)
        for row in np.flatnonzero(arrays.done):
            final_obs[row] = {name: array[row] for name, array in seen.items()}
        results = _marked(
            {"action_mask": mask, "seat": arrays.final_seat, "scores": arrays.scores}, arrays.done
        )
        return _marked({"final_obs": final_obs, "final_info": results}, arrays.done)

    def _observations(self, arrays: Arrays) -> _Observations:
        return observation_arrays(arrays, self._form) | {"action_mask": arrays.action_mask}


def _marked(infos: dict[str, Any], has_them: NDArray[np.bool_]) -> dict[str, Any]:
    """Add Gymnasium's ``_key`` for every key, which marks the rows that have it."""
    return infos | {f"_{key}": has_them for key in infos}
