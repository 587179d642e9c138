"""``kingdomino engine-check``: whether a command keeps to the engine protocol."""

from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from kingdomino.bots.engine import Finding, Terms, check
from kingdomino.bots.engine.command import words


def engine_check(
    command: Annotated[list[str], typer.Argument(metavar="CMD…", help="The command that starts the engine.")],
    time: Annotated[
        float, typer.Option(min=0.001, max=3600, metavar="SECONDS", help="Time for one choice.")
    ] = Terms().time,
) -> int:
    """Check that an engine keeps to the protocol of docs/formats/engine.md.

    It is started once for every promise, and plays whole games under several rules sets. Options stand
    before the command. The exit status is 1 when a promise is broken.
    """
    command = words(command[0]) if len(command) == 1 else command
    console, broken, findings = Console(highlight=False), 0, 0
    for finding in check(command, Terms(time)):
        _show(console, finding)
        findings += 1
        broken += finding.fault is not None
    console.print()
    console.print(f"{broken} of {findings} promises broken" if broken else f"all {findings} promises kept")
    return 1 if broken else 0


def _show(console: Console, finding: Finding) -> None:
    kept = finding.fault is None
    text = Text.assemble(("✓ ", "green") if kept else ("✗ ", "bold red"), finding.promise)
    if finding.note:
        text.append(f"  {finding.note}", "dim")
    console.print(text)
    for label, said in (
        ("", finding.fault or ""),
        ("line: ", repr(finding.line) if finding.line else ""),
        ("stderr: ", finding.stderr.rpartition("\n")[2]),
    ):
        if said:
            console.print(Text(f"    {label}{said.strip()[:500]}", "red" if not label else "dim"))
