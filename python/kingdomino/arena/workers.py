"""Many games at once: in worker processes on this machine (`play_local`), or on a Ray cluster (`play_on_ray`)."""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from math import inf
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from time import monotonic
from typing import Any

import kingdomino as kd
from kingdomino.arena.plan import Plan
from kingdomino.arena.play import Game, Void, play
from kingdomino.arena.schedule import Fixture
from kingdomino.bots.spec import parse

_ATTEMPTS = 2
_SPARE = 3600.0
"""Seconds for a game in addition to its bots' thinking time."""
_DECISIONS = 2 * len(kd.DOMINOES)
"""The most decisions in a game: each domino is claimed and placed."""
_LONGEST_WAIT = 86_400.0
"""Longest single wait for a game, in seconds; the system's waits are limited."""
_EXIT_TIMEOUT = 5.0
"""Seconds for a process to exit."""

_processes = get_context("spawn")  # a fork would copy locks, but not the threads that hold them


def play_local(plan: Plan, fixtures: Iterable[Fixture], jobs: int) -> Generator[Game, None, None]:
    """Play the games in ``jobs`` worker processes, and yield each when it is over, in any order.

    The results do not depend on the number of workers. Closing the generator ends the workers at once. If a worker
    dies, another plays its game again; the game is void if that worker dies, too. A worker is stopped if its game takes
    longer than `time_limit`, which counts as a death. (The standard library's pool fails as a whole when a worker dies,
    and does not say which game was running.)
    """
    todo, deaths = iter(fixtures), Counter[int]()
    busy: dict[Any, _Worker] = {}

    def begin(worker: _Worker, fixture: Fixture) -> None:
        worker.begin(fixture)
        busy[worker.connection] = worker

    try:
        for fixture in islice(todo, jobs):
            begin(_Worker(plan), fixture)
        while busy:
            soonest = min(worker.deadline for worker in busy.values())
            over = wait(list(busy), max(0.0, min(soonest - monotonic(), _LONGEST_WAIT)))
            late = [one for one, worker in busy.items() if worker.deadline <= monotonic() and one not in over]
            for connection in [*over, *late]:
                worker = busy[connection]
                fixture, game = worker.fixture, worker.result()
                del busy[connection]
                if game is None:
                    deaths[fixture.number] += 1
                    if deaths[fixture.number] < _ATTEMPTS:
                        begin(worker, fixture)
                        continue
                    reason = f"the process that played it ended, {_ATTEMPTS} times: {worker.ending}"
                    game = Void(fixture, reason)
                # The worker plays on while the caller handles the game.
                if (following := next(todo, None)) is not None:
                    begin(worker, following)
                else:
                    worker.end()
                yield game
    finally:
        for worker in busy.values():
            worker.end()


def time_limit(fixture: Fixture) -> float:
    """Return a game's time limit in seconds: an hour, plus the longest `time` of its bots for every decision."""
    return _SPARE + _DECISIONS * max(_thought(entrant.spec) for entrant in fixture.seats)


def _thought(spec: str) -> float:
    """Return the option `time` of a bot, in seconds; 0 if it has none, or an invalid one."""
    try:
        seconds = float(parse(spec)[1].get("time", 0))
    except (kd.BotError, ValueError):
        return 0.0
    return seconds if 0 < seconds < inf else 0.0


def play_on_ray(plan: Plan, fixtures: Iterable[Fixture], jobs: int | None) -> Generator[Game, None, None]:
    """Play the games on a Ray cluster, at most ``jobs`` at once; otherwise like `play_local`, without its time limit.

    The environment variable ``RAY_ADDRESS`` selects the cluster; without it, Ray runs on this machine. ``jobs``
    defaults to the number of processors. Every machine needs the same version of kingdomino. Raises `ArenaError` if Ray
    is missing.
    """
    try:
        import ray
    except ImportError:
        raise kd.ArenaError("Ray is not installed here: pip install 'kingdomino[ray]'") from None
    was_running = ray.is_initialized()
    if not was_running:
        ray.init(log_to_driver=False, logging_level=logging.ERROR)
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
        if not was_running:
            ray.shutdown()


class _Worker:
    """A process that plays games, and our end of the pipe to it.

    `fixture` is its current or last game, and `deadline` the end of that game's time, by `time.monotonic`. `ending`
    describes how its last process died during a game.
    """

    fixture: Fixture
    deadline: float
    connection: Connection
    ending = ""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._process: SpawnProcess | None = None

    def begin(self, fixture: Fixture) -> None:
        """Start a game. If the process is dead, `result` will notice."""
        self.fixture, self.deadline = fixture, monotonic() + time_limit(fixture)
        if self._process is None:
            self.connection, theirs = _processes.Pipe()
            self._process = _processes.Process(target=_work, args=(self._plan, theirs), daemon=True)
            with _without_interrupts():
                self._process.start()
            theirs.close()
        with suppress(OSError):
            self.connection.send(fixture)

    def result(self) -> Game | None:
        """Return the finished game; None if the process died, or is stopped here because the game is late."""
        try:
            if not self.connection.poll():
                self.end()
                self.ending = f"it was stopped after {time_limit(self.fixture):,.0f} s"
                return None
            answer: Game | Exception = self.connection.recv()
        except (EOFError, OSError):
            self._find_ending()
            return None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def end(self) -> None:
        """Kill the process, if it runs."""
        if self._process is None:
            return
        self.connection.close()
        self._process.terminate()
        self._process.join(_EXIT_TIMEOUT)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process = None

    def _find_ending(self) -> None:
        if self._process is not None:
            self._process.join(_EXIT_TIMEOUT)
            code = self._process.exitcode or 0
            self.ending = signal.Signals(-code).name if code < 0 else f"exit status {code}"
            self.end()


def _work(plan: Plan, connection: Connection) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # Engines' strikes are in the report; as warnings they would break the progress bar.
    logging.getLogger("kingdomino").addHandler(logging.NullHandler())
    with suppress(EOFError, OSError):  # the parent is dead
        while True:
            fixture = connection.recv()
            try:
                answer: Game | Exception = play(plan, fixture)
            except Exception as error:  # the arena's own error: the parent raises it
                answer = error
            connection.send(answer)


def _end_with_parent() -> None:
    """End this process when its parent ends, even by kill -9 and in the middle of a game.

    Otherwise its bots would take time from a resumed run.
    """
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Make processes started here ignore Ctrl-C, which the parent handles."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread can set signal handlers, and only it is interrupted
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
