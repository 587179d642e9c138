"""``kingdomino arena report``: report on a run from its stored games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kingdomino.cli.arena import plans, view


def report_arena(
    run: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The folder of a run, or the file games.jsonl in it.")
    ],
) -> None:
    """Write the report and the picture again from the stored games.

    In an unfinished run, only deals whose games are all over count.
    """
    plans.need_extra()
    from kingdomino.arena import report, store

    folder = run.parent if run.name == store.FILE else run
    view.show(report.write_report(folder), folder / report.FILE)
