"""sb3-contrib's MaskablePPO learns to play against a bot in the Gymnasium environment.

    pip install 'kingdomino[sb3]'
    python examples/maskable_ppo.py --steps 100000

This installs PyTorch, which is large, so no test runs this example.
"""

import argparse
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy

from kingdomino.envs import KingdominoEnv

PARTS = ("planes", "vector")


class Scaled(gymnasium.ObservationWrapper[NDArray[np.float32], np.int64, dict[str, Any]]):
    """The observation as one row of numbers from 0 to 1, for a plain network."""

    def __init__(self, env: gymnasium.Env[dict[str, Any], np.int64]) -> None:
        super().__init__(env)
        assert isinstance(env.unwrapped, KingdominoEnv)
        self._env = env.unwrapped
        seen = self._env.observation_space
        assert isinstance(seen, gymnasium.spaces.Dict)
        boxes = [box for name in PARTS if isinstance(box := seen[name], gymnasium.spaces.Box)]
        self._high = np.concatenate([box.high.ravel() for box in boxes])
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, self._high.shape, np.float32)

    def observation(self, observation: dict[str, Any]) -> NDArray[np.float32]:
        """Join planes and vector, each number divided by its highest possible value."""
        row = np.concatenate([observation[name].ravel() for name in PARTS])
        return np.asarray(row / self._high, np.float32)

    def action_masks(self) -> NDArray[np.bool_]:
        """Pass on the legal mask. MaskablePPO calls this method by name."""
        return self._env.action_masks()


def main() -> None:
    """Train and evaluate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--steps", type=int, default=100_000, help="decisions (default: %(default)s)")
    parser.add_argument("--opponents", default="random", help="bots' specs (default: %(default)s)")
    parser.add_argument("--test-games", type=int, default=500, help="(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(default: %(default)s)")
    arguments = parser.parse_args()
    env = Scaled(gymnasium.make("Kingdomino-v1", opponents=arguments.opponents))
    model = MaskablePPO("MlpPolicy", env, n_steps=1024, batch_size=256, seed=arguments.seed, verbose=1)
    model.learn(arguments.steps)
    mean, deviation = evaluate_policy(model, env, n_eval_episodes=arguments.test_games, warn=False)
    print(
        f"mean reward {mean:.2f} ± {deviation / arguments.test_games**0.5:.2f} (1 for a win, -1 for a loss)"
    )


if __name__ == "__main__":
    main()
