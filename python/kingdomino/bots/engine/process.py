"""A child process that reads and writes lines. It ends with its parent.

No call blocks longer than its deadline, and every buffer is bounded. For Linux and macOS.
"""

import os
import selectors
import shlex
import signal
import weakref
from collections.abc import Sequence
from contextlib import suppress
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from time import monotonic
from typing import IO

from kingdomino.bots.engine.messages import LONGEST_LINE
from kingdomino.display import printable, shortened
from kingdomino.errors import BotError, EngineError

_CHUNK = 65_536
_STDERR_KEPT = 2_000
"""Bytes of stderr to keep, enough for the end of a traceback."""
_EXIT_WAIT = 0.2
"""Seconds for a process to exit after it closes its output."""
_LONGEST_FAULT = 300
"""Letters of a fault, so that it fits on a line of a log, a report or a terminal."""

# Waits until this process ends, for whatever reason, and then kills the engine's process group.
_GUARD = 'read _; kill -s KILL -- "-$1"'


class Fault(Exception):  # noqa: N818  (the engine broke the protocol; nothing failed in here)
    """A breach of the protocol by an engine, which remains usable. The message describes it.

    The message may quote the engine, so it becomes one short line without control characters. ``line`` is the line at
    fault, if there is one.
    """

    def __init__(self, message: str, line: bytes | None = None) -> None:
        super().__init__(printable(shortened(" ".join(message.split()), _LONGEST_FAULT)))
        self.line = None if line is None else line.decode(errors="replace")


class Late(Fault):
    """An answer did not come in time. It may still come."""


class Lost(Fault):
    """The engine has ended, or must end because it writes too much."""


def split_command(command: str) -> list[str]:
    """Split a command as a shell does. Raises `BotError` for an empty command or an open quotation."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BotError(f"the command {command!r} cannot be split: {error}") from None
    if not words:
        raise BotError("an engine needs a command (like 'engine:command=python3 my_bot.py,time=1')")
    return words


class Process:
    """A running command. It ends with `close`, when this object is deleted, or when Python ends.

    It leads its own process group, so Ctrl-C at the terminal does not reach it, and its children end with it.
    """

    def __init__(self, command: Sequence[str]) -> None:
        """Start a command without a shell. Raises `EngineError` if that fails."""
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
        self._incoming, self._outgoing, self._stderr_end = bytearray(), bytearray(), bytearray()
        for pipe in (self._stdin, self._stderr):
            os.set_blocking(pipe.fileno(), False)
        for pipe in (self._stdout, self._stderr):
            self._selector.register(pipe, selectors.EVENT_READ)

    def send(self, line: bytes) -> None:
        """Queue a line. If the process does not read it at once, `receive` writes the rest later."""
        if not self._outgoing:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        self._outgoing += line
        self._write()

    def receive(self, deadline: float) -> bytes:
        """Return the next line, without its end. ``deadline`` is a time of `time.monotonic`.

        Raises `Late` after the deadline, and `Lost` if the line is too long or the process has ended.
        """
        left = 0.0
        while (end := self._incoming.find(b"\n")) < 0 and len(self._incoming) <= LONGEST_LINE + len(b"\r"):
            if left < 0:
                raise Late("it did not answer in time")
            left = deadline - monotonic()  # even after the deadline, read once what has already arrived
            for key, _ in self._selector.select(max(0.0, left)):
                if key.fileobj is self._stdin:
                    self._write()
                elif key.fileobj is self._stderr:
                    self._read_stderr()
                else:
                    self._read_stdout()
        line = bytes(self._incoming[: end if end >= 0 else None]).removesuffix(b"\r")
        if len(line) > LONGEST_LINE:
            raise Lost(f"it wrote a line of more than {LONGEST_LINE} bytes", line[:80])
        del self._incoming[: end + 1]
        return line

    @property
    def has_line(self) -> bool:
        """Whether `receive` can return a line without reading more."""
        return b"\n" in self._incoming

    def close_stdin(self) -> None:
        """Close its stdin."""
        if self._outgoing:
            self._selector.unregister(self._stdin)
            self._outgoing.clear()
        self._stdin.close()

    def has_ended(self, deadline: float) -> bool:
        """Whether it ends by itself before the deadline. Discards its output."""
        with suppress(Late, Lost):
            while monotonic() < deadline:
                self.receive(deadline)
        try:
            self._child.wait(max(0.0, deadline - monotonic()))
        except TimeoutExpired:
            return False
        return True

    def close(self) -> None:
        """Kill it and its children. Repeated calls are harmless."""
        if self._end.alive:
            self._read_stderr()
        self._end()

    @property
    def stderr(self) -> str:
        """The end of its stderr, as far as it has been read."""
        return self._stderr_end.decode(errors="replace").strip()

    def _write(self) -> None:
        try:
            del self._outgoing[: os.write(self._stdin.fileno(), self._outgoing[:_CHUNK])]
        except BlockingIOError:
            return
        except BrokenPipeError:  # it closed its stdin; its output will show why
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
            for _ in range(16):  # bounded, because it may write faster than we read
                chunk = os.read(self._stderr.fileno(), _CHUNK)
                if not chunk:
                    with suppress(KeyError):
                        self._selector.unregister(self._stderr)
                    return
                self._stderr_end = (self._stderr_end + chunk)[-_STDERR_KEPT:]

    def _how_it_ended(self) -> str:
        try:
            status = self._child.wait(_EXIT_WAIT)
        except TimeoutExpired:
            return "it closed its output"
        if status < 0:
            return f"it was ended by signal {-status}"
        return f"it ended with status {status}"


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None  # Popen was asked for one
    return pipe


def _end(child: Popen[bytes], guard: Popen[bytes], selector: selectors.BaseSelector, owner: int) -> None:
    if os.getpid() != owner:  # in a fork, this object is a copy, and the process belongs to the parent
        return
    guard.kill()
    with suppress(ProcessLookupError, PermissionError):  # macOS refuses if only a zombie is left
        os.killpg(child.pid, signal.SIGKILL)
    selector.close()
    for pipe in (guard.stdin, child.stdin, child.stdout, child.stderr):
        _pipe(pipe).close()
    guard.wait()
    child.wait()
