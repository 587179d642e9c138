"""Playouts per second, the time of exact endings, and the time until a search stops."""

import json
import statistics
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import cycle, islice
from threading import Event, Timer

from rich.console import Console
from rich.progress import track
from rich.table import Table

import kingdomino as kd
from benches.search.positions import lines_to_come
from benches.search.regret import TRUTH
from kingdomino.machine import available_cores

SEED = 1
POSITIONS = 1000
"""Endings per rules set."""
ROUNDS = 15
STOPS = 100
STOP_AFTER = 0.03
"""Seconds."""

INTRODUCTION = f"""\
One thread, seed {SEED}, both bonuses. Figures are in processor time, and in wall time for stopping. `king:level=7`
played {POSITIONS:,} games with itself, and we took the first ending of each."""

RULES = {
    name: kd.Rules.parse(f"{text}.harmony.middle")
    for name, text in {
        "2 players": "2.second.random",
        "3 players, first edition": "3.first.random",
        "3 players": "3.second.random",
        "4 players": "4.second.random",
        "Mighty Duel": "2.second.random.duel",
    }.items()
}
WITHOUT_A_SURPRISE = ("3 players", "4 players", "Mighty Duel")
"""All 48 dominoes are used, so the last line is known a round earlier."""
Row = tuple[str, str, str, str]


def endings(rules: kd.Rules, seed: int) -> dict[int, kd.Position]:
    """Play a game at a strong level; return its first position with each number of lines to come."""
    game = kd.Game(rules, seed)
    bot = kd.bots.make("king:level=7")
    first: dict[int, kd.Position] = {}
    while 0 not in first:
        game.play(bot.choose(game.position))
        first.setdefault(lines_to_come(game.position), game.position)
    return first


def games(name: str, rules: kd.Rules) -> list[dict[int, kd.Position]]:
    """Play games on all cores; return the endings of each."""
    seeds = range(SEED, SEED + POSITIONS)
    with ThreadPoolExecutor(available_cores()) as pool:
        return list(track(pool.map(partial(endings, rules), seeds), f"games, {name}", POSITIONS))


def solved(name: str, positions: Iterable[kd.Position], lines: int) -> Row:
    """Measure how long solving endings with this many lines to come takes."""
    times = []
    what = f"{name}, " + ("the last line on the table" if lines == 0 else "a round earlier")
    for position in track(positions, what, POSITIONS):
        begin = time.process_time()
        search = kd.Search(position)
        search.run()
        times.append((time.process_time() - begin) * 1e3)
        if not search.analysis().exact:
            raise RuntimeError(f"not solved: {position}")
    times.sort()
    median, p99, worst = statistics.median(times), times[len(times) * 99 // 100], times[-1]
    most = (5, 100) if lines == 0 else (20, 1000)
    verdict = "yes" if median <= most[0] and worst <= most[1] else "no"
    figure = f"median {median:.2f} ms, p99 {p99:.1f}, worst {worst:.1f}"
    return f"{POSITIONS:,} endings, {what}", figure, f"{most[0]} ms, worst {most[1]} ms", verdict


def playouts(name: str, rules: kd.Rules, target: float | None) -> Iterator[Row]:
    """Measure playouts of the tuned policy alone, and of a search."""
    position = kd.Game(rules, SEED).position
    alone, searched = [], []
    for _ in track(range(ROUNDS), f"playouts, {name}"):
        begin = time.process_time()
        kd.playouts(position, 4096, "tuned", threads=1, seed=SEED)
        alone.append(4096 / (time.process_time() - begin))
        search = kd.Search(position, SEED)
        begin = time.process_time()
        search.run(playouts=4096)
        searched.append(4096 / (time.process_time() - begin))
    median = statistics.median(alone)
    verdict = "" if target is None else "yes" if median >= target else "no"
    yield (
        f"playouts by the tuned policy, {name}, first round",
        f"{median:,.0f} a second ({min(alone):,.0f} to {max(alone):,.0f})",
        "" if target is None else f"{target:,.0f}",
        verdict,
    )
    yield f"playouts of a search there, {name}", f"{statistics.median(searched):,.0f} a second", "", ""


def long_ending(positions: Iterable[kd.Position]) -> kd.Position:
    """Return the first ending that takes longer to solve than the wait before the stop."""
    for position in positions:
        begin = time.process_time()
        kd.Search(position).run()
        if time.process_time() - begin > 4 * STOP_AFTER:
            return position
    raise RuntimeError("every ending is solved before the stop")


def before_the_last_unknown_lines() -> list[kd.Position]:
    """Return positions of the Mighty Duel from which a search reaches large endings."""
    truths = map(json.loads, TRUTH.read_text(encoding="utf-8").splitlines())
    positions = [kd.Position.parse(truth["position"]) for truth in truths]
    return [position for position in positions if position.rules.mighty_duel]


def stops(name: str, *positions: kd.Position) -> Row:
    """Measure how long a search continues after the stop event is set, in these positions in turn."""
    late = []
    for position in track(list(islice(cycle(positions), STOPS)), f"stopping, {name}"):
        stop, set_at = Event(), [0.0]

        def set_stop(stop: Event = stop, set_at: list[float] = set_at) -> None:
            set_at[0] = time.perf_counter()
            stop.set()

        timer = Timer(STOP_AFTER, set_stop)
        timer.start()
        if kd.Search(position).run(stop=stop) is not kd.Stop.STOPPED:
            raise RuntimeError("the search ended before it was stopped")
        late.append((time.perf_counter() - set_at[0]) * 1e3)
        timer.join()
    worst = max(late)
    figure = f"median {statistics.median(late):.1f} ms, longest {worst:.1f}"
    return (
        f"from stop to answer, {name}, {STOPS} times",
        figure,
        "20 ms",
        "yes" if worst <= 20 else "no",
    )


def section() -> list[str]:
    """Measure, print, and return the lines of the section."""
    played = {name: games(name, rules) for name, rules in RULES.items()}
    last = {name: [first[0] for first in firsts] for name, firsts in played.items()}
    earlier = {name: [first[1] for first in played[name]] for name in WITHOUT_A_SURPRISE}
    rows = [
        *playouts("2 players", RULES["2 players"], 120_000),
        *playouts("4 players", RULES["4 players"], 60_000),
        *playouts("Mighty Duel", RULES["Mighty Duel"], None),
        stops("first round of 4 players", kd.Game(RULES["4 players"], SEED).position),
        stops("in an ending of the Mighty Duel", long_ending(earlier["Mighty Duel"])),
        stops("one and two turns before such endings", *before_the_last_unknown_lines()),
        *(solved(name, positions, 0) for name, positions in last.items()),
        *(solved(name, positions, 1) for name, positions in earlier.items()),
    ]
    table = Table("what", "figure", "target", "reached")
    for row in rows:
        table.add_row(*row)
    Console().print(table)
    return [
        *INTRODUCTION.splitlines(),
        "",
        "| what | figure | target | reached |",
        "|---|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]
