"""Measures how good reviews are, and writes docs/evidence/review.md: ``python -m benches.review [PART…]``.

Parts: ``costs`` (against a search of at least 50 times the playouts), ``luck`` (its mean over games of equals),
``speed``, and ``levels`` (what the decisions of each level cost; from it comes "you played like level N"). They take
hours together. Results are kept in files that git ignores, so a run that was interrupted goes on where it was.
"""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

import kingdomino as kd
from benches.kept import measured
from benches.run import machine, write_page
from kingdomino.analysis import DEFAULT_LIMIT, Decision, judge, review
from kingdomino.bots import Limit

SEED = 21_000
RULES = {
    "2 players": kd.Rules(2, harmony=True, middle_kingdom=True),
    "3 players": kd.Rules(3, harmony=True, middle_kingdom=True),
    "4 players": kd.Rules(4, harmony=True, middle_kingdom=True),
    "Mighty Duel": kd.Rules(2, mighty_duel=True, harmony=True, middle_kingdom=True),
}
PLAYERS = ("king:playouts=2000", "king:level=7", "king:level=5", "king:level=3", "greedy")
LIMITS = (Limit(playouts=3_000), DEFAULT_LIMIT)
REFERENCE = Limit(playouts=150_000)
DECISIONS = 75
"""Judged decisions a rules set."""
GAMES, EACH = 200, 2
"""Games of each level, and judged decisions of each game."""
LEVELS = [*(f"king:level={level}" for level in range(1, 8)), "king:playouts=1000"]
"""The strongest thinks for a time; with playouts its games are the same everywhere."""
EQUALS = {"2 players": 500, "4 players": 100}
"""Games of equals, by rules set."""
HEAD = """
Written by `python -m benches.review`. The method is described in [the guide](../guides/analysis.md).
"""
PAGE = Path(__file__).parents[1] / "docs" / "evidence" / "review.md"


def lead(sections: Mapping[str, str]) -> str:
    """Write the beginning of the page: the figures that matter, of the sections that there are."""
    lines = []
    first, last = (row(sections, "costs", f"{limit.playouts:,}", "all") for limit in LIMITS)
    if first and last:
        said = "- A cost differs from that of a far longer search (target: by 1.5% at most): in the mean by "
        lines.append(f"{said}**{first[2]}** after the first pass, and **{last[2]}** after the second")
        said = "- Decisions called a mistake that cost less than 1% there (target: 5% of them at most): "
        lines.append(f"{said}**{first[7]}** of {first[6]}, and **{last[7]}** of {last[6]}")
    if speed := row(sections, "speed", "2 players"):
        lines.append(
            f"- Two players: first figures after **{speed[1]}**, all after **{speed[2]}**, on one thread"
        )
    return "".join(f"{line}\n" for line in lines)


def row(sections: Mapping[str, str], part: str, *first: str) -> list[str]:
    """Find the row of a section's table that begins with these cells; gives all its cells, or none."""
    for line in sections.get(part, "").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if tuple(cells[: len(first)]) == first:
            return cells
    return []


def kept_in(part: str) -> Path:
    """Name the file that keeps the results of a part."""
    return Path(__file__).with_name(f"review-{part}.part.jsonl")


def game(rules: kd.Rules, specs: Sequence[str], seed: int) -> kd.Game:
    """Let bots play a game; they sit in an order that follows from the seed."""
    played = kd.Game(rules, seed=seed)
    order = random.Random(seed).sample(specs, len(specs))
    bots = [kd.bots.make(spec) for spec in (order * rules.players)[: rules.players]]
    while not played.is_over:
        seat = played.position.to_move
        assert seat is not None
        played.play(bots[seat].choose(played.position))
    return played


@dataclass(frozen=True, slots=True)
class Case:
    """A decision to be judged."""

    position: kd.Position
    action: kd.Action
    seed: int


def cases(
    rules: kd.Rules, specs: Sequence[str], count: int, each: int, seed: int, *, endings: bool = True
) -> dict[str, Case]:
    """Choose so many decisions of each of so many games, among those with a choice.

    endings: whether decisions that are judged exactly are among them.
    """
    found: dict[str, Case] = {}
    for number in range(count):
        one = kd.derive_seed(seed, str(rules), number)
        record = kd.Record.from_game(game(rules, specs, one))
        free = [
            Case(position, action, one)
            for position, action in zip(record.positions(), record.actions, strict=False)
            if len(position.legal_actions()) > 1 and (endings or not is_ending(position))
        ]
        for case in random.Random(one).sample(free, each):
            found[f"{case.position.to_text()} {case.action}"] = case
    return found


def is_ending(position: kd.Position) -> bool:
    """Whether the position is solved exactly: no line is unknown."""
    rules = position.rules
    lines = rules.rounds - position.round - bool(position.next_line)
    all_used = rules.dominoes_in_play == len(kd.DOMINOES)
    return position.round > 0 and (not lines or (lines == 1 and all_used))


def judged(case: Case, limit: Limit) -> Decision:
    """Judge a case."""
    return judge(case.position, case.action, limit, seed=case.seed)


def costs() -> list[str]:
    """Compare costs with those of a much longer search."""
    lines = [
        f"{DECISIONS} decisions of each rules set, both bonuses, with a choice and before the exact ending,",
        f"in games between {', '.join(PLAYERS)}. The reference is the cost by {REFERENCE.playouts:,} playouts.",
        "A mistake costs 5% or more; the last column counts those that cost less than 1% in the reference.",
        "",
        "| playouts | rules | mean error | largest | in points | mean cost (reference) | mistakes | below 1% |",
        "|---|---|---|---|---|---|---|---|",
    ]

    def measure(case: Case) -> list[list[float]]:
        found = [judged(case, limit) for limit in (*LIMITS, REFERENCE)]
        return [[decision.cost, decision.cost_points] for decision in found]

    results = {
        name: np.array(
            measured(
                kept_in(f"costs-{rules.to_text()}"),
                cases(rules, PLAYERS, DECISIONS, 1, SEED, endings=False),
                measure,
            )
        )
        for name, rules in RULES.items()
    }
    results["all"] = np.concatenate(list(results.values()))
    for index, limit in enumerate(LIMITS):
        for name, result in results.items():
            cost, truth = result[:, index, 0], result[:, -1, 0]
            error, points = np.abs(cost - truth), np.abs(result[:, index, 1] - result[:, -1, 1])
            mistakes = truth[cost >= 0.05]
            lines.append(
                f"| {limit.playouts:,} | {name} | {error.mean():.2%} | {error.max():.1%} | {points.mean():.2f} | "
                f"{cost.mean():.2%} ({truth.mean():.2%}) | {len(mistakes)} | {(mistakes < 0.01).sum()} |"
            )
    return lines


def luck() -> list[str]:
    """Take the mean luck over games of equals, and check that luck and skill add up."""
    lines = [
        "Games of `king:level=6` with itself, each decision judged with 400 playouts. The luck of a game for seat 0,",
        "and the luck of each event for the seat that decides next: both should be 0 in the mean (± a standard",
        "error). Last, the largest difference between result - start and luck - cost + received.",
        "",
        "| rules | games | luck of seat 0 | in points | its spread | of who decides next | in points | identity |",
        "|---|---|---|---|---|---|---|---|",
    ]

    def measure(case: tuple[kd.Rules, int]) -> list[float]:
        rules, seed = case
        found = review(
            kd.Record.from_game(game(rules, ["king:level=6"], seed)), Limit(playouts=400), seed=seed
        )
        assert found.result is not None
        off = max(
            abs(
                found.result.win_rates[one.seat]
                - found.start.win_rates[one.seat]
                - (one.luck - one.cost + one.received)
            )
            for one in found.seats
        )
        nexts = [(one, found.decisions[one.ply].seat) for one in found.luck]
        chance = float(np.mean([one.win_rates[seat] for one, seat in nexts]))
        points = float(np.mean([one.points[seat] for one, seat in nexts]))
        return [found.seats[0].luck, found.seats[0].luck_points, chance, points, off]

    for name, games in EQUALS.items():
        seeds = [kd.derive_seed(SEED, f"luck {name}", number) for number in range(games)]
        result = np.array(
            measured(
                kept_in(f"luck-{RULES[name].to_text()}"),
                {str(seed): (RULES[name], seed) for seed in seeds},
                measure,
            )
        )
        mean, spread = result.mean(axis=0), result.std(axis=0, ddof=1)
        error = spread / games**0.5
        lines.append(
            f"| {name} | {games} | {mean[0]:+.2%} ± {error[0]:.2%} | {mean[1]:+.2f} ± {error[1]:.2f} | "
            f"{spread[0]:.1%} | {mean[2]:+.2%} ± {error[2]:.2%} | {mean[3]:+.2f} ± {error[3]:.2f} | "
            f"{result[:, 4].max():.0e} |"
        )
    return lines


def speed() -> list[str]:
    """Time a review of one game on one thread."""
    lines = [
        "One game of `king:level=6` with itself, one thread, processor time. The first pass has a quarter of the",
        "playouts.",
        "",
        "| rules | first pass | both passes |",
        "|---|---|---|",
    ]
    for name, rules in RULES.items():
        record = kd.Record.from_game(game(rules, ["king:level=6"], SEED))
        seconds = []
        for limit in LIMITS:
            start = time.process_time()
            review(record, limit)
            seconds.append(time.process_time() - start)
        first, last = seconds
        lines.append(f"| {name} | {first:.1f} s | {first + last:.1f} s |")
    return lines


def levels() -> list[str]:
    """Measure what the decisions of each level cost, in games with itself."""
    lines = [
        f"{GAMES} games of each level with itself, both bonuses; {EACH} decisions of each game, among those with a",
        "choice. Mean cost of a decision in points ± a standard error. Level 8, full strength, thinks 1000 playouts",
        "here. `kingdomino.analysis.levels` has these figures.",
        "",
        f"| rules | {' | '.join(f'level {level}' for level in range(1, len(LEVELS) + 1))} |",
        "|---|" + "---|" * len(LEVELS),
    ]

    def measure(case: Case) -> float:
        return judged(case, DEFAULT_LIMIT).cost_points

    for name, rules in RULES.items():
        cells = []
        for level, spec in enumerate(LEVELS, 1):
            seed = kd.derive_seed(SEED, "levels", level)
            chosen = cases(rules, [spec], GAMES, EACH, seed)
            found = np.array(measured(kept_in(f"levels-{rules.to_text()}-{level}"), chosen, measure))
            cells.append(f"{found.mean():.2f} ± {found.std(ddof=1) / len(found) ** 0.5:.2f}")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


PARTS: dict[str, Callable[[], list[str]]] = {"costs": costs, "luck": luck, "speed": speed, "levels": levels}


def main(parts: Annotated[list[str] | None, typer.Argument(help="; ".join(PARTS))] = None) -> None:
    """Measure the named parts, or all, and write the page; its other sections stay as they are."""
    old = PAGE.read_text(encoding="utf-8").split("\n## ")[1:] if PAGE.exists() else []
    sections = {section.partition("\n")[0].lower(): section.strip() for section in old}
    for part in parts or PARTS:
        signed = (
            f"Measured {time.strftime('%Y-%m-%d')} on {machine()}; kingdomino {kd.__version__}, seed {SEED}."
        )
        sections[part] = "\n".join([part.capitalize(), "", *PARTS[part](), "", signed])
        known = [f"## {sections[name]}\n" for name in PARTS if name in sections]
        write_page(PAGE, f"# Reviews\n\n{lead(sections)}" + "\n".join([HEAD, *known]))


if __name__ == "__main__":
    typer.run(main)
