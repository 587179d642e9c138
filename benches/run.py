"""Measures the engine on this machine and writes docs/evidence/engine.md (`make bench`).

Every figure is a median over rounds. The rounds of all measurements alternate, so that other load on the
machine affects all of them alike.
"""

import platform
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

import kingdomino as kd
from kingdomino._core import DEBUG
from kingdomino.cli.version import version_text
from kingdomino.machine import available_cores, processor

Policy: TypeAlias = Literal["random", "greedy"]

ROUNDS = 31
SEED = 1
ROOT = Path(__file__).parent.parent
EVIDENCE = ROOT / "docs" / "evidence" / "engine.md"
HEADLINES = ("random, two players", "greedy, two players", "a random two-player game driven from Python")


@dataclass
class Measurement:
    """A timed operation: `run` does `work` units of it; `target` is the figure to reach.

    Where less is better (`at_most`), the figure is a time, and a second has `scale` units.

    One thread is timed in processor time, which excludes other programs; several threads or processes
    in wall time.
    """

    name: str
    unit: str
    work: int
    run: Callable[[int], object]
    target: float | None = None
    at_most: bool = False
    scale: float = 1e3
    clock: Callable[[], float] = time.process_time
    figures: list[float] = field(default_factory=list)

    def measure(self, round_number: int) -> None:
        """Run once and keep the figure: units a second, or the time per unit where less is better."""
        begin = self.clock()
        self.run(round_number)
        seconds = self.clock() - begin
        self.figures.append(seconds / self.work * self.scale if self.at_most else self.work / seconds)

    @property
    def median(self) -> float:
        """The median of all rounds."""
        return statistics.median(self.figures)

    @property
    def best(self) -> float:
        """The best round, which was disturbed least."""
        return min(self.figures) if self.at_most else max(self.figures)


def whole_games(rules: str, policy: Policy, n: int, threads: int = 1) -> Callable[[int], object]:
    """Return whole games from the empty table: deal, play, score, winner with tie-break."""
    position = kd.Game(kd.Rules.parse(rules), seed=SEED).position

    def run(round_number: int) -> object:
        return kd.playouts(position, n, policy, threads=threads, seed=round_number)

    return run


def random_games_from_python(round_number: int) -> None:
    """Play 50 random two-player games: 48 plies each of legal_actions() and play()."""
    for number in range(50 * round_number, 50 * round_number + 50):
        choose = random.Random(number).choice
        game = kd.Game(seed=number)
        while not game.is_over:
            game.play(choose(game.legal_actions()))


def printing() -> list[Measurement]:
    """Return measurements of writing, reading and drawing every position of a greedy two-player game."""
    game, greedy = kd.Game(seed=SEED), kd.bots.make("greedy")
    positions: list[kd.Position] = []
    while not game.is_over:
        positions.append(game.position)
        game.play(greedy.choose(game.position))
    texts = [position.to_text() for position in positions]

    def over(
        times: int, function: Callable[[Any], object], values: Sequence[object]
    ) -> Callable[[int], object]:
        def run(_: int) -> None:
            for _ in range(times):
                for value in values:
                    function(value)

        return run

    def measurement(
        name: str, function: Callable[[Any], object], values: Sequence[object], times: int
    ) -> Measurement:
        run, work = over(times, function, values), times * len(positions)
        return Measurement(name, "µs", work, run, at_most=True, scale=1e6)

    return [
        measurement("`str(position)`", str, positions, 10),
        measurement("`kd.svg.position(position)`", kd.svg.position, positions, 3),
        measurement("`kd.Position.parse(text)`", kd.Position.parse, texts, 100),
    ]


def measurements() -> list[Measurement]:
    """Return all measurements, with the project's targets."""
    plain, four, duel = "2.second.random", "4.second.random", "2.second.random.duel"
    games = "games a second"

    def playouts(
        name: str, rules: str, policy: Policy, n: int, target: float | None, threads: int = 1
    ) -> Measurement:
        clock = time.process_time if threads == 1 else time.perf_counter
        return Measurement(name, games, n, whole_games(rules, policy, n, threads), target, clock=clock)

    return [
        playouts("random, two players", plain, "random", 200_000, 1_500_000),
        playouts("random, four players", four, "random", 100_000, 750_000),
        playouts("random, Mighty Duel", duel, "random", 100_000, 700_000),
        playouts("greedy, two players", plain, "greedy", 20_000, 160_000),
        playouts("greedy, four players", four, "greedy", 10_000, 80_000),
        playouts("greedy, Mighty Duel", duel, "greedy", 10_000, None),
        playouts("random, two players, two threads", plain, "random", 400_000, None, threads=2),
        playouts("greedy, two players, two threads", plain, "greedy", 40_000, None, threads=2),
        Measurement(
            "a random two-player game driven from Python",
            "ms a game",
            50,
            random_games_from_python,
            1.0,
            at_most=True,
        ),
        *printing(),
        Measurement(
            "`import kingdomino`, in a new interpreter, less an empty one",
            "ms",
            1,
            import_once,
            100,
            at_most=True,
            clock=time.perf_counter,
        ),
    ]


def import_once(_: int) -> None:
    """Start an interpreter that imports the library; `main` subtracts the empty start."""
    subprocess.run([sys.executable, "-c", "import kingdomino"], check=True)


def empty_start() -> float:
    """Start an interpreter that does nothing, in ms."""
    figures = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        figures.append((time.perf_counter() - begin) * 1e3)
    return statistics.median(figures)


def machine() -> str:
    """Return the system's name for the processor, and the number of available cores."""
    return f"{processor()}, {available_cores()} cores, {platform.system()} {platform.machine()}"


def wanted(parts: Sequence[str] | None, known: Collection[str]) -> Collection[str]:
    """Return the parts of a bench that the command line names, or all of them. Raises `typer.BadParameter`."""
    for part in parts or ():
        if part not in known:
            raise typer.BadParameter(f"{part!r} is not one of {', '.join(known)}")
    return parts or known


def spread(took: Sequence[float]) -> tuple[float, float, float]:
    """Return the median, the 99% quantile and the largest of some times."""
    median, late = np.quantile(took, [0.5, 0.99])
    return float(median), float(late), max(took)


def write_page(page: Path, text: str) -> None:
    """Write a page of docs/evidence, but keep the text below its rule (`---`)."""
    kept = page.read_text(encoding="utf-8").partition("\n---\n")[2] if page.exists() else ""
    page.write_text(text + (f"\n---\n{kept}" if kept else ""), encoding="utf-8")


def signed(seed: int) -> str:
    """Say when, where, and with which program and seed a page was measured."""
    return f"Measured {date.today()} on {machine()}; {version_text(kd.__version__)}, seed {seed}."


def version(*command: str) -> str:
    """Return the version that a tool prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def rows(measured: list[Measurement]) -> list[tuple[str, str, str, str, str]]:
    """Return name, median, best round, target, and whether the median reaches it."""
    result = []
    for one in measured:
        digits = ".2f" if one.at_most else ",.0f"
        reached = one.target is not None and (
            one.median <= one.target if one.at_most else one.median >= one.target
        )
        target = "" if one.target is None else f"{'≤' if one.at_most else '≥'} {one.target:,.0f}"
        verdict = "" if one.target is None else "yes" if reached else f"no ({one.median / one.target:.1%})"
        result.append(
            (one.name, f"{one.median:{digits}} {one.unit}", f"{one.best:{digits}}", target, verdict)
        )
    by_name = {one.name: one for one in measured}
    for policy in ("random", "greedy"):
        one, two = by_name[f"{policy}, two players"], by_name[f"{policy}, two players, two threads"]
        # Round by round: the load was about the same for both measurements of a round.
        ratios = [b / a for a, b in zip(one.figures, two.figures, strict=True)]
        ratio = statistics.median(ratios)
        verdict = "yes" if ratio >= 1.9 else f"no ({ratio / 1.9:.1%})"
        result.append(
            (f"{policy}: two threads against one", f"{ratio:.2f}×", f"{max(ratios):.2f}", "≥ 1.9", verdict)
        )
    return result


def instructions() -> list[tuple[str, str]]:
    """Count instructions per game with Valgrind, if it is installed. Load does not change them."""
    if shutil.which("valgrind") is None:
        return []
    build = ["cargo", "build", "--release", "--quiet", "--package", "kingdomino-search", "--example", "games"]
    subprocess.run(build, check=True, cwd=ROOT)

    def count(rules: str, policy: Policy, chunks: int) -> int:
        games = str(ROOT / "target" / "release" / "examples" / "games")
        tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        command = [*tool, games, rules, policy, str(chunks)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return int(done.stderr.rpartition("Collected :")[2].split()[0])

    counted = []
    for rules in ("2.second.random", "4.second.random", "2.second.random.duel"):
        policies: tuple[Policy, ...] = ("random", "greedy")
        for policy in policies:
            # Both counts include the cost of start and exit.
            games = (count(rules, policy, 9) - count(rules, policy, 1)) / (8 * 256)
            counted.append((f"{policy}, {rules}", f"{games:,.0f}"))
    return counted


def report(table: list[tuple[str, str, str, str, str]], counted: list[tuple[str, str]]) -> str:
    """Return the page in docs/evidence."""
    lines = [
        "# The engine",
        "",
        *(f"- {name}: **{figure}**" for name, figure, *_ in table if name in HEADLINES),
        "",
        f"Written by `make bench`: medians of {ROUNDS} rounds, seeds 0 to {ROUNDS - 1}, all measurements alternating.",
        "Release build. A game is the deal, every legal placement, the choice, turn order, scores and winner.",
        "One thread: processor time. Two threads: wall time.",
        "",
        f"- machine: {machine()}",
        f"- {version_text(kd.__version__)}, {version('rustc', '--version')}, Python {platform.python_version()}",
        f"- measured: {time.strftime('%Y-%m-%d')}",
        "",
        "| what | median | best round | target | reached |",
        "|---|---|---|---|---|",
        *("| " + " | ".join(row) + " |" for row in table),
    ]
    if counted:
        lines += [
            "",
            "Instructions a game, counted by Valgrind, whatever the load of the machine:",
            "",
            "| policy and rules | instructions |",
            "|---|---|",
            *(f"| {name} | {count} |" for name, count in counted),
        ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, show, and write the page."""
    if DEBUG:
        sys.exit("this is a debug build of the engine; use a release build to measure it")
    measured = measurements()
    start = empty_start()
    for number in track(range(ROUNDS), "measuring"):
        for one in measured:
            one.measure(number)
    measured[-1].figures = [figure - start for figure in measured[-1].figures]
    table = rows(measured)
    shown = Table("what", "median", "best round", "target", "reached")
    for row in table:
        shown.add_row(*row)
    Console().print(shown)
    write_page(EVIDENCE, report(table, instructions()))


if __name__ == "__main__":
    typer.run(main)
