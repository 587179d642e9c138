"""How long whole games take with a limit of playouts, and how long their slowest decisions take."""

import statistics
import time

from rich.progress import track

import kingdomino as kd
from benches.search.speed import RULES

BOT = "king:playouts=3000"
GAMES = 3
INTRODUCTION = f"""\
`{BOT}` plays {GAMES} games with itself: seeds 1 to {GAMES}, both bonuses, one thread. Processor time in seconds:"""


def played(rules: kd.Rules, seed: int) -> tuple[float, float]:
    """Play a game. Return its duration, and the duration of its slowest decision."""
    game, bot, times = kd.Game(rules, seed), kd.bots.make(BOT), []
    while not game.is_over:
        begin = time.process_time()
        game.play(bot.choose(game.position))
        times.append(time.process_time() - begin)
    return sum(times), max(times)


def section() -> list[str]:
    """Measure, and return the lines of the section."""
    rows = []
    for name, rules in RULES.items():
        found = [played(rules, seed) for seed in track(range(1, GAMES + 1), name)]
        times, slowest = zip(*found, strict=True)
        rows.append(f"| {name} | {statistics.median(times):.1f} | {max(times):.1f} | {max(slowest):.2f} |")
    return [
        *INTRODUCTION.splitlines(),
        "",
        "| game | median | longest | slowest decision |",
        "|---|---|---|---|",
        *rows,
    ]
