"""Measures the check of kingdoms that lie on a table and writes docs/evidence/score.md: `python -m benches.score`.

Node calls `score_kingdoms` of the page's engine, as `/score` does after every tap. The native library scores the same
kingdoms.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich.progress import track

import kingdomino as kd
from benches.node import in_node
from benches.run import signed, spread, write_page

ROOT: Final = Path(__file__).parents[1]
SEED: Final = 47
TABLES: Final = 500
"""Tables of each kind and number of players."""
KINDS: Final = {"as played": 0, "two squares swapped": 2, "six squares swapped": 6}
"""How many squares are exchanged with others of the table: most such kingdoms cannot be built."""
RULES: Final = (kd.Rules(2), kd.Rules(3), kd.Rules(4), kd.Rules(2, mighty_duel=True))
_CHECK: Final = """(call, asked) => {
  const begin = performance.now();
  const { kingdoms } = call("score_kingdoms", asked);
  const took = performance.now() - begin;
  return [took, kingdoms.map(({ score, doubts }) => [score.total, doubts.length])];
}"""

PAGE: Final = ROOT / "docs/evidence/score.md"
HEAD: Final = """
Written by `.venv/bin/python -m benches.score`: what `/score` waits for after every tap. Node calls `score_kingdoms` of
the page's engine, which scores the kingdoms of a table and looks for everything that cannot be: among it, whether the
48 dominoes, each used once, make all of them. The target is 50 ms; the first row has the first calls, slow until their
code is compiled. The kingdoms are those of greedy bots; where squares are swapped, most tables have doubts. The last
column compares the points with those of the native library.
"""


def tables(rules: kd.Rules) -> Iterator[list[list[dict[str, Any]]]]:
    """Yield the kingdoms of finished games between greedy bots, as lists of squares."""
    for number in range(TABLES):
        seed = kd.derive_seed(SEED, rules.to_text(), number)
        game, bot = kd.Game(rules, seed=seed), kd.bots.make("greedy", seed=seed)
        while not game.is_over:
            game.play(bot.choose(game.position))
        yield [
            [
                {"x": x, "y": y, "terrain": square.terrain.value, "crowns": square.crowns}
                for (x, y), square in kingdom.squares.items()
            ]
            for kingdom in game.position.kingdoms
        ]


def swapped(
    kingdoms: list[list[dict[str, Any]]], count: int, chance: random.Random
) -> list[list[dict[str, Any]]]:
    """Return kingdoms in which this many squares have changed places with others; never the castle."""
    lands = [[dict(square) for square in kingdom] for kingdom in kingdoms]
    free = [square for kingdom in lands for square in kingdom if square["terrain"] != "castle"]
    for _ in range(count):
        one, other = chance.sample(free, 2)
        for what in ("terrain", "crowns"):
            one[what], other[what] = other[what], one[what]
    return lands


def kingdom_of(kingdom: list[dict[str, Any]], size: int) -> kd.Kingdom:
    """Read a kingdom from its squares."""
    squares = {(one["x"], one["y"]): one for one in kingdom}
    (left, right), (bottom, top) = ((min(axis), max(axis)) for axis in zip(*squares, strict=True))
    rows = [
        [
            (one["terrain"], one["crowns"]) if (one := squares.get((x, y))) else None
            for x in range(left, right + 1)
        ]
        for y in range(top, bottom - 1, -1)
    ]
    return kd.Kingdom.from_grid(rows, size=size)


@dataclass(frozen=True, slots=True)
class Row:
    """The measurements of one kind of tables.

    doubted: the tables with doubts.
    median, late, slowest: milliseconds; 99 of 100 checks are faster than `late`.
    alike, kingdoms: the kingdoms with the native library's score, and all.
    """

    kind: str
    rules: str
    doubted: int
    median: float
    late: float
    slowest: float
    alike: int
    kingdoms: int


def rows(rules: kd.Rules, ask: Callable[[object], Any]) -> Iterator[Row]:
    """Check the kingdoms of games, as they were played and with squares swapped."""
    games = list(track(tables(rules), str(rules), TABLES))
    asked = {"size": rules.size, "edition": rules.edition, "harmony": False, "middle_kingdom": False}
    for kind, count in KINDS.items():
        chance = random.Random(f"{SEED} {rules} {kind}")
        took, doubted, alike = [], 0, []
        for kingdoms in games:
            lands = swapped(kingdoms, count, chance)
            milliseconds, found = ask({**asked, "kingdoms": [{"squares": one} for one in lands]})
            took.append(milliseconds)
            doubted += any(doubts for _, doubts in found)
            alike += [
                kingdom_of(one, rules.size).score(rules).total == total
                for one, (total, _) in zip(lands, found, strict=True)
            ]
        name = "Mighty Duel" if rules.mighty_duel else f"{rules.players} players"
        yield Row(kind, name, doubted, *spread(took), sum(alike), len(alike))


def main() -> None:
    """Measure, and write the page."""
    with in_node(_CHECK) as ask:
        measured = [row for rules in RULES for row in rows(rules, ask)]
    lines = [
        "| kingdoms | rules | tables | with doubts | median | 99% | slowest | scored alike |",
        "|---|---|---|---|---|---|---|---|",
        *(
            f"| {row.kind} | {row.rules} | {TABLES} | {row.doubted} | {row.median:.2f} ms | {row.late:.1f} ms | "
            f"{row.slowest:.1f} ms | {row.alike} of {row.kingdoms} |"
            for row in measured
        ),
    ]
    median, late = max(row.median for row in measured), max(row.late for row in measured)
    alike, kingdoms = sum(row.alike for row in measured), sum(row.kingdoms for row in measured)
    lead = [
        "# The scorer",
        "",
        f"- The check of a table takes at most **{median:.2f} ms** in the median of any row (target: 50 ms)",
        f"- 99 of 100 checks take at most **{late:.1f} ms**",
        f"- Kingdoms scored as in the native library: **{alike:,}** of {kingdoms:,}",
    ]
    write_page(PAGE, "\n".join([*lead, HEAD, *lines, "", signed(SEED), ""]))


if __name__ == "__main__":
    main()
