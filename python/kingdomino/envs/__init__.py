"""Environments for reinforcement learning.

- `VectorEnv`: many games stepped in one call, in NumPy arrays that are reused or that you pass;
- `KingdominoEnv`, as ``gymnasium.make("Kingdomino-v1")``: one seat against bots;
- `KingdominoVectorEnv`, as ``gymnasium.make_vec("Kingdomino-v1")``: many such games in the engine;
- ``kingdomino.envs.kingdomino_v1``: PettingZoo, with an agent for every seat;
- ``kingdomino.envs.observation``: what a seat sees, as arrays;
- ``kingdomino.envs.symmetry``: rotations and reflections of observations and actions;
- ``kingdomino.envs.openspiel``: the game for OpenSpiel.

Importing this package registers both Gymnasium environments. It needs the extra ``rl``
(``pip install 'kingdomino[rl]'``); the last module needs ``openspiel``.
"""

from importlib import import_module
from types import ModuleType

try:
    import gymnasium
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"kingdomino.envs needs {error.name}: pip install 'kingdomino[rl]'",
        name=error.name,
    ) from error

from kingdomino.envs.gym_single import KingdominoEnv
from kingdomino.envs.gym_vector import KingdominoVectorEnv
from kingdomino.envs.vector import Arrays, VectorEnv

__all__ = ["Arrays", "KingdominoEnv", "KingdominoVectorEnv", "VectorEnv"]

_MODULES = ("kingdomino_v1", "observation", "symmetry")


def __getattr__(name: str) -> ModuleType:
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])


gymnasium.register(
    id="Kingdomino-v1",
    entry_point="kingdomino.envs.gym_single:KingdominoEnv",
    vector_entry_point="kingdomino.envs.gym_vector:KingdominoVectorEnv",
)
