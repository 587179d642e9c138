"""``kingdomino_v1.env()``: a PettingZoo environment with an agent for every seat and one decision a step."""

from copy import deepcopy
from typing import Any, ClassVar, Literal, Self, SupportsIndex, TypeAlias, Unpack, get_args

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

import kingdomino as kd
from kingdomino import _core
from kingdomino.envs import observation as obs
from kingdomino.envs import rendering
from kingdomino.envs.options import (
    Form,
    IllegalReward,
    Reward,
    RulesOptions,
    check_form,
    check_reward,
    episode_seed,
    find_action,
    next_episode,
    read_illegal_reward,
    read_rules,
)
from kingdomino.envs.spaces import action_space, mask_space, observation_space

MaskPlace: TypeAlias = Literal["observation", "info"]
"""Where the legal mask is: in the observation and in the info, or only in the info."""


class raw_env(AECEnv):  # type: ignore[misc] # noqa: N801 - PettingZoo has no types, and this name
    """A game whose agents, ``player_0`` to ``player_3``, decide in the order of the rules.

    rules: the rules set or its text; or its options by name, as for `kingdomino.Rules`.
    observation: "planes" or "compact" (docs/formats/observation.md).
    reward: "rank", "win", "score" or "margin", given at the end of the game.
    illegal_reward: None: an illegal action raises. A number, or "worst": it ends the game with this reward.
    action_mask: "observation" or "info", the place of the legal mask.
    render_mode: "rgb_array", "ansi", "human" (prints) or "svg".

    An observation is ``{"observation": {"planes": …, "vector": …}, "action_mask": …}``; in the compact form,
    ``"observation"`` is a single array. The mask is all zeros for agents that are not to move; ``infos`` has the mask,
    too. With ``action_mask="info"`` only ``infos`` has it, and an observation is the value of ``"observation"``.
    ``reset(seed=7)`` starts ``kingdomino.Game(rules, seed=7)``; a reset without a seed starts the next game of the same
    sequence. Copies and pickles keep the position. Raises `KingdominoError`.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "kingdomino_v1",
        "render_modes": list(rendering.MODES),
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: kd.Rules | str | None = None,
        *,
        observation: Form = "planes",
        reward: Reward = "rank",
        illegal_reward: IllegalReward = None,
        action_mask: MaskPlace = "observation",
        render_mode: rendering.Mode | None = None,
        **options: Unpack[RulesOptions],
    ) -> None:
        super().__init__()
        self.rules = read_rules(
            rules, options, own=("observation", "reward", "illegal_reward", "action_mask", "render_mode")
        )
        self.render_mode = rendering.check_mode(render_mode)
        if action_mask not in get_args(MaskPlace):
            raise kd.KingdominoError(f"action_mask is 'observation' or 'info', not {action_mask!r}")
        self._form: Form = check_form(observation)
        self._has_mask = action_mask == "observation"
        self._reward: Reward = check_reward(reward)
        self._illegal_reward = read_illegal_reward(illegal_reward, reward, self.rules)
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: action_space(self.rules) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.agents: list[str] = []
        self._no_actions = np.zeros(self.rules.action_count, np.int8)
        self._no_actions.flags.writeable = False  # shared by all agents
        self._seed: int | None = None
        self._episode = 0
        self._game: kd.Game | None = None

    @property
    def game(self) -> kd.Game:
        """The current game. Raises `KingdominoError` before the first reset."""
        if self._game is None:
            raise kd.KingdominoError("reset the environment before its first step")
        return self._game

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of this agent's observations; always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of the action numbers; always the same object."""
        return self.action_spaces[agent]

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - part of PettingZoo's interface
    ) -> None:
        """Start a game. ``options`` is ignored."""
        first, episode = next_episode(seed, self._seed, self._episode)
        self._game = kd.Game(self.rules, seed=episode_seed(first, episode))
        self._seed, self._episode = first, episode
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select_agent(self._game.position)

    def observe(self, agent: str) -> Any:  # noqa: ANN401 - a dictionary or an array, as the options say
        """Return this agent's observation, in new arrays."""
        arrays = obs.observe(self.game.position, self._seats[agent], self._form)
        seen = arrays["compact"] if self._form == "compact" else arrays
        if not self._has_mask:
            return seen
        mask = self.infos[agent]["action_mask"] if agent in self.infos else self._no_actions
        return {"observation": seen, "action_mask": mask.copy()}

    def step(self, action: SupportsIndex | None) -> None:
        """Play the action with this number for the agent to move; None after the end of the game.

        Raises `IllegalActionError` with the action and the reason, and changes nothing.
        """
        game = self.game
        if not self.agents:
            raise kd.KingdominoError("the game is over: reset the environment")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise TypeError(f"{agent} is to move: its action must be a whole number, not None")
        try:
            chosen = find_action(action, game.position)
        except kd.IllegalActionError:
            if self._illegal_reward is None:
                raise
            self._end({agent: self._illegal_reward})
            return
        game.play(chosen)
        self._cumulative_rewards[agent] = 0.0
        position = game.position
        if position.is_over:
            self._end(dict(zip(self.agents, _core.rewards(position, self._reward), strict=True)))
        else:
            self._select_agent(position)
        if self.render_mode == "human":
            self.render()

    def render(self) -> NDArray[np.uint8] | str | None:
        """Render the position in ``render_mode``."""
        return rendering.render(self.game, self.render_mode)

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""

    def __copy__(self) -> Self:
        """Copy deeply, so that playing in the copy does not change this game."""
        return deepcopy(self)

    def _observation_space(self) -> spaces.Space[Any]:
        arrays = observation_space(self.rules, self._form)
        seen = arrays["compact"] if self._form == "compact" else spaces.Dict(arrays)
        if not self._has_mask:
            return seen
        return spaces.Dict({"observation": seen, "action_mask": mask_space(self.rules)})

    def _select_agent(self, position: kd.Position) -> None:
        self.agent_selection = self.possible_agents[position.to_move or 0]
        self.infos = {agent: {"action_mask": self._no_actions} for agent in self.agents}
        if not position.is_over:
            self.infos[self.agent_selection] = {"action_mask": obs.action_mask(position)}

    def _end(self, rewards: dict[str, float]) -> None:
        self.rewards = dict.fromkeys(self.agents, 0.0) | rewards
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {"action_mask": self._no_actions} for agent in self.agents}
        self._deads_step_first()


def env(
    rules: kd.Rules | str | None = None,
    *,
    observation: Form = "planes",
    reward: Reward = "rank",
    illegal_reward: IllegalReward = None,
    action_mask: MaskPlace = "observation",
    render_mode: rendering.Mode | None = None,
    **options: Unpack[RulesOptions],
) -> raw_env:
    """Create the environment, with the options of `raw_env`, which does its own checks."""
    return raw_env(
        rules,
        observation=observation,
        reward=reward,
        illegal_reward=illegal_reward,
        action_mask=action_mask,
        render_mode=render_mode,
        **options,
    )
