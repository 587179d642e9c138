"""Many games at once on a Ray cluster, which is this machine alone where there is no other."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from itertools import islice

import kingdomino as kd
from kingdomino.arena.plan import Plan
from kingdomino.arena.play import play
from kingdomino.arena.played import Game, Void
from kingdomino.arena.schedule import Fixture

MISSING = "Ray is not installed: pip install 'kingdomino[ray]'"


def play_games(plan: Plan, fixtures: Iterable[Fixture], jobs: int | None) -> Generator[Game, None, None]:
    """Play the games as `kingdomino.arena.local.play_games` does, at most so many at once.

    The environment variable ``RAY_ADDRESS`` names the cluster; ``jobs`` is by default all its
    processors. Every machine of it needs the same version of kingdomino. Raises `ArenaError` where
    Ray is missing.
    """
    try:
        import ray
    except ImportError:
        raise kd.ArenaError(MISSING) from None
    theirs = ray.is_initialized()
    if not theirs:
        ray.init(log_to_driver=False, logging_level="error")
    remote = ray.remote(num_cpus=1, max_retries=1)(play)
    shared, todo = ray.put(plan), iter(fixtures)
    running: dict[ray.ObjectRef[Game], Fixture] = {}
    at_once = jobs or max(1, int(ray.cluster_resources().get("CPU", 1)))
    try:
        while True:
            for fixture in islice(todo, at_once - len(running)):
                running[remote.remote(shared, fixture)] = fixture
            if not running:
                break
            (over, *_), _ = ray.wait(list(running), num_returns=1)
            fixture = running.pop(over)
            try:
                game: Game = ray.get(over)
            except ray.exceptions.RayTaskError as error:
                raise error.cause from error
            except ray.exceptions.RayError as error:
                game = Void(fixture, f"the process that played it ended, twice: {type(error).__name__}")
            yield game
    finally:
        for reference in running:
            ray.cancel(reference, force=True)
        if not theirs:
            ray.shutdown()
