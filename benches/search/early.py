"""Regret of early placements: rounds 1 and 2, two players, both bonuses.

So early in a game the true values are unknown. The reference is a much longer search that compares the placements with
the same random numbers. `python -m benches.search.early` writes it to `early.jsonl`, and continues an unfinished file.
"""

import json
from pathlib import Path

from rich.progress import track

import kingdomino as kd
from benches.search import positions, regret

REFERENCE = Path(__file__).parent / "early.jsonl"
STAGES = ((1_500, 0.1), (12_000, 0.02), (200_000, 0.0))
"""Playouts a placement. Those go on that are at most this much worse than the best, in win probability."""
NODES = 2**25
SEED = 77
TIMES = {0.1: 6, 1.0: 1}
"""Seconds per decision, and the number of seeds."""
INTRODUCTION = """\
[200 placements](../../benches/search/early.jsonl) of rounds 1 and 2, two players, both bonuses. The reference is not
the truth but a long comparison with common random numbers: 200,000 playouts for each placement that came within 2% of
the best after 12,000, and 12,000 for each that came within 10% after 1,500 (`python -m benches.search.early`, seed 77).
The columns are those of [regret near the end](#regret); seeds for each position: 6 and 1."""


def reference(position: kd.Position) -> list[tuple[str, float, float, int]]:
    """Return each placement with its win probability, its margin and the playouts that they come from."""
    seat = position.to_move
    assert seat is not None
    left = list(dict.fromkeys(position.equivalent(action) for action in position.legal_actions()))
    found = {}
    for playouts, near in STAGES:
        search = kd.Search(position, SEED, actions=left)
        search.run(playouts=playouts * len(left), nodes=NODES)
        for each in search.analysis().actions:
            found[each.action] = (each.win_rates[seat], each.mean_margin[seat], each.playouts)
        best = max(found[action][0] for action in left)
        left = [action for action in left if found[action][0] >= best - near]
        if len(left) == 1:
            break
    return [(str(action), round(win, 5), round(margin, 4), n) for action, (win, margin, n) in found.items()]


def section() -> list[str]:
    """Measure, and return the lines of the section."""
    truths = regret.read(REFERENCE)
    rounds = [kd.Position.parse(str(truth["position"])).round for truth in truths]
    parts = {"all": [True] * len(truths)}
    for number in (1, 2):
        parts[f"round {number}"] = [number == each for each in rounds]
    return [*INTRODUCTION.splitlines(), "", *regret.table(truths, TIMES, parts)]


def main() -> None:
    """Add the positions that the file lacks."""
    done = REFERENCE.read_text(encoding="utf-8").count("\n") if REFERENCE.exists() else 0
    for position in track(positions.read("early")[done:], "early placements"):
        line = json.dumps({"position": position.to_text(), "actions": reference(position)})
        with REFERENCE.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")


if __name__ == "__main__":
    main()
