"""Measures how good reviews are, and writes docs/evidence/review.md: ``python -m benches.review [PART…]``.

Parts: ``costs`` (against a far longer search), ``errors`` (whether stated errors cover its costs), ``luck``
(its mean over games of equals), ``reveals`` (whether values before a line and after it agree), ``reasons`` (what
costs are put down to), ``speed``, and ``levels`` (what the decisions of each level cost, the source of "you played
like level N"). Together they take hours. Files that git ignores keep the results, so an interrupted run continues
where it stopped.
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
from benches.run import signed, wanted, write_page
from benches.search.positions import unknown_lines_to_come
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
"""Judged decisions per rules set."""
ERRORS = (Limit(playouts=3_000), Limit(playouts=150_000))
"""The errors of the first must cover the results of the second, which has 50 times the playouts."""
GAMES = 200
"""Games of each level."""
EACH = {"2 players": 2, "3 players": 2, "4 players": 2, "Mighty Duel": 1}
"""Judged decisions per game, by rules set: in the Mighty Duel each takes several times as long."""
LEVELS = [*(f"king:level={level}" for level in range(1, 8)), "king:playouts=1000"]
"""The strongest level has a time limit; a limit of playouts makes its games the same everywhere."""
EQUAL = "king:level=6"
"""The bot that plays games of equals."""
EQUALS = {"2 players": 500, "4 players": 100}
"""Games of equals, by rules set."""
REASONS = {"2 players": 20, "3 players": 10, "4 players": 10, "Mighty Duel": 10}
"""Games whose costs are put down to reasons, by rules set."""
REASONED = Limit(playouts=800)
REVEALED = {"2 players": 40, "3 players": 8, "4 players": 6}
"""Games whose reveals are judged, by rules set. One game of the Mighty Duel takes as long as all of these."""
LINES = 6
"""Sampled lines at each reveal."""
HEAD = """
Written by `.venv/bin/python -m benches.review`. The method is described in [the guide](../guides/analysis.md).
"""
PAGE = Path(__file__).parents[1] / "docs" / "evidence" / "review.md"


def lead(sections: Mapping[str, str]) -> str:
    """Write the beginning of the page: the main figures of the existing sections."""
    lines = []
    first, last = (row(sections, "costs", f"{limit.playouts:,}", "all") for limit in LIMITS)
    if first and last:
        said = "- On average, a cost differs from that of a far longer search by "
        passes = f"**{first[2]}** after the first pass and **{last[2]}** after the second"
        lines.append(f"{said}{passes} (target: at most 1.5%)")
        said = "- Costs of 5% or more that are below 1% there (target: 5% of them at most): "
        lines.append(f"{said}**{first[7]}** of {first[6]}, and **{last[7]}** of {last[6]}")
    if speed := row(sections, "speed", "2 players"):
        lines.append(
            f"- A game of two players on one thread: the first pass takes **{speed[1]}**, both take **{speed[2]}**"
        )
    return "".join(f"{line}\n" for line in lines)


def row(sections: Mapping[str, str], part: str, *first: str) -> list[str]:
    """Return all cells of the row that begins with these cells in a section's table; none without it."""
    for line in sections.get(part, "").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if tuple(cells[: len(first)]) == first:
            return cells
    return []


def kept_in(part: str) -> Path:
    """Return the file that keeps a part's results until the part is complete."""
    return Path(__file__).with_name(f"review-{part}.part.jsonl")


def game(rules: kd.Rules, specs: Sequence[str], seed: int) -> kd.Game:
    """Let bots play a game; the seed decides where they sit."""
    played = kd.Game(rules, seed=seed)
    order = random.Random(seed).sample(specs, len(specs))
    bots = [kd.bots.make(spec) for spec in (order * rules.players)[: rules.players]]
    while not played.is_over:
        seat = played.position.to_move
        assert seat is not None
        played.play(bots[seat].choose(played.position))
    return played


def of_equals(rules: kd.Rules, seed: int) -> kd.Record:
    """Record a game of equals."""
    return kd.Record.from_game(game(rules, [EQUAL], seed))


def cases_of_equals(name: str, games: int) -> dict[str, tuple[kd.Rules, int]]:
    """Return the rules and seeds of games of equals, by their names in a kept file."""
    seeds = (kd.derive_seed(SEED, f"luck {name}", number) for number in range(games))
    return {str(seed): (RULES[name], seed) for seed in seeds}


@dataclass(frozen=True, slots=True)
class Source:
    """A game whose decisions are judged.

    Attributes:
        specs: the bots that play it.
        each: how many decisions to judge, among those with a choice.
        endings: whether to include decisions that can be judged exactly.
    """

    rules: kd.Rules
    specs: Sequence[str]
    each: int
    seed: int
    endings: bool

    def decisions(self) -> list[tuple[kd.Position, kd.Action]]:
        """Play the game, and choose the decisions."""
        record = kd.Record.from_game(game(self.rules, self.specs, self.seed))
        free = [
            (position, action)
            for position, action in zip(record.positions(), record.actions(), strict=False)
            if len(position.legal_actions()) > 1 and (self.endings or not is_ending(position))
        ]
        return random.Random(self.seed).sample(free, self.each)

    def judged(self, *limits: Limit) -> list[list[Decision]]:
        """Judge each decision within each limit.

        Each limit has its own seed, so that no judgement begins with the playouts of another.
        """
        seeds = [kd.derive_seed(self.seed, "judge", number) for number in range(len(limits))]
        return [
            [judge(position, action, limit, seed=seed) for limit, seed in zip(limits, seeds, strict=True)]
            for position, action in self.decisions()
        ]


def sources(
    rules: kd.Rules, specs: Sequence[str], count: int, each: int, seed: int, *, endings: bool = True
) -> dict[str, Source]:
    """Return this many games, by their seeds."""
    seeds = [kd.derive_seed(seed, str(rules), number) for number in range(count)]
    return {str(one): Source(rules, specs, each, one, endings) for one in seeds}


def is_ending(position: kd.Position) -> bool:
    """Return whether a search solves the position exactly: no line is unknown."""
    return position.round > 0 and unknown_lines_to_come(position) <= 0


def costs() -> list[str]:
    """Compare costs with a much longer search's."""
    lines = [
        f"{DECISIONS} decisions of each rules set, both bonuses, with a choice and before the exact ending,",
        f"in games between {', '.join(PLAYERS)}. The reference is the cost by {REFERENCE.playouts:,} playouts.",
        "The last two columns count costs of 5% or more, and those of them that are below 1% in the reference.",
        "",
        "| playouts | rules | mean error | largest | in points | mean cost (reference) | 5% or more | below 1% |",
        "|---|---|---|---|---|---|---|---|",
    ]

    def measure(source: Source) -> list[list[float]]:
        (found,) = source.judged(*LIMITS, REFERENCE)
        return [[decision.cost, decision.cost_points] for decision in found]

    results = {
        name: np.array(
            measured(
                kept_in(f"costs-{rules.to_text()}"),
                sources(rules, PLAYERS, DECISIONS, 1, SEED, endings=False),
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
            large = truth[cost >= 0.05]
            lines.append(
                f"| {limit.playouts:,} | {name} | {error.mean():.2%} | {error.max():.1%} | {points.mean():.2f} | "
                f"{cost.mean():.2%} ({truth.mean():.2%}) | {len(large)} | {(large < 0.01).sum()} |"
            )
    return lines


def errors() -> list[str]:
    """Count how often a far longer search finds a cost within two stated errors."""
    (limit, reference) = (each.playouts or 0 for each in ERRORS)
    lines = [
        f"Decisions as under Costs, in other games, judged with {limit:,} and with {reference:,} playouts, 50 times as",
        "many. Covered: how often the second cost lies within two stated errors of the first (target: 95%). Then the",
        "median of two errors, and how many decisions with a cost in points have none in the longer search.",
        "",
        "| rules | decisions | chance covered | points covered | ± chance | ± points | costs of none |",
        "|---|---|---|---|---|---|---|",
    ]

    def measure(source: Source) -> list[list[float]]:
        (found,) = source.judged(*ERRORS)
        return [[one.cost, one.cost_points, one.error, one.error_points] for one in found]

    results = {
        name: np.array(
            measured(
                kept_in(f"errors-{rules.to_text()}"),
                sources(rules, PLAYERS, DECISIONS, 1, kd.derive_seed(SEED, "errors", 2), endings=False),
                measure,
            )
        )
        for name, rules in RULES.items()
    }
    results["all"] = np.concatenate(list(results.values()))
    for name, result in results.items():
        judged, longer = result[:, 0], result[:, 1]
        covered = np.abs(judged[:, :2] - longer[:, :2]) <= 2 * judged[:, 2:] + 1e-9
        chance, points = covered.mean(axis=0)
        near, near_points = np.median(2 * judged[:, 2:], axis=0)
        none = ((judged[:, 1] > 0) & (longer[:, 1] == 0)).sum()
        lines.append(
            f"| {name} | {len(result)} | {chance:.0%} | {points:.0%} | {near:.1%} | {near_points:.1f} | "
            f"{none} of {(judged[:, 1] > 0).sum()} |"
        )
    return lines


def luck() -> list[str]:
    """Compute the mean luck over games of equals, and check that luck and skill add up."""
    lines = [
        f"Games of `{EQUAL}` with itself, each decision judged with 400 playouts. The luck of a game for seat 0",
        "should be 0 in the mean (± a standard error). Last, the largest difference between result - start and",
        "luck - cost + received.",
        "",
        "| rules | games | luck of seat 0 | in points | its spread | identity |",
        "|---|---|---|---|---|---|",
    ]

    def measure(case: tuple[kd.Rules, int]) -> list[float]:
        rules, seed = case
        record = of_equals(rules, seed)
        found = review(record, Limit(playouts=400), seed=seed)
        assert found.result is not None
        off = max(
            abs(
                found.result.win_rates[one.seat]
                - found.start.win_rates[one.seat]
                - (one.luck - one.cost + one.received)
            )
            for one in found.seats
        )
        return [found.seats[0].luck, found.seats[0].luck_points, off]

    for name, games in EQUALS.items():
        result = np.array(
            measured(kept_in(f"luck-{RULES[name].to_text()}"), cases_of_equals(name, games), measure)
        )
        mean, spread = result.mean(axis=0), result.std(axis=0, ddof=1)
        error = spread / games**0.5
        lines.append(
            f"| {name} | {games} | {mean[0]:+.2%} ± {error[0]:.2%} | {mean[1]:+.2f} ± {error[1]:.2f} | "
            f"{spread[0]:.1%} | {result[:, 2].max():.0e} |"
        )
    return lines


def reveals() -> list[str]:
    """Compare values before reveals with the mean values after them."""
    lines = [
        f"Reveals in games of `{EQUAL}` with itself, except those that are followed by the exact ending: the value",
        f"after a sampled line less the value before it, for the seat that decides next. {LINES} lines a reveal, each",
        f"position judged with {DEFAULT_LIMIT.playouts:,} playouts, as in a review. It should be 0 in the mean (± a",
        "standard error, by games).",
        "",
        "| rules | games | reveals | win probability | points |",
        "|---|---|---|---|---|",
    ]

    def measure(case: tuple[kd.Rules, int]) -> list[list[float]]:
        rules, seed = case
        record = of_equals(rules, seed)
        return [
            revealed(position, action, kd.derive_seed(seed, "reveal", ply))
            for ply, (position, action) in enumerate(zip(record.positions(), record.actions(), strict=False))
            if is_before_reveal(position.play(action))
        ]

    for name, games in REVEALED.items():
        found = measured(kept_in(f"reveals-{RULES[name].to_text()}"), cases_of_equals(name, games), measure)
        means = np.array([np.mean(one, axis=0) for one in found])
        chance, points = means.mean(axis=0)
        errors = means.std(axis=0, ddof=1) / games**0.5
        lines.append(
            f"| {name} | {games} | {sum(map(len, found))} | {chance:+.2%} ± {errors[0]:.2%} | "
            f"{points:+.2f} ± {errors[1]:.2f} |"
        )
    return lines


def is_before_reveal(position: kd.Position) -> bool:
    """Return whether a line is due next, and another unknown line after it."""
    return position.due == "line" and unknown_lines_to_come(position) > 1


def revealed(position: kd.Position, action: kd.Action, seed: int) -> list[float]:
    """Return how sampled lines change the next decider's win probability and points, on average."""
    bot = kd.bots.make(EQUAL)
    before = judge(position, action, seed=seed).after
    changes = []
    for number in range(LINES):
        line_seed = kd.derive_seed(seed, "line", number)
        after = kd.Game.from_position(position.play(action), line_seed).position
        seat = after.to_move
        assert seat is not None
        value = judge(after, bot.choose(after), seed=line_seed).before
        figures = (value.win_rates, before.win_rates), (value.mean_margin, before.mean_margin)
        changes.append([new[seat] - old[seat] for new, old in figures])
    return [float(value) for value in np.mean(changes, axis=0)]


def reasons() -> list[str]:
    """Count the reasons for the costs of games, and check that their parts add up."""
    lines = [
        f"Games between {', '.join(PLAYERS)}, each decision judged with {REASONED.playouts:,} playouts. Of the costs",
        "of at least 2 points: how many have a reason, how many of these are facts (the others say what",
        "is to be expected), and what they are about. Last, the largest difference between a cost and its parts' sum.",
        "",
        f"| rules | games | costs | with a reason | a fact | {' | '.join(kd.analysis.Theme)} | parts |",
        f"|---|---|---|---|---|{'---|' * len(kd.analysis.Theme)}---|",
    ]

    def measure(case: tuple[kd.Rules, int]) -> list[list[float | str]]:
        rules, seed = case
        found = review(kd.Record.from_game(game(rules, PLAYERS, seed)), REASONED, seed=seed)
        return [
            [
                one.cost_points,
                abs(one.cost_points - sum(part.points for part in one.parts)),
                one.why.code if one.why else "",
                one.theme or "",
            ]
            for one in found.decisions
        ]

    for name, games in REASONS.items():
        rules = RULES[name]
        seeds = (kd.derive_seed(SEED, f"reasons {name}", number) for number in range(games))
        cases = {str(seed): (rules, seed) for seed in seeds}
        kept: list[list[list[float | str]]] = measured(kept_in(f"reasons-{rules.to_text()}"), cases, measure)
        rows = [row for one in kept for row in one]
        costly = [(code, theme) for cost, _, code, theme in rows if float(cost) >= 2]
        known = [code for code, _ in costly if code]
        facts = sum(code != "expected" for code in known)
        themes = " | ".join(str(sum(theme == one for _, theme in costly)) for one in kd.analysis.Theme)
        off = max(float(difference) for _, difference, *_ in rows)
        lines.append(f"| {name} | {games} | {len(costly)} | {len(known)} | {facts} | {themes} | {off:.0e} |")
    return lines


def speed() -> list[str]:
    """Time a review of one game on one thread."""
    lines = [
        f"One game of `{EQUAL}` with itself, one thread, processor time. The first pass has a quarter of the",
        "playouts.",
        "",
        "| rules | first pass | both passes |",
        "|---|---|---|",
    ]
    for name, rules in RULES.items():
        record = of_equals(rules, SEED)
        seconds = []
        for limit in LIMITS:
            start = time.process_time()
            review(record, limit)
            seconds.append(time.process_time() - start)
        first, last = seconds
        lines.append(f"| {name} | {first:.1f} s | {first + last:.1f} s |")
    return lines


def levels() -> list[str]:
    """Measure the costs of each level's decisions when it plays itself."""
    lines = [
        f"{GAMES} games of each level with itself, both bonuses; the decisions of each game are among those with a",
        "choice. Mean cost of a decision in points ± a standard error. Level 8, full strength, thinks 1000 playouts",
        "here. `crates/search/src/review/level.rs` has these figures.",
        "",
        f"| rules | decisions a game | {' | '.join(f'level {level}' for level in range(1, len(LEVELS) + 1))} |",
        "|---|---|" + "---|" * len(LEVELS),
    ]

    def measure(source: Source) -> list[float]:
        return [decision.cost_points for (decision,) in source.judged(DEFAULT_LIMIT)]

    for name, rules in RULES.items():
        cells = []
        for level, spec in enumerate(LEVELS, 1):
            seed = kd.derive_seed(SEED, "levels", level)
            games = sources(rules, [spec], GAMES, EACH[name], seed)
            found = np.ravel(measured(kept_in(f"levels-{rules.to_text()}-{level}"), games, measure))
            cells.append(f"{found.mean():.2f} ± {found.std(ddof=1) / len(found) ** 0.5:.2f}")
        lines.append(f"| {name} | {EACH[name]} | {' | '.join(cells)} |")
    return lines


PARTS: dict[str, Callable[[], list[str]]] = {
    "costs": costs,
    "errors": errors,
    "luck": luck,
    "reveals": reveals,
    "reasons": reasons,
    "speed": speed,
    "levels": levels,
}


def main(parts: Annotated[list[str] | None, typer.Argument(help="; ".join(PARTS))] = None) -> None:
    """Measure the named parts, or all, and write the page; its other sections stay as they are."""
    old = PAGE.read_text(encoding="utf-8").partition("\n---\n")[0].split("\n## ")[1:] if PAGE.exists() else []
    sections = {section.partition("\n")[0].lower(): section.strip() for section in old}
    for part in wanted(parts, PARTS):
        sections[part] = "\n".join([part.capitalize(), "", *PARTS[part](), "", signed(SEED)])
        known = [f"## {sections[name]}\n" for name in PARTS if name in sections]
        write_page(PAGE, f"# Reviews\n\n{lead(sections)}" + "\n".join([HEAD, *known]))
        for file in kept_in(part).parent.glob(kept_in(f"{part}-*").name):
            file.unlink()


if __name__ == "__main__":
    typer.run(main)
