"""``kingdomino score``: score a kingdom that lies on a real table."""

import re
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

import kingdomino as kd
from kingdomino.cli import options, photo
from kingdomino.cli.files import read_text
from kingdomino.cli.terminal import view

_FILE: Final = re.compile(r"[^\n]*\.(txt|csv|tsv|md)", re.IGNORECASE)
_TEXT: Final = re.compile(r"[\s\ufeff]*([.wflgsm]\d?)*C([.wflgsm]\d?)*\s*", re.IGNORECASE)
_SEPARATORS: Final = re.compile(r"[\n/,;|\t ]")


def score(
    given: Annotated[
        str,
        typer.Argument(
            metavar="KINGDOM",
            help="A file with a kingdom, row by row from the top; its text; - for stdin; or a photograph.",
        ),
    ],
    size: Annotated[
        int | None, typer.Option("--size", metavar="5|7", help="Squares of a side: 5 in a photograph, or 7.")
    ] = None,
    corners: photo.Corners = None,
    mighty_duel: options.MightyDuel = False,
    harmony: options.Harmony = False,
    middle_kingdom: options.MiddleKingdom = False,
    best: Annotated[
        bool, typer.Option("--best", help="Also search for the best kingdom of the same dominoes.")
    ] = False,
) -> None:
    """Score a kingdom: its territories, its bonuses, and doubts.

    A row is letters and crowns (w2ff), or words (wheat 2, forest, castle). The castle is C, an empty square a dot.

    A photograph is a JPEG, PNG or WebP file. Its corners are found on a plain table.
    """
    console = Console(highlight=False)
    size = size or (7 if mighty_duel else None)
    if photo.is_picture(given):
        kingdom = photo.read_kingdom(Path(given), size or 5, corners, console)
    elif corners:
        raise kd.KingdominoError("--corners is for photographs (.jpg, .png, .webp)")
    else:
        kingdom = _kingdom(given, size)
    rules = kd.Rules(mighty_duel=kingdom.size == 7, harmony=harmony, middle_kingdom=middle_kingdom)
    console.print(view.kingdom(kingdom, console))
    console.print(view.territories(kingdom))
    console.print(str(kingdom.score(rules)))
    for doubt in kingdom.doubts():
        console.print(f"doubt: {_sentence(doubt, kingdom)}", markup=False)
    if best:
        found = kd.analysis.best_arrangement(kingdom, rules)
        console.print(f"\nThe same dominoes can score at least {found.score.total}:")
        console.print(view.kingdom(found.kingdom, console))


def _kingdom(given: str, size: int | None) -> kd.Kingdom:
    """Read a kingdom from a text or a file; without a size, one of 7x7 only if it does not fit into 5x5."""
    if not given.strip():
        raise kd.KingdominoError("this is empty: give a kingdom, the name of a file, or - to read from stdin")
    text, where = given, "kingdom"
    is_text = _TEXT.fullmatch(given) or (_SEPARATORS.search(given) and not _FILE.fullmatch(given))
    if given == "-" or not is_text or _exists(given):
        text, where = read_text(given)
    try:
        try:
            return kd.Kingdom.from_grid(text, size=size or 5)
        except kd.SetupError as error:
            codes = {fault.code for fault in error.details}
            if size or not codes <= {"too_wide", "too_tall"}:
                raise
            return kd.Kingdom.from_grid(text, size=7)
    except kd.SetupError as error:
        raise kd.KingdominoError(f"{where}: {error}") from error


def _exists(given: str) -> bool:
    try:
        return Path(given).is_file()
    except (OSError, ValueError):  # too long for a name, or with a null character
        return False


def _sentence(doubt: kd.Doubt, kingdom: kd.Kingdom) -> str:
    """Return the doubt's sentence, with rows and columns from the top left corner of the printed kingdom."""
    (left, _), (_, top) = kingdom.box
    places = sorted((top - y + 1, x - left + 1) for x, y in doubt.squares)
    listed = ", ".join(f"row {row} column {column}" for row, column in places)
    return f"{doubt}" + (f" ({listed})" if listed else "")
