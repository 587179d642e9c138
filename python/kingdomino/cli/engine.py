"""``kingdomino engine``: one of our bots for programs that speak the engine protocol."""

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
    """Let one of our bots answer as an engine, on stdin and stdout.

    The protocol is described in docs/formats/engine.md. It ends at quit and at the end of its input.
    """
    make = partial(kd.bots.make, spec)
    make()  # what is wrong with the spec is said before the first request
    # Unbuffered: an answer is to be read now, and no thread may hold a lock when Python ends.
    with (
        open(sys.stdout.fileno(), "wb", buffering=0, closefd=False) as answers,
        redirect_stdout(sys.stderr),  # a bot that prints does not talk into its answers
    ):
        if not serve(lambda seed: make(seed=seed), sys.stdin.buffer, answers):
            os._exit(0)  # its thread cannot be stopped, and Python would trip over it
