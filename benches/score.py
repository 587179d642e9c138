"""Measures the check of kingdoms that lie on a table and writes docs/evidence/score.md: `python -m benches.score`.

Node calls `score_kingdoms` of the page's engine, as `/score` does after every tap. The native library scores the same
kingdoms.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, Final

import numpy as np
from rich.progress import track

import kingdomino as kd
from benches.run import machine, write_page
from kingdomino.cli.version import version_text

ROOT: Final = Path(__file__).parents[1]
SEED: Final = 47
TABLES: Final = 500
"""Tables of each kind and number of players."""
KINDS: Final = {"as played": 0, "two squares swapped": 2, "six squares swapped": 6}
"""How many squares are exchanged with others of the table: most such kingdoms cannot be built."""
_ENGINE: Final = ROOT / "python/kingdomino/server/static/engine"
_NODE: Final = f"""
import {{ readFileSync }} from "node:fs";
import {{ createInterface }} from "node:readline";
import {{ instantiate }} from "{(_ENGINE / "engine.js").as_uri()}";
const call = await instantiate(await WebAssembly.compile(readFileSync("{_ENGINE}/kingdomino.wasm")));
for await (const line of createInterface({{ input: process.stdin }})) {{
  const asked = JSON.parse(line);
  const begin = performance.now();
  const {{ kingdoms }} = call("score_kingdoms", asked);
  const took = performance.now() - begin;
  console.log(JSON.stringify([took, kingdoms.map(({{ score, doubts }}) => [score.total, doubts.length])]));
}}
"""

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


def text_of(kingdom: list[dict[str, Any]], size: int) -> kd.Kingdom:
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


def main() -> None:
    """Measure, and write the page."""
    node = subprocess.Popen(
        [Path(sys.executable).with_name("node"), "--input-type=module", "-e", _NODE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    assert node.stdin
    assert node.stdout
    medians, latest, scored, right = [], [], 0, 0
    lines = [
        "| kingdoms | rules | tables | with doubts | median | 99% | slowest | scored alike |",
        "|---|---|---|---|---|---|---|---|",
    ]
    sets = [kd.Rules(2), kd.Rules(3), kd.Rules(4), kd.Rules(2, mighty_duel=True)]
    for rules in sets:
        games = list(track(tables(rules), str(rules), TABLES))
        for kind, count in KINDS.items():
            chance = random.Random(f"{SEED} {rules} {kind}")
            took, doubted, alike, all_kingdoms = [], 0, 0, 0
            for kingdoms in games:
                lands = swapped(kingdoms, count, chance)
                asked = {"size": rules.size, "edition": "second", "harmony": False, "middle_kingdom": False}
                print(json.dumps({**asked, "kingdoms": [{"squares": one} for one in lands]}), file=node.stdin)
                milliseconds, found = json.loads(node.stdout.readline())
                took.append(milliseconds)
                doubted += any(doubts for _, doubts in found)
                for one, (total, _) in zip(lands, found, strict=True):
                    alike += text_of(one, rules.size).score(rules).total == total
                    all_kingdoms += 1
            middle, late = np.quantile(took, [0.5, 0.99])
            medians.append(middle)
            latest.append(late)
            scored += all_kingdoms
            right += alike
            name = "Mighty Duel" if rules.mighty_duel else f"{rules.players} players"
            lines.append(
                f"| {kind} | {name} | {TABLES} | {doubted} | {middle:.2f} ms | {late:.1f} ms | {max(took):.1f} ms | "
                f"{alike} of {all_kingdoms} |"
            )
    node.stdin.close()
    node.wait()
    lead = [
        "# The scorer",
        "",
        f"- The check of a table takes at most **{max(medians):.2f} ms** in the median of any row (target: 50 ms)",
        f"- 99 of 100 checks take at most **{max(latest):.1f} ms**",
        f"- Kingdoms scored as in the native library: **{right:,}** of {scored:,}",
    ]
    write_page(PAGE, "\n".join([*lead, HEAD, *lines, "", signed(), ""]))


def signed() -> str:
    """Say when, where and with what the page was measured."""
    return f"Measured {date.today()} on {machine()}; {version_text(kd.__version__)}, seed {SEED}."


if __name__ == "__main__":
    main()
