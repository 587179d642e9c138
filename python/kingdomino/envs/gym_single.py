"""``gymnasium.make("Kingdomino-v1")``: one seat against bots."""

from collections.abc import Sequence
from typing import Any, SupportsIndex, Unpack

import gymnasium
import numpy as np
from numpy.typing import NDArray

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
    check_seat,
    episode_seed,
    find_action,
    learner_seat,
    next_episode,
    read_illegal_reward,
    read_opponents,
    read_rules,
)
from kingdomino.envs.spaces import action_space, masked_observation_space


class KingdominoEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """One seat of a game against bots. A step is one decision of that seat and the bots' following decisions.

    rules: the rules set or its text; or its options by name, as for `kingdomino.Rules`.
    opponents: one spec string for all other seats, or one for each, beginning with the next seat. A bot
        without a seed in its spec gets a new seed in every game.
    seat: the learner's seat. None: it changes from game to game.
    observation: "planes" or "compact" (docs/formats/observation.md).
    reward: "rank", "win", "score" or "margin", given at the end of a game.
    illegal_reward: "worst": an illegal action ends the game with the worst reward, -1 for "rank" (so that you can play
        any number of the action space, as Gymnasium and Stable-Baselines3 expect). A number: it ends the game with this
        reward. None: it raises.
    render_mode: "rgb_array", "ansi", "human" (prints) or "svg".

    ``info`` has the ``action_mask`` (like the observation), the ``seat``, and at the end the ``scores``. A finished
    game's mask is all ones, because a vectorised environment asks for one more action, which it ignores.
    ``reset(seed=7)`` starts ``kingdomino.Game(rules, seed=7)``; a reset without a seed starts the next game
    of the same sequence. Raises `KingdominoError`.
    """

    metadata = {"render_modes": list(rendering.MODES), "render_fps": 2}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        rules: kd.Rules | str | None = None,
        *,
        opponents: str | Sequence[str] = "greedy",
        seat: int | None = None,
        observation: Form = "planes",
        reward: Reward = "rank",
        illegal_reward: IllegalReward = "worst",
        render_mode: rendering.Mode | None = None,
        **options: Unpack[RulesOptions],
    ) -> None:
        self.rules = read_rules(
            rules,
            options,
            own=("opponents", "seat", "observation", "reward", "illegal_reward", "render_mode"),
        )
        self.opponents = tuple(read_opponents(opponents, self.rules))
        self.render_mode: rendering.Mode | None = rendering.check_mode(render_mode)
        self._asked_seat = check_seat(seat, self.rules)
        self._form: Form = check_form(observation)
        self._reward: Reward = check_reward(reward)
        self._illegal_reward = read_illegal_reward(illegal_reward, reward, self.rules)
        self.observation_space = masked_observation_space(self.rules, observation)
        self.action_space = action_space(self.rules)
        self._seed: int | None = None
        self._episode = 0
        self._game: kd.Game | None = None
        self._seat = 0
        self._bots: dict[int, kd.bots.Bot] = {}
        self._ended = True

    @property
    def game(self) -> kd.Game:
        """The current game. Raises `KingdominoError` before the first reset."""
        if self._game is None:
            raise kd.KingdominoError("reset the environment before its first step")
        return self._game

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - part of Gymnasium's interface
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start a game and return the observation at the learner's first decision. ``options`` is ignored."""
        super().reset(seed=seed)
        first, episode = next_episode(seed, self._seed, self._episode)
        game_seed = episode_seed(first, episode)
        self._game = kd.Game(self.rules, seed=game_seed)
        self._seed, self._episode = first, episode
        self._seat = learner_seat(game_seed, self.rules) if self._asked_seat is None else self._asked_seat
        players = self.rules.players
        self._ended = True
        self._close_bots()
        self._bots = {
            seat: kd.bots.make(spec, seed=kd.derive_seed(game_seed, "bot", seat))
            for ahead, spec in enumerate(self.opponents, 1)
            for seat in [(self._seat + ahead) % players]
        }
        position = self._play_bots()
        self._ended = False
        return self._observe(position)

    def step(self, action: SupportsIndex) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Play the action with this number, then let the bots play.

        Raises `KingdominoError` after the end of the game. Without an ``illegal_reward``, raises `IllegalActionError`
        with the action and the reason, and changes nothing.
        """
        game = self.game
        if self._ended:
            raise kd.KingdominoError("the game is over: reset the environment")
        try:
            chosen = find_action(action, game.position)
        except kd.IllegalActionError:
            if self._illegal_reward is None:
                raise
            self._ended = True
            seen, info = self._observe(game.position)
            return seen, self._illegal_reward, True, False, info
        game.play(chosen)
        self._ended = True  # even if a bot fails: then it is not the learner's turn
        position = self._play_bots()
        self._ended = position.is_over
        reward = _core.rewards(position, self._reward)[self._seat] if self._ended else 0.0
        seen, info = self._observe(position)
        if self.render_mode == "human":
            self.render()
        return seen, reward, self._ended, False, info

    def render(self) -> Any:  # noqa: ANN401 - Gymnasium leaves the type to the mode
        """Render the position in ``render_mode``."""
        return rendering.render(self.game, self.render_mode)

    def close(self) -> None:
        """Close the opponents, such as engines. The next call must be a reset."""
        self._ended = True
        self._close_bots()
        super().close()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal mask, under the name that sb3-contrib's MaskablePPO calls."""
        return self._mask(self.game.position).view(np.bool_)

    def _close_bots(self) -> None:
        while self._bots:
            _, bot = self._bots.popitem()
            bot.close()

    def _play_bots(self) -> kd.Position:
        position = self.game.position
        while (seat := position.to_move) is not None and seat != self._seat:
            self.game.play(self._bots[seat].choose(position))
            position = self.game.position
        return position

    def _observe(self, position: kd.Position) -> tuple[dict[str, Any], dict[str, Any]]:
        mask = self._mask(position)
        info: dict[str, Any] = {"action_mask": mask, "seat": self._seat}
        if self._ended:
            info["scores"] = np.array([score.total for score in position.scores()], np.int16)
        return obs.observe(position, self._seat, self._form) | {"action_mask": mask}, info

    def _mask(self, position: kd.Position) -> NDArray[np.int8]:
        """Return the legal mask. At the end it is all ones, so that sampling from it keeps working."""
        return np.ones(self.rules.action_count, np.int8) if self._ended else obs.action_mask(position)
