"""Environments for reinforcement learning, with the libraries that researchers already use.

- `VectorEnv`: many games stepped in one call, over NumPy arrays that are reused or that you own;
- `KingdominoEnv`: one seat against bots, as ``gymnasium.make("Kingdomino-v1")``, and `KingdominoVectorEnv`
  as ``gymnasium.make_vec("Kingdomino-v1")``: importing this package registers both;
- ``kingdomino.envs.kingdomino_v1``: every seat an agent, in the way of PettingZoo;
- ``kingdomino.envs.observation``: what a seat sees, as arrays;
- ``kingdomino.envs.symmetry``: the eight ways to turn and mirror it;
- ``kingdomino.envs.openspiel``: the game for OpenSpiel.

They need ``pip install kingdomino[rl]``, the last one ``kingdomino[openspiel]``.
"""

try:
    import gymnasium
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"kingdomino.envs needs {error.name}: pip install 'kingdomino[rl]'", name=error.name
    ) from error

from kingdomino.envs.gym_single import KingdominoEnv
from kingdomino.envs.gym_vector import KingdominoVectorEnv
from kingdomino.envs.vector import Arrays, VectorEnv

__all__ = ["Arrays", "KingdominoEnv", "KingdominoVectorEnv", "VectorEnv"]

gymnasium.register(
    id="Kingdomino-v1",
    entry_point="kingdomino.envs.gym_single:KingdominoEnv",
    vector_entry_point="kingdomino.envs.gym_vector:KingdominoVectorEnv",
)
