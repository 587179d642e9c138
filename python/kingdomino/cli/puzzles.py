"""``kingdomino puzzles``: make puzzles, and rate them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

import kingdomino as kd
from kingdomino.analysis.making import puzzles_of_game, rated
from kingdomino.analysis.puzzles import HEADER, Puzzle, line_of, parse, to_text
from kingdomino.cli.files import check_folders
from kingdomino.display import counted

_File = Annotated[Path, typer.Argument(metavar="FILE", help="A file of puzzles.")]


def make(
    out: Annotated[Path, typer.Option(metavar="FILE", help="Write the puzzles to this file.")] = Path(
        "puzzles.txt"
    ),
    number: Annotated[int, typer.Option(min=1, max=10_000, metavar="N", help="Number of puzzles.")] = 500,
    games: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="The most games to play (default: no limit).")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the games.")] = 0,
) -> int:
    """Make puzzles from games that the bot king plays, and rate them.

    A puzzle is a decision with one clearly best action, which greedy does not find. The same seed makes the same file.
    Ctrl-C stops and writes the puzzles so far; the same command continues. The file FILE.part has the games so far:
    delete it to begin again.
    """
    check_folders(out)
    status = 0
    done = _Part(out.with_name(f"{out.name}.part"), seed)
    try:
        new = done.make(number, games)
        found = list(_watch(islice(new, number), number, "making"))
    except KeyboardInterrupt:
        found, status = done.puzzles[:number], 130
    if not found:
        print("there are no puzzles yet")
        return status
    _write(out, found)
    print(f"{counted(len(found), 'puzzle')} from {counted(done.games, 'game')}: {out}")
    return status


def rate(file: _File) -> None:
    """Rate the puzzles of a file again: by the lowest level of the bot king that finds each solution."""
    _write(file, parse(kd.games.read_text(file)))


class _Part:
    """The games so far, in a file: the puzzles of each, and a line with its number."""

    def __init__(self, file: Path, seed: int) -> None:
        self._file, self._seed = file, seed
        self._header = f"{HEADER} of seed {seed}"
        self.puzzles: list[Puzzle] = []
        self.games = 0
        if file.exists():
            self._read(kd.games.read_text(file))
        else:
            file.write_text(f"{self._header}\n", encoding="utf-8")

    def _read(self, text: str) -> None:
        whole, _, _ = text.rpartition("\n")
        header, *lines = whole.splitlines() or [""]
        if header != self._header:
            raise kd.KingdominoError(f"{self._file} is not of seed {self._seed}")
        finished = [place for place, line in enumerate(lines) if line.startswith("game ")]
        kept = lines[: finished[-1] + 1] if finished else []
        self.games = len(finished)
        if found := [line for line in kept if not line.startswith("game ")]:
            self.puzzles = list(parse("\n".join([HEADER, *found, f"end {len(found)}"])))
        self._file.write_text("\n".join([header, *kept, ""]), encoding="utf-8")

    def make(self, number: int, games: int | None) -> Iterator[Puzzle]:
        """Yield the puzzles so far, and then new ones, game by game."""
        yield from self.puzzles
        names = {puzzle.name for puzzle in self.puzzles}
        for game in count(self.games):
            if len(self.puzzles) >= number or (games is not None and game >= games):
                return
            new = [one for one in puzzles_of_game(game, self._seed) if one.name not in names]
            names.update(one.name for one in new)
            with self._file.open("a", encoding="utf-8") as opened:
                opened.write("".join(f"{line}\n" for line in [*map(line_of, new), f"game {game}"]))
            self.puzzles += new
            self.games += 1
            yield from new


def _write(file: Path, found: Iterable[Puzzle]) -> None:
    """Rate the puzzles, and write them to a file, which is replaced only then."""
    found = list(found)
    text = to_text(list(_watch(map(rated, found), len(found), "rating")))
    fresh = file.with_name(f"{file.name}.new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(file)


def _watch(new: Iterable[Puzzle], total: int, what: str) -> Iterable[Puzzle]:
    """Show a bar while the puzzles come."""
    progress = Console(stderr=True)
    return track(new, what, total=total, console=progress, transient=True, disable=not progress.is_terminal)
