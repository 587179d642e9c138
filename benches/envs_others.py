"""Random play in the nearest games of pgx and OpenSpiel, for benches/envs.py.

Prints the plies a second of each as JSON. Runs in a separate environment in which only pgx and OpenSpiel
are installed, so it does not import Kingdomino.
"""

import json
import random
import time
from importlib.metadata import version
from typing import Any

SECONDS = 5.0


def othello_in_pgx(games: int = 1024, plies: int = 200) -> float:
    """Step games of Othello at random in one compiled loop that restarts games at their end."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("othello")
    step = jax.vmap(auto_reset(env.step, env.init))

    def ply(state: Any, key: Any) -> tuple[Any, None]:  # noqa: ANN401 - pgx has no types
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        acting, stepping = jax.random.split(key)
        actions = jax.random.categorical(acting, logits, axis=-1)
        return step(state, actions, jax.random.split(stepping, games)), None

    @jax.jit
    def run(state: Any, key: Any) -> Any:  # noqa: ANN401 - pgx has no types
        return jax.lax.scan(ply, state, jax.random.split(key, plies))[0]

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), games))
    state = run(state, jax.random.key(1))
    state.rewards.block_until_ready()
    done, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < SECONDS:
        state = run(state, jax.random.key(done))
        state.rewards.block_until_ready()
        done += games * plies
    return done / (time.perf_counter() - begin)


def othello_in_openspiel() -> float:
    """Play games of Othello at random from Python, with legal actions and observation at each ply."""
    import pyspiel

    game = pyspiel.load_game("othello")
    chance = random.Random(1)
    done, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < SECONDS:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.observation_tensor(state.current_player())
            state.apply_action(chance.choice(state.legal_actions()))
            done += 1
    return done / (time.perf_counter() - begin)


if __name__ == "__main__":
    pgx, openspiel = version("pgx"), version("open-spiel")
    figures = {
        f"pgx {pgx}, Othello": othello_in_pgx(),
        f"OpenSpiel {openspiel}, Othello": othello_in_openspiel(),
    }
    print(json.dumps(figures))
