"""Measures what each domino of a line would bring and writes docs/evidence/worth.md: `python -m benches.worth`.

Node calls `worth` of the page's engine, as the analysis board does at every position. The native library answers for
the same positions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich.progress import track

import kingdomino as kd
from benches.node import in_node
from benches.run import signed, spread, write_page
from kingdomino.analysis import worth

ROOT: Final = Path(__file__).parents[1]
SEED: Final = 46
GAMES: Final = 10
"""Games under each rules set."""
RULES: Final = (
    kd.Rules(2),
    kd.Rules(3),
    kd.Rules(4, middle_kingdom=True),
    kd.Rules(2, mighty_duel=True, harmony=True),
)
_WORTH: Final = """(call, asked) => {
  const begin = performance.now();
  const found = call("worth", asked);
  return [performance.now() - begin, found.map(({ gains }) => gains)];
}"""

PAGE: Final = ROOT / "docs/evidence/worth.md"
HEAD: Final = """
Written by `.venv/bin/python -m benches.worth`: how long the analysis board waits until it shows what each domino of the
line would bring every kingdom. Node calls `worth` of the page's engine for every position of games between greedy bots
after the opening; the first row has the first calls, slow until their code is compiled. The native library answers for
the same positions (`kd.analysis.worth`). The target is 50 ms.
"""


def positions(rules: kd.Rules) -> Iterator[kd.Position]:
    """Yield the positions of games between greedy bots, after the opening."""
    for number in range(GAMES):
        seed = kd.derive_seed(SEED, rules.to_text(), number)
        game, bot = kd.Game(rules, seed=seed), kd.bots.make("greedy", seed=seed)
        while not game.is_over:
            if game.position.round:
                yield game.position
            game.play(bot.choose(game.position))


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured under a rules set.

    page, native: milliseconds, each the median, the 99% quantile and the slowest.
    alike: the positions at which both have the same answer, to a millionth of a point.
    """

    rules: str
    positions: int
    page: tuple[float, float, float]
    native: tuple[float, float, float]
    alike: int


def row(rules: kd.Rules, ask: Callable[[object], Any]) -> Row:
    """Measure the positions of games under a rules set."""
    in_page, native, alike = [], [], 0
    for position in track(list(positions(rules)), rules.to_text()):
        milliseconds, gains = ask({"position": position.to_text()})
        in_page.append(milliseconds)
        begin = time.perf_counter()
        found = worth(position)
        native.append(1000 * (time.perf_counter() - begin))
        alike += is_alike([one.gains for one in found], gains)
    return Row(rules.to_text(), len(native), spread(in_page), spread(native), alike)


def is_alike(ours: list[tuple[float | None, ...]], theirs: list[list[float | None]]) -> bool:
    """Return whether two answers have the same gains, to a millionth of a point."""
    if len(ours) != len(theirs):
        return False
    pairs = [pair for one, other in zip(ours, theirs, strict=True) for pair in zip(one, other, strict=True)]
    return all(
        one is other if one is None or other is None else abs(one - other) < 1e-6 for one, other in pairs
    )


def main() -> None:
    """Measure, and write the page."""
    with in_node(_WORTH) as ask:
        measured = [row(rules, ask) for rules in RULES]
    lines = [
        "| rules | positions | page: median | 99% | slowest | native: median | 99% | slowest | same answer |",
        "|---|---|---|---|---|---|---|---|---|",
        *(
            f"| {one.rules} | {one.positions} | {' | '.join(f'{ms:.1f} ms' for ms in (*one.page, *one.native))} | "
            f"{one.alike} of {one.positions} |"
            for one in measured
        ),
    ]
    page, native = max(one.page[0] for one in measured), max(one.native[0] for one in measured)
    alike, count = sum(one.alike for one in measured), sum(one.positions for one in measured)
    lead = [
        "# What a domino would bring",
        "",
        f"- In the page it takes at most **{page:.1f} ms** in the median of any row (target: 50 ms)",
        f"- In the native library it takes at most **{native:.1f} ms**",
        f"- Positions with the same answer in both: **{alike:,}** of {count:,}",
    ]
    write_page(PAGE, "\n".join([*lead, HEAD, *lines, "", signed(SEED), ""]))


if __name__ == "__main__":
    main()
