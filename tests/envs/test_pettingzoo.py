"""PettingZoo's own checks, and our further promises."""

import copy
import pickle
from random import Random
from typing import Any, get_args

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from support.outcomes import ended, totals

import kingdomino as kd
from kingdomino.envs import kingdomino_v1, observation
from kingdomino.envs.kingdomino_v1 import MaskPlace

OPTIONS = [
    {},
    {"players": 3, "edition": "first"},
    {"players": 4, "harmony": True, "reward": "margin"},
    {"mighty_duel": True, "observation": "compact"},
]
# PettingZoo reports an observation with a mask as a mistake unless it knows the environment's name.
with_mask = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array", "ignore:Observation space for each agent probably should be"
)


@with_mask
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_pettingzoo_finds_nothing_wrong(options: dict[str, Any]) -> None:
    api_test(kingdomino_v1.env(**options), num_cycles=200)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_same_seed_is_the_same_game(options: dict[str, Any]) -> None:
    seed_test(lambda: kingdomino_v1.env(**options), num_cycles=60)


@pytest.mark.parametrize("options", [{}, {"players": 4}, {"mighty_duel": True}], ids=str)
def test_pettingzoo_has_no_warning_for_one_array_with_the_mask_in_info(options: dict[str, Any]) -> None:
    api_test(kingdomino_v1.env(observation="compact", action_mask="info", **options), num_cycles=200)


def test_a_compact_observation_is_one_array() -> None:
    masked, alone = (
        kingdomino_v1.env(observation="compact", action_mask=place) for place in get_args(MaskPlace)
    )
    for env in (masked, alone):
        env.reset(seed=7)
        assert env.observation_space("player_0").contains(env.observe("player_0"))
    array = observation.observe(masked.game.position, 0, "compact")["compact"]
    np.testing.assert_array_equal(masked.observe("player_0")["observation"], array)
    np.testing.assert_array_equal(alone.observe("player_0"), array)
    with pytest.raises(kd.KingdominoError, match="action_mask is 'observation' or 'info', not 'nowhere'"):
        kingdomino_v1.env(action_mask="nowhere")  # type: ignore[arg-type]


def play_some(env: kingdomino_v1.raw_env, plies: int, chance: Random) -> None:
    for _ in range(plies):
        mask = env.last()[0]["action_mask"]
        env.step(chance.choice(np.flatnonzero(mask).tolist()))


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_and_pickles_keep_the_position_and_share_nothing(duplicate: Any) -> None:  # noqa: ANN401
    env = kingdomino_v1.env(players=3)
    env.reset(seed=3)
    play_some(env, 20, Random(1))
    before = env.game.position
    other = duplicate(env)
    assert other.game == env.game
    assert other.agent_selection == env.agent_selection
    play_some(other, 10, Random(2))
    assert env.game.position == before
    play_some(env, 10, Random(2))
    assert other.game == env.game


def test_the_agent_to_move_has_the_mask_in_its_observation_and_info() -> None:
    env = kingdomino_v1.env()
    env.reset(seed=1)
    for _ in range(30):
        seen, _, _, _, info = env.last()
        np.testing.assert_array_equal(seen["action_mask"], info["action_mask"])
        assert np.flatnonzero(info["action_mask"]).tolist() == sorted(
            action.number(env.rules) for action in env.game.legal_actions()
        )
        (waiting,) = (agent for agent in env.agents if agent != env.agent_selection)
        assert not env.observe(waiting)["action_mask"].any()
        assert not env.infos[waiting]["action_mask"].any()
        env.step(int(np.flatnonzero(info["action_mask"])[0]))


@pytest.mark.parametrize("reward", ["rank", "win", "score", "margin"])
def test_rewards_come_at_the_end_to_every_agent(reward: Any) -> None:  # noqa: ANN401
    env = kingdomino_v1.env(players=4, reward=reward)
    for seed in range(5):
        env.reset(seed=seed)
        given = dict.fromkeys(env.possible_agents, 0.0)
        chance = Random(seed)
        for agent in env.agent_iter():
            seen, earned, over, _, _ = env.last()
            given[agent] += earned
            env.step(None if over else chance.choice(np.flatnonzero(seen["action_mask"]).tolist()))
        outcome = ended(env.game)
        scores = totals(outcome)
        expected = {
            "score": [float(score) for score in scores],
            "margin": [float(score - max(scores[:s] + scores[s + 1 :])) for s, score in enumerate(scores)],
            "win": [(s in outcome.winners) / len(outcome.winners) for s in range(4)],
            "rank": [given[agent] for agent in env.possible_agents],
        }
        assert list(given.values()) == expected[reward]
        if reward == "rank":
            assert sum(given.values()) == pytest.approx(0, abs=1e-6)
            assert [given[f"player_{seat}"] for seat in outcome.ranking] == sorted(
                given.values(), reverse=True
            )
            assert max(given.values()) == pytest.approx(1 - (len(outcome.winners) - 1) / 3)


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    env = kingdomino_v1.env()
    with pytest.raises(kd.KingdominoError, match="reset the environment before its first step"):
        env.step(0)
    env.reset(seed=1)
    before = env.game.position
    with pytest.raises(kd.IllegalActionError, match=r"action 48 \(discard\): a domino must be claimed now"):
        env.step(48)
    with pytest.raises(TypeError, match=r"player_. is to move: its action must be a whole number, not None"):
        env.step(None)
    assert env.game.position == before


def test_an_illegal_action_may_end_the_game_with_a_penalty() -> None:
    env = kingdomino_v1.env(illegal_reward=-1.0)
    env.reset(seed=1)
    culprit = env.agent_selection
    env.step(48)
    assert all(env.terminations.values())
    assert {agent: reward for agent, reward in env.rewards.items() if reward} == {culprit: -1.0}
    while env.agents:
        env.step(None)
    with pytest.raises(kd.KingdominoError, match="the game is over: reset the environment"):
        env.step(0)
