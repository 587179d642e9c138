"""``kingdomino engine-check``: check that an engine follows the protocol."""

from typing import Annotated, Final

import typer
from rich.console import Console
from rich.text import Text

from kingdomino.bots.engine import Finding, TimeLimits, check
from kingdomino.bots.engine.process import split_command
from kingdomino.display import printable, shortened

_FAILED: Final = 3
"""The exit status for failed checks. Python exits with 1 after an error of ours, and 2 is bad input."""


def engine_check(
    command: Annotated[list[str], typer.Argument(metavar="CMD…", help="The command that starts the engine.")],
    time: Annotated[
        float, typer.Option(min=0.001, max=3600, metavar="SECONDS", help="Time for one choice.")
    ] = TimeLimits().time,
    grace: Annotated[
        float,
        typer.Option(
            min=0.0, max=60, metavar="SECONDS", help="How late an answer may be, on a busy machine."
        ),
    ] = TimeLimits().grace,
) -> int:
    """Check that an engine follows the protocol: requests and answers as lines of JSON.

    'kingdomino examples' copies two complete engines to start from, engine.py and engine.js. Each check starts the
    engine once; some play whole games under several rules sets. Options come before the command. The exit status is 3
    if a check fails, and 2 if the engine does not start.
    """
    command = split_command(command[0]) if len(command) == 1 else command
    console, failed, findings = Console(highlight=False), 0, 0
    for finding in check(command, TimeLimits(time, grace)):
        _show(console, finding)
        findings += 1
        failed += finding.fault is not None
    console.print()
    console.print(f"{failed} of {findings} checks failed" if failed else f"all {findings} checks passed")
    return _FAILED if failed else 0


def _show(console: Console, finding: Finding) -> None:
    passed = finding.fault is None
    text = Text.assemble(("✓ ", "green") if passed else ("✗ ", "bold red"), finding.name)
    if finding.note:
        text.append(f"  {_shown(finding.note)}", "dim")
    console.print(text)
    for label, output in (
        ("", finding.fault or ""),
        ("line: ", repr(finding.line) if finding.line else ""),
        ("stderr: ", finding.stderr.rpartition("\n")[2]),
    ):
        if output:
            console.print(Text(f"    {label}{_shown(output)}", "red" if not label else "dim"))


def _shown(output: str) -> str:
    """Return an engine's output, shortened and safe to print."""
    return printable(shortened(output.strip(), 500))
