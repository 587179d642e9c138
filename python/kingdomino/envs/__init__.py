"""Environments for reinforcement learning.

- `VectorEnv`: many games per call, in NumPy arrays that it reuses or that you pass;
- `KingdominoEnv`, as ``gymnasium.make("Kingdomino-v1")``: one seat against bots;
- `KingdominoVectorEnv`, as ``gymnasium.make_vec("Kingdomino-v1")``: many such games in the engine;
- ``kingdomino.envs.kingdomino_v1``: PettingZoo, with an agent for every seat;
- ``kingdomino.envs.observation``: a seat's view, as arrays;
- ``kingdomino.envs.symmetry``: rotations and reflections of observations and actions;
- ``kingdomino.envs.openspiel``: the game for OpenSpiel.

`VectorEnv`, ``observation`` and ``symmetry`` need no extra. The others need the extra ``rl`` (``pip install
'kingdomino[rl]'``), and OpenSpiel the extra ``openspiel``. Importing this package registers the Gymnasium environments
if Gymnasium is installed.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from kingdomino.envs.vector import Arrays, VectorEnv

if TYPE_CHECKING:
    from kingdomino.envs.gym_single import KingdominoEnv
    from kingdomino.envs.gym_vector import KingdominoVectorEnv

__all__ = ["Arrays", "KingdominoEnv", "KingdominoVectorEnv", "VectorEnv"]

_MODULES = ("kingdomino_v1", "observation", "symmetry")
_CLASSES = {"KingdominoEnv": "gym_single", "KingdominoVectorEnv": "gym_vector"}


def __getattr__(name: str) -> object:
    if name not in (*_MODULES, *_CLASSES):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        module = import_module(f"{__name__}.{_CLASSES.get(name, name)}")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"kingdomino.envs.{name} needs {error.name}: pip install 'kingdomino[rl]'", name=error.name
        ) from error
    return getattr(module, name) if name in _CLASSES else module


def __dir__() -> list[str]:
    return sorted([*__all__, *_MODULES])


if find_spec("gymnasium"):
    import gymnasium

    gymnasium.register(
        id="Kingdomino-v1",
        entry_point="kingdomino.envs.gym_single:KingdominoEnv",
        vector_entry_point="kingdomino.envs.gym_vector:KingdominoVectorEnv",
    )
