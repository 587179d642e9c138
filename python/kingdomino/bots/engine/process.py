"""A child process that is spoken to in lines, waits for nobody and outlives nobody.

Nothing here blocks for longer than it is told to and everything that is kept has a bound. For Linux and
macOS.
"""

import os
import selectors
import signal
import weakref
from collections.abc import Sequence
from contextlib import suppress
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from time import monotonic
from typing import IO

from kingdomino.bots.engine.faults import Late, Lost
from kingdomino.bots.engine.messages import LONGEST_LINE
from kingdomino.errors import EngineError

_CHUNK = 65_536
_TAIL = 2_000
"""How many bytes of its stderr are kept: the end of a traceback."""
_DYING = 0.2
"""Seconds that a process may take from closing its output to its end."""

# It waits until this process has gone, however that came about, and ends the engine's group then.
_GUARD = 'read _; kill -s KILL -- "-$1"'


class Process:
    """A running command with its lines. It is ended by `close`, when it is forgotten, or with Python.

    It leads a process group of its own, so a Ctrl-C at the terminal does not reach it and its own
    children end with it.
    """

    def __init__(self, command: Sequence[str]) -> None:
        """Start a command, without a shell. Raises `EngineError` when there is nothing to start."""
        try:
            child = Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, bufsize=0, start_new_session=True)
        except OSError as error:
            reason = error.strerror or error
            raise EngineError(f"engine {command[0]!r} cannot be started: {reason}") from error
        guard_command = ["/bin/sh", "-c", _GUARD, "guard", str(child.pid)]
        try:
            guard = Popen(guard_command, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True)
        except OSError as error:
            with child:
                child.kill()
            raise EngineError(f"engine {command[0]!r} cannot be guarded: {error}") from error
        self._child, self._selector = child, selectors.DefaultSelector()
        self._end = weakref.finalize(self, _end, child, guard, self._selector, os.getpid())
        self._stdin, self._stdout, self._stderr = _pipe(child.stdin), _pipe(child.stdout), _pipe(child.stderr)
        self._incoming, self._outgoing, self._tail = bytearray(), bytearray(), bytearray()
        for pipe in (self._stdin, self._stderr):
            os.set_blocking(pipe.fileno(), False)
        for pipe in (self._stdout, self._stderr):
            self._selector.register(pipe, selectors.EVENT_READ)

    def send(self, line: bytes) -> None:
        """Write a line as soon as the process reads it; `receive` does the work."""
        if not self._outgoing:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        self._outgoing += line
        self._write()

    def receive(self, deadline: float) -> bytes:
        """Give the next line, without its end. ``deadline`` is a time of `time.monotonic`.

        Raises `Late` when it has not come by then, and `Lost` for a line that is too long and when there
        will never be one.
        """
        left = 0.0
        while (end := self._incoming.find(b"\n")) < 0 and len(self._incoming) <= LONGEST_LINE:
            if left < 0:
                raise Late("it did not answer in time")
            left = deadline - monotonic()  # what has come by now is looked at once even when it is over
            for key, _ in self._selector.select(max(0.0, left)):
                if key.fileobj is self._stdin:
                    self._write()
                elif key.fileobj is self._stderr:
                    self._read_stderr()
                else:
                    self._read_stdout()
        line = bytes(self._incoming[: end if end >= 0 else None])
        if len(line) > LONGEST_LINE:
            raise Lost(f"it wrote a line of more than {LONGEST_LINE} bytes", line[:80])
        del self._incoming[: end + 1]
        return line.removesuffix(b"\r")

    def hang_up(self) -> None:
        """Close its input."""
        if self._outgoing:
            self._selector.unregister(self._stdin)
            self._outgoing.clear()
        self._stdin.close()

    def has_ended(self, deadline: float) -> bool:
        """Whether it ends by itself until then; what it still says is passed over."""
        with suppress(Late, Lost):
            while monotonic() < deadline:
                self.receive(deadline)
        try:
            self._child.wait(max(0.0, deadline - monotonic()))
        except TimeoutExpired:
            return False
        return True

    def close(self) -> None:
        """End it and all that it started, now. Doing so twice is fine."""
        if self._end.alive:
            self._read_stderr()
        self._end()

    @property
    def stderr(self) -> str:
        """The end of what it wrote to its stderr, as far as it has been read."""
        return self._tail.decode(errors="replace").strip()

    def _write(self) -> None:
        try:
            del self._outgoing[: os.write(self._stdin.fileno(), self._outgoing[:_CHUNK])]
        except BlockingIOError:
            return
        except BrokenPipeError:  # it reads no more; what became of it, its output will say
            self._outgoing.clear()
        if not self._outgoing:
            self._selector.unregister(self._stdin)

    def _read_stdout(self) -> None:
        chunk = os.read(self._stdout.fileno(), _CHUNK)
        if not chunk:
            raise Lost(self._how_it_ended())
        self._incoming += chunk

    def _read_stderr(self) -> None:
        with suppress(BlockingIOError):
            for _ in range(16):  # whoever writes faster than this is not waited for
                chunk = os.read(self._stderr.fileno(), _CHUNK)
                if not chunk:
                    with suppress(KeyError):
                        self._selector.unregister(self._stderr)
                    return
                self._tail = (self._tail + chunk)[-_TAIL:]

    def _how_it_ended(self) -> str:
        try:
            status = self._child.wait(_DYING)
        except TimeoutExpired:
            return "it closed its output"
        if status < 0:
            return f"it was ended by signal {-status}"
        return f"it ended with status {status}"


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None  # Popen was asked for one
    return pipe


def _end(child: Popen[bytes], guard: Popen[bytes], selector: selectors.BaseSelector, owner: int) -> None:
    if os.getpid() != owner:  # a fork of that process has forgotten its copy of what is not its own
        return
    guard.kill()
    with suppress(ProcessLookupError, PermissionError):  # macOS refuses where only a zombie is left
        os.killpg(child.pid, signal.SIGKILL)
    selector.close()
    for pipe in (guard.stdin, child.stdin, child.stdout, child.stderr):
        _pipe(pipe).close()
    guard.wait()
    child.wait()
