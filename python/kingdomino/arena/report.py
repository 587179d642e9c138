"""The report of a run in Markdown: what came out, how it was played, and what it does not show.

A pure function of the results and the facts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import isinf

from kingdomino.arena.caveats import caveats
from kingdomino.arena.facts import Facts
from kingdomino.arena.plan import SequentialTest
from kingdomino.arena.results import Results
from kingdomino.arena.statistics import Interval
from kingdomino.arena.summary import copies, label, rated, rows
from kingdomino.display import rules_name


def markdown(results: Results, facts: Sequence[Facts], picture: str | None = None) -> str:
    """Write the report. ``facts`` are those of each stretch of the run; ``picture`` is a file beside it."""
    plan = results.plan
    parts = [
        f"# {plan.name}",
        plan.note,
        _state(results),
        _answer(results),
        f"![Win rates and ratings with their intervals]({picture})" if picture else "",
        _pairings(results),
        _copies(results),
        _ratings(results),
        _faults(results),
        _time(results),
        _origin(results, facts),
        caveats(results),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def percent(interval: Interval) -> str:
    """Write a share of victories: ``74.5% [70.1, 78.4]``."""
    return f"{interval.value:.1%} [{interval.low * 100:.1f}, {interval.high * 100:.1f}]"


def points(interval: Interval, sign: str = "+") -> str:
    """Write points: ``+9.6 [+7.9, +11.3]``; without its ends where there are none."""
    if isinf(interval.low):
        return f"{interval.value:{sign}z.1f}"
    return f"{interval.value:{sign}z.1f} [{interval.low:{sign}z.1f}, {interval.high:{sign}z.1f}]"


def extent(results: Results) -> str:
    """Say how much was played: ``200 games on 100 deals``."""
    games, deals = results.games, results.deals
    return f"{games} game{'s' * (games != 1)} on {deals} deal{'s' * (deals != 1)}"


def _state(results: Results) -> str:
    plan = results.plan
    played = f"{extent(results)}; {rules_name(plan.rules)}; {plan.format}."
    if results.is_complete:
        return played
    return f"{played} **Unfinished:** {plan.blocks} deals were planned."


def _answer(results: Results) -> str:
    test, state = results.plan.test, results.test
    if test is None or state is None:
        return ""
    bot, rival = (entrant.name for entrant in results.plan.bots)
    answers = {
        "accept": f"**Yes**: {bot} has {_bound(test, test.upper)} or more",
        "reject": f"**No**: {bot} has {_bound(test, test.lower)} or less",
        "continue": "**Undecided**",
    }
    return (
        f"Is {bot} better than {rival}? {answers[state.decision]}. The sequential test of at most "
        f"{_bound(test, test.lower)} against at least {_bound(test, test.upper)} (alpha {test.alpha:g}, "
        f"beta {test.beta:g}) stands at a log-likelihood ratio of {state.llr:.2f}, with bounds "
        f"{state.lower_bound:.2f} and {state.upper_bound:.2f}, after {state.blocks} blocks."
    )


def _bound(test: SequentialTest, bound: float) -> str:
    if test.measure == "win_rate":
        return f"{bound:.1%} of the victories"
    return f"{bound:+g} Elo points"


def _pairings(results: Results) -> str:
    table = [
        [
            label(row.pairing),
            row.bot,
            str(row.summary.games),
            percent(row.summary.win_rate),
            f"{row.win_baseline:.1%}",
            points(row.summary.margin),
            "" if row.margin_baseline is None else points(row.margin_baseline),
            points(row.summary.score, ""),
        ]
        for row in rows(results)
    ]
    if not table:
        return "No pairing has a block with a result yet."
    heads = ["pairing", "bot", "games", "win rate", "of an equal", "margin", "of an equal", "score"]
    words = (
        "A victory shared by k counts 1/k. The margin is the own score minus the best rival's. *Of an "
        "equal* is what a bot would reach that is as strong as its rivals: 1/n of the victories, and the "
        "margin that the rivals have in games of nobody but their copies, where those were played. In "
        "brackets: 95% intervals, from the means of the deals."
    )
    if results.plan.rules.players == 2:
        for line in table:
            line[6] = "0"
    return f"## Results\n\n{_table(heads, table, left=2)}\n\n{words}"


def _copies(results: Results) -> str:
    table = [
        [bot, str(summary.games), points(summary.margin), points(summary.score, "")]
        for bot, summary in copies(results).items()
    ]
    if not table:
        return ""
    return f"## Copies alone\n\n{_table(['bot', 'games', 'margin', 'score'], table, left=1)}"


def _ratings(results: Results) -> str:
    table = [
        [
            rating.bot,
            f"{rating.value:+z.0f}",
            "" if isinf(rating.low) else f"[{rating.low:+z.0f}, {rating.high:+z.0f}]",
            str(rating.games),
        ]
        for rating in rated(results)
    ]
    if not table:
        return ""
    model = "Bradley and Terry" if results.plan.rules.players == 2 else "Plackett and Luce"
    words = (
        f"Elo points by the model of {model}, from all games at once; the mean of these bots is 0. 400 "
        "points are odds of ten to one between two. Intervals: 95%, from a bootstrap over the deals."
    )
    return f"## Ratings\n\n{_table(['bot', 'rating', '95%', 'games'], table, left=1)}\n\n{words}"


def _faults(results: Results) -> str:
    reasons: defaultdict[str, list[str]] = defaultdict(list)
    for game in results.forfeits:
        if game.forfeit is not None:
            reasons[game.fixture.seats[game.forfeit.seat].name].append(game.forfeit.reason)
    lines = [
        f"- **{bot}**: {len(said)} lost by default; the first time, {said[0]}"
        for bot, said in reasons.items()
    ]
    lines += [
        f"- **{bot}**: {len(said)} decisions made by a stand-in; the first time, {said[0]}"
        for bot, said in results.strikes.items()
        if said
    ]
    if results.voids:
        number, first = len(results.voids), results.voids[0]
        lines.append(
            f"- {number} without a result, whose blocks are left out; the first, "
            f"{', '.join(entrant.name for entrant in first.fixture.seats)} on deal "
            f"{first.fixture.block}: {first.reason}"
        )
    return "\n".join(["## Games that did not end well", "", *lines]) if lines else ""


def _time(results: Results) -> str:
    table = [
        [bot, str(clock.decisions), _seconds(clock.seconds / clock.decisions), _seconds(clock.longest)]
        for bot, clock in results.clocks.items()
        if clock.decisions
    ]
    if not table:
        return ""
    heads = ["bot", "decisions", "mean", "longest"]
    return f"## Time used for a decision\n\n{_table(heads, table, left=1)}\n\nBy the wall clock."


def _origin(results: Results, facts: Iterable[Facts]) -> str:
    plan = results.plan
    lines = [
        *(f"- {entrant.name}: `{entrant.spec}`" for entrant in plan.bots),
        f'- Seed {plan.seed}. Deal b is `kd.derive_seed({plan.seed}, "deal", b)`.',
    ]
    for stretch in dict.fromkeys(facts):
        jobs = "" if stretch.jobs is None else f", {stretch.jobs} games at once"
        lines += [
            f"- {stretch.date}: `{stretch.command}`",
            f"  kingdomino {stretch.version}, Python {stretch.python}, {stretch.system};",
            f"  {stretch.processor}, {stretch.cores} cores; {stretch.on}{jobs}.",
        ]
    return "\n".join(["## How it was played", "", *lines])


def _table(heads: Sequence[str], lines: Sequence[Sequence[str]], left: int) -> str:
    """Lay out a Markdown table; the first columns are words, the others figures."""
    rule = ["---"] * left + ["---:"] * (len(heads) - left)
    cells = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in [heads, rule, *cells])


def _seconds(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
