"""Many games at once on this machine: a few worker processes, each playing one game at a time.

A pool of its own, because the standard one gives up as a whole when a worker dies, and cannot say
which game was its last. Here that game is played once more, and then called void.
"""

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

from kingdomino.arena.plan import Plan
from kingdomino.arena.play import play
from kingdomino.arena.played import Game, Void
from kingdomino.arena.schedule import Fixture

_ATTEMPTS = 2
_PATIENCE = 5.0  # seconds for a process to be gone when it should be

_processes = get_context("spawn")  # a fork would copy the threads' locks and not the threads


def play_games(plan: Plan, fixtures: Iterable[Fixture], jobs: int) -> Generator[Game, None, None]:
    """Play the games with so many workers, and give each when it is over, in whichever order that is.

    What is played does not depend on the number of workers. Closing the iterator ends them at once.
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
                # The worker goes on while whoever asked looks at the game.
                if (following := next(todo, None)) is not None:
                    begin(worker, following)
                else:
                    worker.end()
                yield game
    finally:
        for worker in busy.values():
            worker.end()


class _Worker:
    """A process that plays, and our end of the pipe to it.

    `fixture` is what it was last asked for; `ending` says how its last process ended by itself.
    """

    fixture: Fixture
    connection: Connection
    ending = ""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._process: SpawnProcess | None = None

    def begin(self, fixture: Fixture) -> None:
        """Ask for a game; that the process has gone is noticed when the `result` is asked for."""
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
        """Give the game that is over, or nothing where the process ended before it was."""
        try:
            answer: Game | Exception = self.connection.recv()
        except (EOFError, OSError):
            self._find_ending()
            return None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def end(self) -> None:
        """End the process, if there is one, whatever it is doing."""
        if self._process is None:
            return
        self.connection.close()
        self._process.terminate()
        self._process.join(_PATIENCE)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process = None

    def _find_ending(self) -> None:
        if self._process is not None:
            self._process.join(_PATIENCE)
            code = self._process.exitcode or 0
            self.ending = signal.Signals(-code).name if code < 0 else f"exit status {code}"
            self.end()


def _work(plan: Plan, connection: Connection) -> None:
    # What engines do wrong is told in the report; as warnings it would tear the progress bar.
    logging.getLogger("kingdomino").addHandler(logging.NullHandler())
    with suppress(EOFError, OSError):  # whoever asked has gone
        while True:
            fixture = connection.recv()
            try:
                answer: Game | Exception = play(plan, fixture)
            except Exception as error:  # a fault of the arena's own belongs to whoever started the run
                answer = error
            connection.send(answer)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Let a process that is started here never hear Ctrl-C: its parent does, and answers for both."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may say so, and only it is interrupted
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
