"""Regret where the truth is known: shortly before the last reveal that does not follow by elimination.

`truth.jsonl` was written by `cargo run --release -p kingdomino-search --example truth -- 18 <
benches/search/positions/truth.txt`: full expectimax up to the reveal, exact endings after it.
"""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.progress import track

import kingdomino as kd
from benches.search.positions import RULES, turns_left

TIMES = {0.003: 10, 0.03: 6, 0.1: 4, 1.0: 1}
"""Seconds per decision, and the number of seeds."""
TRUTH = Path(__file__).parent / "truth.jsonl"
SEED = 18
INTRODUCTION = f"""\
[200 positions](../../benches/search/truth.jsonl), one and two turns before the last uncertain reveal, both
bonuses. The example `truth` solved them (up to 2,000 lines a reveal). `king` uses one thread.
Seeds for each position, from the shortest time to the longest: {", ".join(map(str, TIMES.values()))}. Regret is the
best action's value less the chosen action's value (95% intervals from the means of the positions). The error
is `king`'s value of its choice less the true value."""
COLUMNS = (
    "position, time",
    "regret, win probability: mean, worst",
    "regret, points: mean, worst",
    "error, win probability: mean, mean absolute",
    "error, margin: mean, mean absolute",
)


def measure(truth: dict[str, object], seconds: float, seed: int) -> NDArray[np.float64]:
    """Return regret in win probability (percent) and points, and the errors of the chosen action's values."""
    position = kd.Position.parse(str(truth["position"]))
    seat = position.to_move
    assert seat is not None
    actions = truth["actions"]
    assert isinstance(actions, list)
    true = {action: (win, margin) for action, win, margin, _ in actions}
    search = kd.Search(position, seed)
    search.run(time=seconds)
    chosen = search.analysis().actions[0]
    win, margin = true[str(chosen.action)]
    return np.array(
        [
            100 * (max(value for value, _ in true.values()) - win),
            max(value for _, value in true.values()) - margin,
            100 * (chosen.win_rates[seat] - win),
            chosen.mean_margin[seat] - margin,
        ]
    )


def read(path: Path) -> list[dict[str, object]]:
    """Read positions and the values of their actions."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def table(
    truths: list[dict[str, object]], times: dict[float, int], parts: dict[str, list[bool]]
) -> list[str]:
    """Measure each position, and return the lines of a table: a row for each time and part of the positions.

    times: seconds per decision, and the number of seeds.
    """
    rows = []
    for seconds, seeds in times.items():
        what = f"{1000 * seconds:g} ms a decision"
        # Its axes are positions, seeds and figures.
        found = np.array(
            [[measure(truth, seconds, SEED + seed) for seed in range(seeds)] for truth in track(truths, what)]
        )
        for name, chosen in parts.items():
            part = found[np.array(chosen)]
            mean, worst = part.mean(axis=(0, 1)), part.max(axis=(0, 1))
            error = part.mean(axis=1).std(axis=0, ddof=1) / np.sqrt(len(part))
            absolute = np.abs(part).mean(axis=(0, 1))
            rows.append(
                [
                    f"{name}, {1000 * seconds:g} ms",
                    f"{mean[0]:.2f}% ± {1.96 * error[0]:.2f}, {worst[0]:.1f}%",
                    f"{mean[1]:.2f} ± {1.96 * error[1]:.2f}, {worst[1]:.1f}",
                    f"{mean[2]:+.1f}%, {absolute[2]:.1f}%",
                    f"{mean[3]:+.2f}, {absolute[3]:.2f}",
                ]
            )
    return [
        f"| {' | '.join(COLUMNS)} |",
        "|---" * len(COLUMNS) + "|",
        *(f"| {' | '.join(row)} |" for row in rows),
    ]


def section() -> list[str]:
    """Measure, and return the lines of the section."""
    truths = read(TRUTH)
    positions = [kd.Position.parse(str(truth["position"])) for truth in truths]
    names = {str(rules): name for name, rules in RULES.items()}
    turns = [turns_left(position) for position in positions]
    parts = {"all": [True] * len(truths)}
    for left in (1, 2):
        for name in RULES:
            parts[f"{name}, {left} turn{'s' * (left > 1)} before"] = [
                names[str(p.rules)] == name and t == left for p, t in zip(positions, turns, strict=True)
            ]
    return [*INTRODUCTION.splitlines(), "", *table(truths, TIMES, parts)]
