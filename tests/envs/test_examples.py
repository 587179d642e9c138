"""The examples run, in a short form; OpenSpiel finds nothing wrong with the game."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from support.outcomes import ended

import kingdomino as kd
from kingdomino.envs import openspiel

EXAMPLES = Path(kd.__file__).parent / "examples"


def run(script: str, *arguments: str) -> str:
    """Run an example as a reader would, and return its output."""
    command = [sys.executable, str(EXAMPLES / script), *arguments]
    environment = os.environ | {"MPLBACKEND": "agg", "JAX_PLATFORMS": "cpu"}
    environment["JAX_DISABLE_MOST_OPTIMIZATIONS"] = (
        "1"  # learning takes only a moment, but compiling takes longer
    )
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert not done.returncode, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_policy_gradient_learns_and_draws_its_curve(tmp_path: Path) -> None:
    picture = tmp_path / "curve.png"
    asked = ["--games", "64", "--iterations", "2", "--test-games", "50", "--picture", str(picture)]
    shown = run("policy_gradient.py", *asked)
    assert "of 50 games against random" in shown
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_openspiels_tree_search_plays() -> None:
    shown = run("openspiel_search.py", "--games", "1", "--simulations", "4")
    assert "of 1 games won against a random opponent" in shown


@pytest.mark.parametrize(
    "rules",
    ["2.second.random", "2.second.snake.duel", "3.first.random", "3.second.random", "4.second.random"],
)
def test_openspiels_random_simulation_finds_nothing_wrong(rules: str) -> None:
    game = pyspiel.load_game("python_kingdomino", {"rules": rules})
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("rules", ["2.second.random", "2.second.snake", "3.second.random.middle"])
def test_chance_outcomes_match_the_table(rules: str) -> None:
    dealt = kd.Game(kd.Rules.parse(rules), seed=6)
    deck, kings = [domino.number for domino in dealt.deck], list(dealt.opening)
    state = pyspiel.load_game("python_kingdomino", {"rules": rules}).new_initial_state()
    observer = openspiel.KingdominoObserver(dealt.rules)
    chance = np.random.default_rng(6)
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = dict(state.chance_outcomes())
            assert sum(outcomes.values()) == pytest.approx(1)
            comes_up = state.action_to_string(state.current_player(), min(outcomes))
            state.apply_action(deck.pop(0) - 1 if comes_up.startswith("domino") else kings.pop(0))
            continue
        assert state.position == dealt.position
        observer.set_from(state, state.current_player())
        assert observer.tensor.any()
        assert state.legal_actions() == sorted(a.number(dealt.rules) for a in dealt.legal_actions())
        action = int(chance.choice(state.legal_actions()))
        assert state.action_to_string(state.current_player(), action) == str(
            kd.Action.from_number(action, dealt.rules)
        )
        dealt.play(kd.Action.from_number(action, dealt.rules))
        state.apply_action(action)
    ranks = state.returns()
    assert [ranks[seat] for seat in ended(dealt).ranking] == sorted(ranks, reverse=True)
