"""Many games at once: in worker processes on this machine (`play_local`), or on a Ray cluster (`play_on_ray`)."""

from __future__ import annotations

import logging
import signal
import threading
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

import kingdomino as kd
from kingdomino.arena.plan import Plan
from kingdomino.arena.play import Game, Void, play
from kingdomino.arena.schedule import Fixture

_ATTEMPTS = 2
_EXIT_TIMEOUT = 5.0
"""Seconds that a process may take to exit."""

_processes = get_context("spawn")  # a fork would copy locks, but not the threads that hold them


def play_local(plan: Plan, fixtures: Iterable[Fixture], jobs: int) -> Generator[Game, None, None]:
    """Play the games in ``jobs`` worker processes, and give each when it is over, in any order.

    The results do not depend on the number of workers. Closing the generator ends the workers at once. The
    standard library's pool is not used because it fails as a whole when a worker dies, and does not say which
    game was running. Here that game is played once more, and is void if its worker dies again.
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
            for connection in wait(list(busy)):
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
                # The worker goes on while the caller looks at the game.
                if (following := next(todo, None)) is not None:
                    begin(worker, following)
                else:
                    worker.end()
                yield game
    finally:
        for worker in busy.values():
            worker.end()


def play_on_ray(plan: Plan, fixtures: Iterable[Fixture], jobs: int | None) -> Generator[Game, None, None]:
    """Play the games on a Ray cluster, at most ``jobs`` at once; otherwise like `play_local`.

    The environment variable ``RAY_ADDRESS`` names the cluster; without it, Ray runs on this machine. ``jobs``
    defaults to the number of its processors. Every machine needs the same version of kingdomino. Raises
    `ArenaError` where Ray is missing.
    """
    try:
        import ray
    except ImportError:
        raise kd.ArenaError(
            "Ray is not installed; in the folder of the repository: pip install -e '.[ray]'"
        ) from None
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

    `fixture` is the last game that it was given; `ending` says how its last process ended by itself.
    """

    fixture: Fixture
    connection: Connection
    ending = ""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._process: SpawnProcess | None = None

    def begin(self, fixture: Fixture) -> None:
        """Start a game. If the process is gone, `result` will notice."""
        self.fixture = fixture
        if self._process is None:
            self.connection, theirs = _processes.Pipe()
            self._process = _processes.Process(target=_work, args=(self._plan, theirs), daemon=True)
            with _without_interrupts():
                self._process.start()
            theirs.close()
        with suppress(OSError):
            self.connection.send(fixture)

    def result(self) -> Game | None:
        """Give the finished game, or None if the process ended first."""
        try:
            answer: Game | Exception = self.connection.recv()
        except (EOFError, OSError):
            self._find_ending()
            return None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def end(self) -> None:
        """End the process, if it runs, whatever it is doing."""
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
    # The report lists the strikes of engines. As warnings they would break the progress bar.
    logging.getLogger("kingdomino").addHandler(logging.NullHandler())
    with suppress(EOFError, OSError):  # the parent has gone
        while True:
            fixture = connection.recv()
            try:
                answer: Game | Exception = play(plan, fixture)
            except Exception as error:  # an error of the arena, not of a bot: the parent raises it
                answer = error
            connection.send(answer)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Make a process that is started here ignore Ctrl-C, which its parent handles."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread can set signal handlers, and only it is interrupted
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
