"""Measures the environments on this machine and writes docs/evidence/envs.md (`make bench`).

With ``--others`` it also measures random play in the nearest games of pgx and OpenSpiel, which it installs
into a folder that it throws away. May import the library, its environments and Rich.
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
from rich.console import Console
from rich.progress import track
from rich.table import Table

import kingdomino as kd
from benches.run import Measurement, machine, write_page
from kingdomino._core import DEBUG
from kingdomino.envs import VectorEnv, kingdomino_v1

ROUNDS = 31
GAMES = 512  # their arrays stay in a core's own cache
STEPS = 1000
EVIDENCE = Path(__file__).parent.parent / "docs" / "evidence" / "envs.md"


def vectorised(threads: int = 1, **options: Any) -> Callable[[int], object]:  # noqa: ANN401 - as VectorEnv takes
    """Random legal actions in many games: chosen, played, and everything observed."""
    env = VectorEnv(GAMES * threads, threads=threads, **options)
    env.reset(seed=1)

    def run(_: int) -> None:
        for _ in range(STEPS):
            env.step(env.sample())

    return run


def engine(threads: int) -> Callable[[int], object]:
    """Playouts, which share nothing: what two threads are worth on this machine now."""
    position = kd.Game(seed=1).position

    def run(round_number: int) -> object:
        return kd.playouts(position, 50_000 * threads, threads=threads, seed=round_number)

    return run


def with_pettingzoo(plies: int) -> Callable[[int], object]:
    """Whole games by the loop that PettingZoo's pages show, with a random legal action each time."""
    env = kingdomino_v1.env()

    def run(round_number: int) -> None:
        chance = Random(round_number)
        done = 0
        while done < plies:
            env.reset(seed=round_number + done)
            for _ in env.agent_iter():
                seen, _, ended, _, _ = env.last()
                env.step(None if ended else chance.choice(np.flatnonzero(seen["action_mask"]).tolist()))
                done += not ended

    return run


def with_gymnasium(decisions: int) -> Callable[[int], object]:
    """Whole games against a random opponent; only the own decisions count."""
    env = gymnasium.make("Kingdomino-v1", opponents="random", disable_env_checker=True)
    env.reset(seed=1)

    def run(round_number: int) -> None:
        chance = Random(round_number)
        seen, ended = env.reset()[0], False
        for _ in range(decisions):
            seen, _, ended, _, _ = env.step(chance.choice(np.flatnonzero(seen["action_mask"]).tolist()))
            if ended:
                seen = env.reset()[0]

    return run


def measurements() -> list[Measurement]:
    """Everything that is measured, with the targets of the project."""
    plies, own = "plies a second", "own decisions a second"
    work = GAMES * STEPS

    def many(name: str, unit: str = plies, target: float | None = None, **options: Any) -> Measurement:  # noqa: ANN401
        return Measurement(name, unit, work, vectorised(**options), target)

    def wall(name: str, unit: str, work: int, run: Callable[[int], object]) -> Measurement:
        return Measurement(f"{name} by the wall", unit, work, run, clock=time.perf_counter)

    return [
        many("vectorised, two players", target=3_000_000),
        many("vectorised, two players, compact", observation="compact"),
        many("vectorised, four players", players=4),
        many("vectorised, Mighty Duel", mighty_duel=True),
        many("vectorised, against `random`", own, opponents="random"),
        many("vectorised, against `greedy`", own, opponents="greedy"),
        wall("vectorised, one thread", plies, work, vectorised()),
        wall("vectorised, two threads", plies, 2 * work, vectorised(threads=2)),
        wall("engine, one thread", "random games a second", 50_000, engine(1)),
        wall("engine, two threads", "random games a second", 100_000, engine(2)),
        Measurement("PettingZoo's", plies, 5000, with_pettingzoo(5000), 30_000),
        Measurement("Gymnasium's, against `random`", own, 5000, with_gymnasium(5000), 20_000),
    ]


def rows(measured: list[Measurement]) -> list[tuple[str, ...]]:
    """Name, median, best round, target, and whether the median reaches it."""
    table: list[tuple[str, ...]] = []
    for one in measured:
        target = "" if one.target is None else f"≥ {one.target:,.0f}"
        missed = one.target is not None and one.median < one.target
        verdict = "" if one.target is None else f"no ({one.median / one.target:.0%})" if missed else "yes"
        table.append((one.name, f"{one.median:,.0f} {one.unit}", f"{one.best:,.0f}", target, verdict))
    by_name = {one.name: one for one in measured}
    goals: dict[str, float | None] = {"vectorised": 1.8, "engine": None}
    for what, goal in goals.items():
        alone, together = (
            by_name[f"{what}, {threads} by the wall"] for threads in ("one thread", "two threads")
        )
        # Round by round, because the two of one round met the same machine.
        ratios = [two / one for one, two in zip(alone.figures, together.figures, strict=True)]
        ratio = statistics.median(ratios)
        verdict = "" if goal is None else "yes" if ratio >= goal else f"no ({ratio / goal:.0%})"
        asked = "" if goal is None else f"≥ {goal}"
        name = f"{what}: two threads against one"
        table.append((name, f"{ratio:.2f}×", f"{max(ratios):.2f}", asked, verdict))
    return table


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


def report(table: list[tuple[str, ...]], nearest: dict[str, float]) -> str:
    """The page in docs/evidence."""
    versions = [f"kingdomino {kd.__version__}", f"Python {platform.python_version()}"]
    versions += [f"{package} {version(package)}" for package in ("numpy", "gymnasium", "pettingzoo")]
    load = " ".join(f"{figure:.1f}" for figure in os.getloadavg())
    lines = [
        "# The environments",
        "",
        f"Written by `.venv/bin/python -m benches.envs` (`make bench`). Medians of {ROUNDS} rounds in which",
        f"all measurements alternate. Vectorised: {GAMES} games a thread, seeds from 1; a ply is a random",
        "legal action chosen in the engine, played, and observed: planes, vector, mask, reward, done, seat,",
        "all written into NumPy arrays; a game that has ended begins anew. What one thread does is a second",
        "of processor time; one thread and two by the wall are by the clock on it. The engine's own playouts",
        "with one thread and two say what a second core was worth meanwhile.",
        "",
        f"- machine: {machine()}; load while measuring: {load}",
        f"- {', '.join(versions)}",
        f"- measured: {time.strftime('%Y-%m-%d')}",
        "",
        "| what | median | best round | target | reached |",
        "|---|---|---|---|---|",
        *("| " + " | ".join(row) + " |" for row in table),
        "",
        "No allocation for a step, and less than 4 KB a game beside the arrays: a test counts both",
        "(`cargo test -p kingdomino-batch --test memory`).",
    ]
    if nearest:
        lines += [
            "",
            "Random play elsewhere, in the same run and by the clock on the wall, on all cores that it takes",
            "(`--others`): 1024 games of Othello in one compiled loop of pgx, with masks and observations;",
            "Othello from Python in OpenSpiel, with legal actions and observation tensor at each ply.",
            "",
            "| what | plies a second |",
            "|---|---|",
            *(f"| {name} | {figure:,.0f} |" for name, figure in nearest.items()),
        ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, show, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--others", action="store_true", help="install and measure pgx and OpenSpiel too")
    asked = parser.parse_args()
    if DEBUG:
        sys.exit("this is a debug build of the engine: its figures mean nothing")
    measured = measurements()
    for number in track(range(ROUNDS), "measuring"):
        for one in measured:
            one.measure(number)
    table = rows(measured)
    shown = Table("what", "median", "best round", "target", "reached")
    for row in table:
        shown.add_row(*row)
    Console().print(shown)
    nearest = others() if asked.others else {}
    write_page(EVIDENCE, report(table, nearest))


if __name__ == "__main__":
    main()
