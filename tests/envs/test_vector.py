"""Many games at once are the same games as one at a time."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields as fields_of
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

import kingdomino as kd
from kingdomino.envs import Arrays, KingdominoEnv, KingdominoVectorEnv, VectorEnv, kingdomino_v1
from kingdomino.envs.kingdomino_v1 import raw_env
from kingdomino.envs.options import Form, Reward

RULES = [
    kd.Rules.parse(text)
    for text in (
        "2.second.snake.harmony",
        "2.second.random.duel.middle",
        "3.first.random",
        "3.second.random.middle",
        "4.second.random.harmony",
    )
]


def compare_with_single_games(
    rules: kd.Rules,
    rows: int,
    episodes: int,
    form: Form = "planes",
    reward: Reward = "rank",
    threads: int = 1,
) -> int:
    """Play the same actions in a vectorised environment and in single ones; return the number of games."""
    many = VectorEnv(rows, rules, observation=form, reward=reward, threads=threads)
    singles = [raw_env(rules, observation=form, reward=reward) for _ in range(rows)]
    arrays = many.reset(seed=1000)
    for row, single in enumerate(singles):
        single.reset(seed=1000 + row)
    played = 0
    while played < rows * episodes:
        actions = many.sample().tolist()
        shown = [array.tobytes() for array in (arrays.planes, arrays.vector, arrays.action_mask)]
        sizes = [len(text) // rows for text in shown]
        for row, single in enumerate(singles):
            agent = single.agent_selection
            assert arrays.seat[row] == int(agent[-1])
            seen = single.observe(agent)
            arrays_seen = seen["observation"]
            alone = [arrays_seen] if form == "compact" else [arrays_seen["planes"], arrays_seen["vector"]]
            alone.append(seen["action_mask"])
            parts = shown if form == "planes" else [shown[0], shown[2]]
            lengths = sizes if form == "planes" else [sizes[0], sizes[2]]
            for one, text, size in zip(alone, parts, lengths, strict=True):
                assert one.tobytes() == text[row * size : (row + 1) * size]
            single.step(actions[row])
        arrays = many.step(actions)
        ended = {row for row, single in enumerate(singles) if any(single.terminations.values())}
        assert set(np.flatnonzero(arrays.done).tolist()) == ended
        assert not arrays.rewards[~arrays.done].any()
        for row in ended:
            single = singles[row]
            np.testing.assert_allclose(arrays.rewards[row], list(single.rewards.values()))
            assert arrays.scores[row].tolist() == [score.total for score in single.game.position.scores()]
            single.reset()
            assert single.game == many.game(row)
        played += len(ended)
    return played


def test_a_thousand_games_are_the_same_as_one_at_a_time() -> None:
    assert compare_with_single_games(kd.Rules(), rows=100, episodes=10) == 1000


@pytest.mark.parametrize("rules", RULES, ids=kd.Rules.to_text)
def test_the_games_of_every_rules_set_are_the_same_as_one_at_a_time(rules: kd.Rules) -> None:
    assert compare_with_single_games(rules, 20, 3, "compact", "margin", threads=2) >= 60


@pytest.mark.parametrize("opponents", ["greedy", "random", "random:seed=3"])
@pytest.mark.parametrize("rules", [kd.Rules(), kd.Rules(3), kd.Rules(mighty_duel=True)], ids=kd.Rules.to_text)
def test_opponents_inside_the_engine_play_as_the_bots_do(rules: kd.Rules, opponents: str) -> None:
    rows = 12
    many = VectorEnv(rows, rules, opponents=opponents, reward="score")
    singles = [KingdominoEnv(rules, opponents=opponents, reward="score") for _ in range(rows)]
    arrays = many.reset(seed=7)
    seen = [single.reset(seed=7 + row)[0] for row, single in enumerate(singles)]
    for _ in range(60):
        for row, one in enumerate(seen):
            np.testing.assert_array_equal(arrays.planes[row], one["planes"])
            np.testing.assert_array_equal(arrays.vector[row], one["vector"])
            np.testing.assert_array_equal(arrays.action_mask[row], one["action_mask"])
        actions = many.sample().copy()
        arrays = many.step(actions)
        for row, single in enumerate(singles):
            seen[row], reward, ended, _, info = single.step(actions[row])
            assert (reward, ended) == (arrays.rewards[row], arrays.done[row])
            if ended:
                np.testing.assert_array_equal(arrays.final_planes[row], seen[row]["planes"])
                np.testing.assert_array_equal(arrays.final_vector[row], seen[row]["vector"])
                np.testing.assert_array_equal(arrays.scores[row], info["scores"])
                seen[row], _ = single.reset()


@pytest.mark.parametrize("copy", [False, True])
def test_the_end_of_a_game_says_which_score_is_the_learners(copy: bool) -> None:
    envs = KingdominoVectorEnv(8, opponents="random", reward="score", copy=copy)
    envs.reset(seed=1)
    ended, moved = 0, 0
    for _ in range(60):
        _, rewards, done, _, infos = envs.step(envs.sample())
        for row in np.flatnonzero(done):
            last = infos["final_info"]
            assert last["_seat"][row]
            assert rewards[row] == last["scores"][row][last["seat"][row]]
            moved += last["seat"][row] != infos["seat"][row]
            ended += 1
    assert ended == 16
    assert moved > 0


def test_without_opponents_the_last_mover_gets_the_last_observation() -> None:
    env = VectorEnv(8, players=3)
    arrays, mine = env.reset(seed=1), env.new_arrays()
    ended = 0
    while not ended:
        before = arrays.seat.copy()
        arrays.seat[:] = 9  # they belong to the caller
        arrays = env.step(env.sample(), mine)
        ended = int(arrays.done.sum())
        assert (arrays.final_seat[arrays.done] == before[arrays.done]).all()


def arrays_as_bytes(arrays: Arrays) -> list[bytes]:
    return [getattr(arrays, field.name).tobytes() for field in fields_of(Arrays)]


def test_seeds_may_be_numbers_of_numpy() -> None:
    seeds = np.array([4, 5], np.int64)
    env = VectorEnv(2)
    first = arrays_as_bytes(env.reset(seed=4))
    assert arrays_as_bytes(env.reset(seed=seeds[0])) == first
    assert arrays_as_bytes(env.reset(seed=seeds.tolist())) == first


def test_the_number_of_threads_changes_nothing() -> None:
    envs = [VectorEnv(300, kd.Rules(4), threads=threads) for threads in (1, 2, 5)]
    for env in envs:
        env.reset(seed=3)
    for _ in range(120):
        first, *others = [arrays_as_bytes(env.step(env.sample())) for env in envs]
        assert all(other == first for other in others)


FORKED = """
import os
from kingdomino.envs import VectorEnv

env = VectorEnv(300, threads=2)
env.reset(seed=3)
env.step(env.sample())
child = os.fork()
seen = env.step(env.sample()).planes.tobytes()
if not child:
    os.write(1, seen)
    os._exit(0)
os.waitpid(child, 0)
os.write(1, seen)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only some systems fork")
def test_a_fork_works_without_the_threads() -> None:
    """Fork as a data loader does: a fork has one thread, however many its parent had."""
    script = [sys.executable, "-W", "ignore", "-c", FORKED]
    said = subprocess.run(script, check=True, capture_output=True, timeout=60).stdout
    middle = len(said) // 2
    assert said
    assert said[:middle] == said[middle:]


def test_observations_can_be_written_into_the_callers_own_arrays() -> None:
    env, plain = VectorEnv(5), VectorEnv(5)
    env.reset(seed=1, out=env.new_arrays())
    plain.reset(seed=1)
    steps = 30
    kept = Arrays(
        **{
            field.name: np.zeros((steps, *array.shape), array.dtype)
            for field in fields_of(Arrays)
            for array in [getattr(env.new_arrays(), field.name)]
        }
    )
    for step in range(steps):
        row = Arrays(**{field.name: getattr(kept, field.name)[step] for field in fields_of(Arrays)})
        assert env.step(env.sample(), out=row) is row
        now = plain.step(plain.sample())
        for name in ("planes", "vector", "action_mask", "rewards", "done", "seat"):
            np.testing.assert_array_equal(getattr(kept, name)[step], getattr(now, name))


def test_seeds_may_be_given_one_by_one() -> None:
    env = VectorEnv(2)
    env.reset(seed=[2**64 - 1, 5])
    assert [env.game(row).seed for row in range(2)] == [2**64 - 1, 5]
    assert env.game(0) == kd.Game(seed=2**64 - 1)


def test_a_reset_without_a_seed_goes_on_with_each_rows_next_game() -> None:
    env, begun = VectorEnv(6), np.zeros(6, np.int64)
    env.reset(seed=7)
    for steps in (1, 52, 49):
        for _ in range(steps):
            begun += env.step(env.sample()).done
        for now in (begun, begun + 1):  # the games started by steps, and by the reset
            assert [env.game(row).seed for row in range(6)] == [
                kd.derive_seed(7 + row, "episode", int(now[row])) if now[row] else 7 + row for row in range(6)
            ]
            env.reset()
        begun += 2
    assert begun.max() > 3
    env.reset(seed=7)
    assert env.game(5) == kd.Game(seed=12)


def test_the_learner_sits_where_it_was_asked_to() -> None:
    seats = VectorEnv(40, kd.Rules(3), opponents="random", seat=2).reset(seed=1).seat
    assert set(seats.tolist()) == {2}
    seats = VectorEnv(40, kd.Rules(3), opponents="random").reset(seed=1).seat
    assert set(seats.tolist()) == {0, 1, 2}


def test_an_illegal_action_may_end_its_game_with_a_penalty() -> None:
    env = VectorEnv(2, illegal_reward=-2.0)
    arrays = env.reset(seed=4)
    mover, dealt = int(arrays.seat[0]), env.game(0).deck
    other = env.sample()[1]
    arrays = env.step([48, other])
    assert arrays.done.tolist() == [True, False]
    assert arrays.rewards[0, mover] == -2.0
    assert arrays.rewards.sum() == -2.0
    assert env.game(0).deck != dealt


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    env = VectorEnv(3)
    arrays = env.reset(seed=4)
    before, games = arrays_as_bytes(arrays), [env.game(row) for row in range(3)]
    legal = env.sample().tolist()
    for wrong, reason in [
        (48, r"game 1: action 48 \(discard\): a domino must be claimed now"),
        (49, r"game 1: action 49 \(place -4,-4>-3,-4\): a domino must be claimed now"),
        (373, r"game 1: 373 is not an action number \(they go from 0 to 372\)"),
        (-1, r"game 1: -1 is not an action number"),
    ]:
        with pytest.raises(kd.IllegalActionError, match=reason):
            env.step([legal[0], wrong, legal[2]])
        assert arrays_as_bytes(arrays) == before
        assert [env.game(row) for row in range(3)] == games


def broken(arrays: Arrays, **changes: Any) -> Arrays:  # noqa: ANN401 - whatever is wrong
    return replace(arrays, **changes)


def test_arrays_and_actions_that_do_not_fit_are_refused() -> None:
    env = VectorEnv(4)
    with pytest.raises(kd.KingdominoError, match="reset the environment before its first step"):
        env.step([0, 0, 0, 0])
    with pytest.raises(kd.KingdominoError, match="reset the environment before its first step"):
        env.sample()
    arrays = env.reset(seed=1)
    legal = env.sample().copy()
    with pytest.raises(TypeError, match="actions must be whole numbers, not float64"):
        env.step(legal.astype(float))
    with pytest.raises(kd.KingdominoError, match=r"actions of shape \(3,\) for 4 games"):
        env.step(legal[:3])
    with pytest.raises(kd.KingdominoError, match="3 seeds for 4 games"):
        env.reset(seed=[1, 2, 3])
    with pytest.raises(TypeError, match=r"out must be an array of int64, not dtype\('int32'\)"):
        env.sample(out=np.zeros(4, np.int32))
    with pytest.raises(TypeError, match=r"planes must be an array of uint8, not dtype\('float32'\)"):
        env.step(legal, broken(arrays, planes=arrays.planes.astype(np.float32)))
    with pytest.raises(kd.KingdominoError, match="action_mask: the array is not contiguous"):
        env.step(legal, broken(arrays, action_mask=np.asfortranarray(arrays.action_mask)))
    fixed = arrays.done.copy()
    fixed.flags.writeable = False
    with pytest.raises(kd.KingdominoError, match=r"done: .*not writeable"):
        env.step(legal, broken(arrays, done=fixed))
    with pytest.raises(kd.KingdominoError, match=r"final_planes: .*borrowed"):
        env.step(legal, broken(arrays, final_planes=arrays.planes))
    with pytest.raises(kd.KingdominoError, match="there is no game 4"):
        env.game(4)
    env.step(legal)


def test_impossible_arguments_are_refused_with_a_reason() -> None:
    for games in (0, 10**12):
        with pytest.raises(kd.KingdominoError, match=f"{games} games: there must be 1 to 1,000,000"):
            VectorEnv(games)
    with pytest.raises(kd.KingdominoError, match="seat 1 without opponents"):
        VectorEnv(1, seat=1)
    with pytest.raises(kd.RulesError, match="either rules or players, not both"):
        VectorEnv(1, kd.Rules(), players=2)
    with pytest.raises(kd.KingdominoError, match="2 opponents, but 2 players need 1"):
        VectorEnv(1, opponents="greedy,random")
    with pytest.raises(kd.BotError, match="no bot 'gredy'"):
        VectorEnv(1, opponents="gredy")
    with pytest.raises(kd.KingdominoError, match=r"there is no seat 2 \(0 to 1\)"):
        VectorEnv(1, opponents="greedy", seat=2)
    with pytest.raises(kd.KingdominoError, match="0 is not a number of threads"):
        VectorEnv(1, threads=0)


@pytest.mark.parametrize(
    "make", [partial(VectorEnv, 1), KingdominoEnv, KingdominoVectorEnv, kingdomino_v1.env]
)
def test_an_unknown_option_is_named_with_the_nearest_one(make: Callable[..., object]) -> None:
    with pytest.raises(
        TypeError, match=r"there is no option 'rewards' \(did you mean 'reward'\?\); the options"
    ):
        make(rewards="win")
    with pytest.raises(TypeError, match="there is no option 'playerz'"):
        make(playerz=3)
    with pytest.raises(TypeError, match="rules: 3 is neither a rules set nor its text"):
        make(rules=3)
    with pytest.raises(kd.KingdominoError, match="illegal_reward: 'bad' is not a number"):
        make(illegal_reward="bad")
    for huge in (10**400, -1e39):  # too large for 32 bits
        with pytest.raises(kd.KingdominoError, match=r"illegal_reward: -?1.* is not a number"):
            make(illegal_reward=huge)
    with pytest.raises(kd.KingdominoError, match="there is no observation 'flat'"):
        make(observation="flat")
    with pytest.raises(kd.KingdominoError, match="there is no reward 'fame'"):
        make(reward="fame")


@pytest.mark.parametrize("make", [partial(VectorEnv, 1), KingdominoEnv, KingdominoVectorEnv])
def test_the_option_for_the_other_seats_is_called_opponents(make: Callable[..., object]) -> None:
    with pytest.raises(TypeError, match="did you mean 'opponents'"):
        make(opponent="greedy")
    with pytest.raises(TypeError, match="opponents: 3 is neither a bot's spec string nor a list of them"):
        make(opponents=3)


def test_only_bots_that_the_engine_knows_can_be_opponents_inside_it() -> None:
    kd.bots.register("stand_in", kd.bots.policies.greedy, replace=True)
    with pytest.raises(kd.BotError, match="the engine has no bot 'stand_in'"):
        VectorEnv(1, opponents="stand_in")
