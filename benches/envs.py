"""Measures the environments on this machine and writes docs/evidence/envs.md (`make bench`).

With ``--others`` it also measures random play in the nearest games of pgx and OpenSpiel, which it installs
into a temporary environment.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

import kingdomino as kd
from benches.run import machine, write_page
from kingdomino._core import DEBUG
from kingdomino.cli.version import version_text
from kingdomino.envs import VectorEnv, kingdomino_v1

ROUNDS = 31
MOST_DECISIONS = 100_000  # of a measurement in a round, but at least one game
MOST_GAMES = 20  # one after the other
PETTINGZOO = "PettingZoo, two players"
SEED = 1
EVIDENCE = Path(__file__).parent.parent / "docs" / "evidence" / "envs.md"


def random_legal(mask: NDArray[np.int8], random: np.random.Generator) -> NDArray[np.int64]:
    """Choose a legal action number in each row of a legal mask, uniformly at random."""
    games, numbers = mask.shape
    legal = np.flatnonzero(mask.view(np.bool_))  # NumPy searches bytes of this type ten times as fast
    start = np.searchsorted(legal, numbers * np.arange(games + 1))
    chosen: NDArray[np.int64] = legal[random.integers(start[:-1], start[1:])] % numbers
    return chosen


class Loop:
    """Whole games of choices and steps in turn. Every choice and every step is timed.

    All games of a rules set have the same number of decisions, so the games of a batch are always at the same
    decision, and some decisions take longer than others. So the loop keeps the times of each decision apart.
    """

    def __init__(
        self,
        name: str,
        choose: Callable[[], Any],
        step: Callable[[Any], object],
        decisions: int,
        games: int = 1,
        threads: int = 1,
    ) -> None:
        self.name = name
        self.games = games
        self.threads = threads
        self.step_times: list[list[float]] = [[] for _ in range(decisions)]
        self.loop_times: list[list[float]] = [[] for _ in range(decisions)]
        self._choose = choose
        self._step = step

    def measure(self) -> None:
        """Run one round."""
        clock = time.perf_counter
        for _ in range(min(MOST_GAMES, max(1, MOST_DECISIONS // (self.games * len(self.step_times))))):
            for step_times, loop_times in zip(self.step_times, self.loop_times, strict=True):
                begin = clock()
                action = self._choose()
                chosen = clock()
                self._step(action)
                end = clock()
                step_times.append(end - chosen)
                loop_times.append(end - begin)

    def figures(self) -> list[float]:
        """Return decisions a second: median and fastest tenth, first of the steps, then of the whole loop."""
        return [
            self.games * len(times) / sum(statistics.quantiles(each, n=10)[tenth] for each in times)
            for times in (self.step_times, self.loop_times)
            for tenth in (4, 0)
        ]


def own_actions(name: str, games: int = 512, threads: int = 1, **options: Any) -> Loop:  # noqa: ANN401 - as VectorEnv takes
    """Return a loop in which the caller reads the masks and chooses a random legal action in each game."""
    env = VectorEnv(games, threads=threads, **options)
    mask = env.reset(SEED).action_mask  # every step writes into the same arrays
    random = np.random.default_rng(SEED)
    decisions = env.rules.plies // (1 if env.opponents is None else env.rules.players)
    return Loop(name, lambda: random_legal(mask, random), env.step, decisions, games, threads)


def sampled_actions(games: int = 512) -> Loop:
    """Return a loop in which the engine chooses the actions, as in random rollouts."""
    env = VectorEnv(games)
    env.reset(SEED)
    return Loop("actions from `env.sample()`", env.sample, env.step, env.rules.plies, games)


def with_pettingzoo() -> Loop:
    """Return PettingZoo's documented loop: `last`, a random legal action, `step`."""
    env = kingdomino_v1.env()
    env.reset(SEED)
    random = Random(SEED)

    def choose() -> int:
        seen, _, ended, _, _ = env.last()
        if ended:
            env.reset()
            seen = env.last()[0]
        return random.choice(np.flatnonzero(seen["action_mask"]).tolist())

    return Loop(PETTINGZOO, choose, env.step, env.rules.plies)


def with_gymnasium() -> Loop:
    """Return Gymnasium's loop against a random opponent. Only the learner's decisions count."""
    env = gymnasium.make("Kingdomino-v1", opponents="random", disable_env_checker=True)
    mask = env.reset(seed=SEED)[0]["action_mask"]
    random = Random(SEED)

    def choose() -> int:
        return random.choice(np.flatnonzero(mask).tolist())

    def step(action: int) -> None:
        nonlocal mask
        seen, _, ended, _, _ = env.step(action)
        mask = (env.reset()[0] if ended else seen)["action_mask"]

    return Loop("Gymnasium, against `random`", choose, step, kd.Rules().plies // 2)


def measurements() -> tuple[list[Loop], list[Loop]]:
    """List the loops: two players by games and threads, then other options and other interfaces."""
    sizes = [own_actions("", games, threads) for games in (1, 64, 512, 4096) for threads in (1, 2)]
    options = [
        sampled_actions(),
        own_actions("compact observations", observation="compact"),
        own_actions("four players", players=4),
        own_actions("Mighty Duel", mighty_duel=True),
        own_actions("against `random`", opponents="random"),
        own_actions("against `greedy`", opponents="greedy"),
        with_pettingzoo(),
        with_gymnasium(),
    ]
    return sizes, options


def others() -> dict[str, float]:
    """Measure pgx and OpenSpiel in an environment of their own."""
    script = Path(__file__).parent / "envs_others.py"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = str(Path(folder) / "bin" / "python")
        install = [python, "-m", "pip", "install", "--quiet", "pgx", "open-spiel"]
        subprocess.run(install, check=True)
        done = subprocess.run([python, str(script)], check=True, capture_output=True, text=True)
    measured: dict[str, float] = json.loads(done.stdout)
    return measured


def table(header: list[str], rows: list[list[str]]) -> list[str]:
    """Return a table in Markdown."""
    return ["| " + " | ".join(row) + " |" for row in [header, ["---"] * len(header), *rows]]


def report(sizes: list[Loop], options: list[Loop], nearest: dict[str, float]) -> str:
    """Return the page in docs/evidence."""
    versions = [version_text(kd.__version__), f"Python {platform.python_version()}"]
    versions += [f"{package} {version(package)}" for package in ("numpy", "gymnasium", "pettingzoo")]
    load = " ".join(f"{figure:.1f}" for figure in os.getloadavg())
    columns = ["steps alone", "fastest tenth", "loop with the choice", "fastest tenth"]

    def row(loop: Loop, *names: str) -> list[str]:
        return [*names, *(f"{figure:,.0f}" for figure in loop.figures())]

    by_name = {(loop.name, loop.games, loop.threads): loop.figures() for loop in sizes + options}
    step, _, whole, _ = by_name["", 512, 1]
    alone = by_name[PETTINGZOO, 1, 1][2]
    lines = [
        "# The environments",
        "",
        f"- **{step / 1e6:.1f} million** plies a second in the steps of 512 games on one thread",
        f"- **{whole / 1e6:.1f} million** with the caller's choice of actions in NumPy included",
        f"- **{alone / 1e3:.0f} thousand** in PettingZoo's loop, one game at a time",
        "",
        "Every action is the caller's own: a random legal action, chosen in NumPy from the masks that the last",
        "step wrote (`random_legal` in the benchmark). A step checks and plays the actions, starts the next game",
        "where one has ended, and writes planes, vector, mask, rewards and done. The figures are decisions a",
        f"second by the wall clock, in whole games over {ROUNDS} rounds, in which the rows of both tables alternate.",
        "Each decision of a game counts with the median of its times, or with their fastest tenth.",
        "",
        f"- command: `.venv/bin/python -m benches.envs` (`make bench`), seed {SEED}",
        f"- machine: {machine()}; load while measuring: {load}",
        f"- versions: {', '.join(versions)}",
        f"- date: {time.strftime('%Y-%m-%d')}",
        "",
        "Two players:",
        "",
        *table(
            ["games", "threads", *columns],
            [row(loop, f"{loop.games:,}", str(loop.threads)) for loop in sizes],
        ),
        "",
        "One thread, 512 games unless one is played at a time:",
        "",
        *table(["what", *columns], [row(loop, loop.name) for loop in options]),
    ]
    if nearest:
        lines += [
            "",
            "Random play in other libraries, in the same run, by the wall clock, on all cores that they use",
            "(`--others`):",
            "",
            *table(
                ["what", "plies a second"], [[name, f"{figure:,.0f}"] for name, figure in nearest.items()]
            ),
        ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, show, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--others", action="store_true", help="install and measure pgx and OpenSpiel too")
    given = parser.parse_args()
    if DEBUG:
        sys.exit("this is a debug build of the engine: its figures mean nothing")
    sizes, options = measurements()
    for _ in track(range(ROUNDS), "measuring"):
        for loop in sizes + options:
            loop.measure()
    shown = Table("what", "steps alone", "loop with the choice")
    for loop in sizes + options:
        name = loop.name or f"{loop.games:,} games, threads: {loop.threads}"
        step, _, whole, _ = loop.figures()
        shown.add_row(name, f"{step:,.0f}", f"{whole:,.0f}")
    Console().print(shown)
    write_page(EVIDENCE, report(sizes, options, others() if given.others else {}))


if __name__ == "__main__":
    main()
