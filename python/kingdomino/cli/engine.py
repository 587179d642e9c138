"""``kingdomino engine``: run one of our bots for programs that speak the engine protocol."""

import os
import sys
from contextlib import redirect_stdout
from functools import partial
from typing import Annotated

import typer

import kingdomino as kd
from kingdomino.bots.engine import serve


def engine(
    spec: Annotated[str, typer.Argument(metavar="BOT", help="A bot: greedy, random:seed=3.")],
) -> None:
    """Run one of our bots as an engine, on stdin and stdout.

    docs/formats/engine.md describes the protocol. The engine ends on quit or at the end of its input.
    """
    make = partial(kd.bots.make, spec)
    make()  # refuse a wrong spec before the first request
    # Unbuffered: the host waits for each answer, and no thread may hold the buffer's lock when Python ends.
    with (
        open(sys.stdout.fileno(), "wb", buffering=0, closefd=False) as answers,
        redirect_stdout(sys.stderr),  # keep the bot's own output apart from its answers
    ):
        if not serve(lambda seed: make(seed=seed), sys.stdin.buffer, answers):
            os._exit(0)  # Python would wait for the bot's thread, which cannot be stopped
