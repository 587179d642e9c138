"""The command line: ``kingdomino play``, ``serve``, ``show``, ``verify``, ``simulate``, ``engine`` and more.

One thin command per file; `main` is the entry point.
"""

import os
import sys
from collections.abc import Sequence

import typer

from kingdomino.cli.app import app
from kingdomino.cli.files import reason
from kingdomino.errors import KingdominoError

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit status: 0, 2 for bad input (one line on stderr), 130 for Ctrl-C.

    ``arguments`` are those after the program's name (default: those of this process).
    """
    for stream in (sys.stdout, sys.stderr):  # a terminal that cannot show a character shows '?'
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")
    try:
        status = app(arguments, prog_name="kingdomino", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of the output has gone, so what is left is not written
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except typer.Abort:
        return 130
    except typer.TyperException as error:
        return _refuse(error.format_message(), getattr(error, "ctx", None))
    except (KingdominoError, OSError) as error:
        return _refuse(reason(error))
    return status or 0


def _refuse(message: str, context: typer.Context | None = None) -> int:
    hint = f" (see '{context.command_path} --help')" if context else ""
    print(f"kingdomino: {' '.join(message.split())}{hint}", file=sys.stderr)
    return 2
