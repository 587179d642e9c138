"""``kingdomino arena report``: the report of a run, from its stored games."""

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
    """Write report and picture anew from the stored games.

    Of a run that is still going on it counts the deals that have been played to their end.
    """
    plans.need_extra()
    from kingdomino.arena import folder

    place = run.parent if run.name == folder.STORE else run
    view.show(folder.write_report(place), place / folder.REPORT)
