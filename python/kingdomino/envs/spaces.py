"""The Gymnasium spaces of observations and actions."""

from typing import Any

import numpy as np
from gymnasium import spaces

import kingdomino as kd
from kingdomino.envs import observation
from kingdomino.envs.options import Form


def observation_space(rules: kd.Rules, form: Form) -> dict[str, spaces.Space[Any]]:
    """Return a space for each array of `observation.observe`."""
    if form == "compact":
        return {"compact": spaces.Box(0, 255, (observation.compact_dtype(rules).itemsize,), np.uint8)}
    highest = observation.highest(rules)
    return {
        "planes": spaces.Box(0, 3, observation.planes_shape(rules), np.uint8),
        "vector": spaces.Box(np.zeros_like(highest), highest, dtype=np.int16),
    }


def mask_space(rules: kd.Rules) -> spaces.Box:
    """Return the space of a legal mask."""
    return spaces.Box(0, 1, (rules.action_count,), np.int8)


def masked_observation_space(rules: kd.Rules, form: Form) -> spaces.Dict:
    """Return the space of an observation that includes the legal mask."""
    return spaces.Dict(observation_space(rules, form) | {"action_mask": mask_space(rules)})


def action_space(rules: kd.Rules) -> spaces.Discrete:
    """Return the space of the action numbers. Its `sample` takes a legal mask."""
    return spaces.Discrete(rules.action_count)
