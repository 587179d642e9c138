"""Gymnasium's own checks, and our further promises."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import kingdomino as kd
from kingdomino.envs import KingdominoEnv, KingdominoVectorEnv

OPTIONS: list[dict[str, Any]] = [
    {},
    {"players": 4, "observation": "compact"},
    {"mighty_duel": True},
    {"reward": "margin"},
]


@pytest.mark.filterwarnings("ignore:.*we recommend using a symmetric and normalized space")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_gymnasium_finds_nothing_wrong(options: dict[str, Any]) -> None:
    env = gymnasium.make("Kingdomino-v1", render_mode="rgb_array", disable_env_checker=True, **options)
    check_env(env.unwrapped)


@pytest.mark.filterwarnings("ignore:It seems that your observation")  # planes are no picture
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_stable_baselines_finds_nothing_wrong(options: dict[str, Any]) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(gymnasium.make("Kingdomino-v1", **options).unwrapped)


@pytest.mark.parametrize("reward", ["rank", "win", "score", "margin"])
def test_no_game_ends_worse_than_by_an_illegal_action(reward: Any) -> None:  # noqa: ANN401
    env, envs = KingdominoEnv(reward=reward), KingdominoVectorEnv(1, reward=reward)
    env.reset(seed=1)
    envs.reset(seed=1)
    _, alone, ended, _, _ = env.step(48)  # a discard is impossible before the first claim
    _, together, done, _, _ = envs.step([48])
    assert ended
    assert done.all()
    assert alone == together[0] == {"rank": -1, "win": 0, "score": 0, "margin": -183}[reward]


@pytest.mark.parametrize("mode", ["sync", "async", "vector_entry_point"])
def test_a_masked_loop_runs_over_the_ends_of_games(mode: str) -> None:
    envs = gymnasium.make_vec(
        "Kingdomino-v1", num_envs=2, vectorization_mode=mode, opponents="random", players=4
    )
    random = np.random.default_rng(1)
    try:
        seen, _ = envs.reset(seed=1)
        ended = 0
        for _ in range(30):
            masks = seen["action_mask"]
            assert masks.any(axis=1).all()
            seen, _, done, *_ = envs.step(np.array([random.choice(np.flatnonzero(mask)) for mask in masks]))
            ended += int(done.sum())
    finally:
        envs.close()
    assert ended >= 2


def as_lists(value: Any) -> Any:  # noqa: ANN401  (an observation, an array of them or of numbers)
    if isinstance(value, dict):
        return {key: as_lists(one) for key, one in value.items()}
    return [as_lists(one) for one in value] if value.dtype == object else value.tolist()


def marked(infos: dict[str, Any]) -> dict[str, Any]:
    """Return the rows that have each key."""
    return {
        key: marked(value) if isinstance(value, dict) else as_lists(value[infos.get(f"_{key}", slice(None))])
        for key, value in infos.items()
    }


@pytest.mark.parametrize("options", [{}, {"observation": "compact", "players": 3}], ids=str)
def test_the_end_of_a_game_is_as_in_gymnasiums_vector_environments(
    options: dict[str, Any],
) -> None:
    ours = KingdominoVectorEnv(3, opponents="greedy", **options)
    same_step = {"autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP}
    theirs = gymnasium.make_vec(
        "Kingdomino-v1",
        num_envs=3,
        vectorization_mode="sync",
        vector_kwargs=same_step,
        opponents="greedy",
        **options,
    )
    assert marked(ours.reset(seed=1)[1]) == marked(theirs.reset(seed=1)[1])
    ended = 0
    while not ended:
        actions = ours.sample()
        *_, done, _, infos = ours.step(actions)
        *_, expected = theirs.step(actions)
        assert marked(infos) == marked(expected)
        ended = int(done.sum())
    assert [last is not None for last in infos["final_obs"]] == done.tolist()


def play(env: KingdominoEnv, seed: int) -> tuple[float, list[int]]:
    """Play the last legal action until the end; return the reward and the scores."""
    seen, info = env.reset(seed=seed)
    ended = False
    reward = 0.0
    while not ended:
        assert env.observation_space.contains(seen)
        assert seen["action_mask"] is info["action_mask"]
        assert not reward
        seen, reward, ended, truncated, info = env.step(np.flatnonzero(seen["action_mask"])[-1])
        assert not truncated
    return reward, info["scores"].tolist()


def test_a_game_against_bots_by_spec_string_ends_with_a_reward() -> None:
    env = KingdominoEnv(players=3, opponents="greedy,random:seed=3", seat=1, reward="score")
    reward, scores = play(env, seed=5)
    assert reward == scores[1]
    assert [score.total for score in env.game.position.scores()] == scores


def test_rewards_are_ranks_wins_scores_or_margins() -> None:
    rewards = {
        kind: play(KingdominoEnv(players=3, opponents="greedy", seat=0, reward=kind), seed=2)
        for kind in ("rank", "win", "score", "margin")
    }
    [scores] = {tuple(scores) for _, scores in rewards.values()}
    place = sorted(scores, reverse=True).index(scores[0])
    assert rewards["rank"][0] == [1.0, 0.0, -1.0][place]
    assert rewards["win"][0] == (1.0 if place == 0 else 0.0)
    assert rewards["score"][0] == scores[0]
    assert rewards["margin"][0] == scores[0] - max(scores[1:])


def test_the_same_seed_is_the_same_game_and_no_seed_the_next_one() -> None:
    env = KingdominoEnv(opponents="random")
    env.reset(seed=7)
    first = env.game
    assert first.deck == kd.Game(seed=7).deck
    env.reset()
    second = env.game
    assert second.seed == kd.derive_seed(7, "episode", 1)
    env.reset(seed=7)
    assert env.game == first


def test_an_illegal_action_is_refused_with_its_reason_and_changes_nothing() -> None:
    env = KingdominoEnv(illegal_reward=None)
    with pytest.raises(kd.KingdominoError, match="reset the environment before its first step"):
        env.step(0)
    env.reset(seed=1)
    before = env.game.position
    with pytest.raises(kd.IllegalActionError, match=r"action 48 \(discard\): a domino must be claimed now"):
        env.step(48)
    with pytest.raises(kd.IllegalActionError, match="373 is not an action number"):
        env.step(373)
    with pytest.raises(TypeError):
        env.step("claim 3")  # type: ignore[arg-type]
    assert env.game.position == before


def test_an_illegal_action_may_end_the_game_with_a_penalty() -> None:
    env, envs = KingdominoEnv(illegal_reward=-5.0), KingdominoVectorEnv(1, illegal_reward=-5.0)
    env.reset(seed=1)
    envs.reset(seed=1)
    seen, reward, ended, _, info = env.step(48)
    assert (reward, ended) == (-5.0, True)
    *_, infos = envs.step([48])
    assert info["scores"].tolist() == infos["final_info"]["scores"][0].tolist()
    assert seen["action_mask"].all()
    assert info["action_mask"].all()
    assert env.action_masks().all()
    with pytest.raises(kd.KingdominoError, match="the game is over: reset the environment"):
        env.step(0)


@pytest.mark.parametrize("mode", ["rgb_array", "ansi", "svg", "human"])
def test_a_position_is_shown_in_every_way(mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make("Kingdomino-v1", render_mode=mode, disable_env_checker=True)
    env.reset(seed=1)
    shown = env.render()
    if mode == "rgb_array":
        assert isinstance(shown, np.ndarray)
        assert shown.dtype == np.uint8
        assert shown.shape[2:] == (3,)
    elif mode == "human":
        assert "Opening" in capsys.readouterr().out
    else:
        assert isinstance(shown, str)
        assert ("</svg>" if mode == "svg" else "Opening") in shown
    with pytest.raises(kd.KingdominoError, match="there is no render mode 'film'"):
        KingdominoEnv(render_mode="film")  # type: ignore[arg-type]


def test_the_mask_has_the_name_that_maskable_ppo_asks_for() -> None:
    env = KingdominoEnv()
    seen, _ = env.reset(seed=1)
    assert env.action_masks().dtype == np.bool_
    np.testing.assert_array_equal(env.action_masks(), seen["action_mask"] == 1)


def test_make_vec_steps_the_games_in_the_engine() -> None:
    envs = gymnasium.make_vec("Kingdomino-v1", num_envs=6, opponents="greedy", reward="margin", threads=2)
    assert isinstance(envs.unwrapped, KingdominoVectorEnv)
    seen, infos = envs.reset(seed=3)
    kept = seen["planes"].copy()
    first = seen
    ended = 0
    for _ in range(50):
        assert envs.observation_space.contains(seen)
        seen, rewards, done, truncated, infos = envs.step(envs.unwrapped.sample())
        assert not truncated.any()
        ended += int(done.sum())
        assert ("final_obs" in infos) == done.any()
        if done.any():
            row = int(np.flatnonzero(done)[0])
            scores = infos["final_info"]["scores"][row]
            assert abs(rewards[row]) == abs(scores[0] - scores[1])
            assert infos["final_obs"][row]["planes"].any()
    assert ended == 12
    np.testing.assert_array_equal(first["planes"], kept)  # the caller may keep a step's results


def test_make_vec_steps_like_the_single_environment() -> None:
    envs = gymnasium.make_vec("Kingdomino-v1", num_envs=2, opponents="greedy", copy=False)
    assert isinstance(envs, KingdominoVectorEnv)
    alone = [KingdominoEnv(opponents="greedy") for _ in range(2)]
    seen, _ = envs.reset(seed=9)
    singles = [env.reset(seed=9 + row)[0] for row, env in enumerate(alone)]
    for _ in range(23):
        actions = envs.sample()
        for row, single in enumerate(singles):
            np.testing.assert_array_equal(seen["vector"][row], single["vector"])
        singles = [env.step(action)[0] for env, action in zip(alone, actions, strict=True)]
        seen, *_ = envs.step(actions)


def test_after_an_opponent_has_failed_the_learner_does_not_play_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    env = KingdominoEnv(seat=0, opponents="greedy")
    _, info = env.reset(seed=1)

    def fail(*_: object) -> kd.Action:
        raise RuntimeError("no idea")

    def play_on() -> None:
        while True:
            env.step(np.flatnonzero(env.action_masks())[0])

    with monkeypatch.context() as patch:
        patch.setattr(kd.bots.PolicyBot, "choose", fail)
        with pytest.raises(RuntimeError, match="no idea"):
            play_on()
    with pytest.raises(kd.KingdominoError, match="reset the environment"):
        env.step(np.flatnonzero(info["action_mask"])[0])
    env.reset(seed=1)
    env.step(np.flatnonzero(env.action_masks())[0])


def test_opponents_that_can_be_closed_are_closed_once() -> None:
    closed: list[object] = []

    class Holding(kd.bots.PolicyBot):
        def close(self) -> None:
            closed.append(self)

    kd.bots.register("holding", lambda seed=0: Holding("random", seed))
    env = KingdominoEnv(opponents="holding,greedy", players=3)
    env.reset(seed=1)
    env.reset()
    assert len(closed) == 1
    for _ in range(2):
        env.close()
        assert len(closed) == len(set(closed)) == 2
    with pytest.raises(kd.KingdominoError, match="reset the environment"):
        env.step(0)
    env.reset()
