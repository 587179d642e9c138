"""The command line: ``kingdomino play``, ``serve``, ``show``, ``verify``, ``simulate``, ``engine`` and more.

Each command is thin and has a file of its own. `main` is the entry point.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

__all__ = ["main"]

_SERVING = ("play", "serve", "worker")
"""The commands that end with status 0 on SIGTERM."""
_CLOSED_PIPE = 128 + 13
"""The status that shells report for a program ended by SIGPIPE, such as ``yes`` in ``yes | head -1``."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    0 is success, 2 bad input (one line on stderr), 130 Ctrl-C, 141 a closed pipe. ``arguments`` exclude the program's
    name; by default they are this process's.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    with _ended_by_sigterm(serving=any(one in _SERVING for one in arguments[:1])):
        try:
            return _main(arguments)
        except KeyboardInterrupt:  # while loading modules
            return 130


def _main(arguments: Sequence[str]) -> int:
    import typer  # not above: handle SIGTERM while loading modules

    from kingdomino.cli.app import app
    from kingdomino.cli.files import reason
    from kingdomino.errors import KingdominoError

    for stream in (sys.stdout, sys.stderr):  # print '?' if the terminal's encoding lacks a character
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")
    try:
        status = app(arguments, prog_name="kingdomino", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has gone: discard the rest of the output
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _CLOSED_PIPE
    except SystemExit as ended:  # Rich handles a broken pipe like this itself
        if isinstance(ended.__context__, BrokenPipeError):
            return _CLOSED_PIPE
        raise
    except typer.Abort:
        return 130
    except typer.TyperException as error:
        return _refuse(_message(error), getattr(error, "ctx", None))
    except (KingdominoError, OSError) as error:
        return _refuse(reason(error))
    return status or 0


@contextmanager
def _ended_by_sigterm(*, serving: bool) -> Iterator[None]:
    """Exit with status 0 on SIGTERM while a server starts. Once running, the server has its own handler."""
    if not serving or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _message(error: "typer.TyperException") -> str:
    """Return what is wrong with the arguments, in our words if Pydantic refused a value."""
    from pydantic import ValidationError

    from kingdomino.validation import explain

    parameter = getattr(error, "param", None)
    if not isinstance(error.__cause__, ValidationError) or parameter is None:
        return error.format_message()
    name = next(
        iter(parameter.opts if parameter.param_type_name == "option" else [parameter.human_readable_name])
    )
    return explain(error.__cause__.errors(include_url=False)[0], name)


def _refuse(message: str, context: "typer.Context | None" = None) -> int:
    hint = f" (see '{context.command_path} --help')" if context else ""
    print(f"kingdomino: {' '.join(message.split())}{hint}", file=sys.stderr)
    return 2
