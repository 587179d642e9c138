"""Plays on a Ray cluster of two nodes, kills one midway, and compares the games with a single process's.

`python -m benches.cluster` from the root of the repository writes docs/evidence/cluster.md. It needs Ray
(`.venv/bin/pip install 'kingdomino[ray]'`). Both nodes run on this machine, as in Ray's own tests: each has
its own scheduler, object store and workers.
"""

import logging
import os
import platform
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import Progress

import kingdomino as kd
from benches.run import machine, write_page
from kingdomino.arena import results, workers
from kingdomino.arena.plan import Plan, entrants
from kingdomino.arena.play import Clock, Game, Played, Void
from kingdomino.arena.schedule import schedule
from kingdomino.cli.version import version_text

try:
    import ray
    from ray.cluster_utils import Cluster
except ImportError:
    raise SystemExit("Ray is not installed: .venv/bin/pip install 'kingdomino[ray]'") from None

PAGE: Final = Path(__file__).parents[1] / "docs" / "evidence" / "cluster.md"
_CORES: Final = 2  # of each node
_BOTS: Final = ("mce:playouts=300", "uct:playouts=300")


@dataclass(frozen=True)
class Run:
    """One plan, played twice.

    Attributes:
        name: the kind of plan.
        games: how many there are.
        before: games that were over when the node was killed.
        running: games in progress then.
        nodes: nodes before and after.
        different: numbers of the games that differ.
        void: games without a result.
        same_figures: whether both give the same ratings and intervals.
        seconds: how long the cluster and one process took.
    """

    name: str
    games: int
    before: int
    running: int
    nodes: tuple[int, int]
    different: tuple[int, ...]
    void: int
    same_figures: bool
    seconds: tuple[float, float]


def play_twice(plan: Plan, progress: Progress) -> Run:
    """Play a plan on a cluster that loses a node, and in one process."""
    fixtures = list(schedule(plan))
    task = progress.add_task(plan.name, total=2 * len(fixtures))
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": _CORES, "include_dashboard": False})
    try:
        doomed = cluster.add_node(num_cpus=_CORES)
        cluster.wait_for_nodes()
        ray.init(address=cluster.address, log_to_driver=False, logging_level=logging.ERROR)
        nodes = _nodes()
        begin, there = time.perf_counter(), list[Game]()
        for game in workers.play_on_ray(plan, fixtures, None):
            there.append(game)
            if len(there) == len(fixtures) // 3:
                cluster.remove_node(doomed, allow_graceful=False)  # SIGKILL
            progress.advance(task)
        on_cluster, nodes_after = time.perf_counter() - begin, _nodes()
    finally:
        ray.shutdown()
        cluster.shutdown()
    begin, here = time.perf_counter(), list[Game]()
    for game in workers.play_local(plan, fixtures, 1):
        here.append(game)
        progress.advance(task)
    alone = time.perf_counter() - begin
    one, other = _without_clocks(there), _without_clocks(here)
    return Run(
        plan.name,
        len(fixtures),
        len(fixtures) // 3,
        min(2 * _CORES, len(fixtures) - len(fixtures) // 3),
        (nodes, nodes_after),
        tuple(number for number in other if one.get(number) != other[number]),
        sum(isinstance(game, Void) for game in there),
        results.collect(plan, one.values()) == results.collect(plan, other.values()),
        (on_cluster, alone),
    )


def _nodes() -> int:
    return sum(node["Alive"] for node in ray.nodes())


def _without_clocks(games: Iterable[Game]) -> Mapping[int, Game]:
    """Return games by number, as if all bots had taken the same time."""
    same = Clock(1, 0.0, 0.0)
    return {
        game.fixture.number: replace(game, clocks=(same,) * len(game.clocks))
        if isinstance(game, Played)
        else game
        for game in games
    }


def _report(runs: Sequence[Run], blocks: int, seed: int, load: float) -> str:
    games, different = sum(run.games for run in runs), sum(len(run.different) for run in runs)
    rows = "\n".join(
        f"| {run.name} | {run.games} | {run.before} | {run.running} | {run.nodes[0]}, {run.nodes[1]} "
        f"| **{len(run.different)}** | {run.void} | {run.seconds[0]:.0f}, {run.seconds[1]:.0f} |"
        for run in runs
    )
    return f"""# A cluster that loses a node

- Games on a Ray cluster of two nodes, with one node killed: **{games}**
- Games that differ from those in one process: **{different}**; games without a result: **{sum(run.void for run in runs)}**
- Plans with the same figures: **{sum(run.same_figures for run in runs)} of {len(runs)}**

Written by `python -m benches.cluster --blocks {blocks} --seed {seed}`. After a third of the games, `kill -9` ends one node:
its scheduler, its workers and its games in progress are lost. Ray plays these games again on the other node. Then one process
plays the same plan, and the program compares the record, scores and ranking of every game.

| plan | games | over when the node was killed | in progress | nodes before, after | different | void | seconds: cluster, one process |
|---|---|---|---|---|---|---|---|
{rows}

Both nodes are on one machine, so the seconds say nothing about the speed of a cluster.

Measured {time.strftime("%Y-%m-%d")} on {machine()}; {version_text(kd.__version__)}, Python {platform.python_version()},
Ray {ray.__version__}; bots {" and ".join(f"`{bot}`" for bot in _BOTS)}; load before {load:.1f}; seed {seed}.
"""  # noqa: E501


def main(
    blocks: Annotated[int, typer.Option(min=2, help="Deals of each plan.")] = 20,
    seed: Annotated[int, typer.Option(help="For the deals and the bots.")] = 1,
    dry: Annotated[bool, typer.Option("--dry", help="Print the result, and write no page.")] = False,
) -> None:
    """Play on a cluster that loses a node, and write docs/evidence/cluster.md."""
    console = Console()
    both = entrants(_BOTS)
    plans = (
        Plan("a match", "round-robin", both, kd.Rules(2), blocks, seed, False, None, ()),
        Plan("self-play", "each-against", both, kd.Rules(4), max(2, blocks // 2), seed, True, None, ()),
    )
    load = os.getloadavg()[0]
    with Progress(console=console) as progress:
        runs = [play_twice(plan, progress) for plan in plans]
    text = _report(runs, blocks, seed, load)
    console.print(text, markup=False, highlight=False, soft_wrap=True)
    if not dry:
        write_page(PAGE, text)
    if any(run.different or run.void or not run.same_figures for run in runs):
        raise SystemExit(1)


if __name__ == "__main__":
    typer.run(main)
