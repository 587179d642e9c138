"""The report of a run in Markdown: results, settings and limitations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import isinf
from pathlib import Path

from kingdomino.arena import store
from kingdomino.arena.picture import draw
from kingdomino.arena.plan import SequentialTest
from kingdomino.arena.results import Results, collect, copies, label, rated, rows
from kingdomino.arena.statistics import Interval
from kingdomino.display import rules_name

FILE = "report.md"
PICTURE = "picture.svg"
_FEW = 30
"""With fewer deals, intervals depend too much on the unknown shape of the distribution."""
_CAVEATS = """\
- These figures are about these bots under these rules. A bot that beats one opponent more often than another
  bot does may still beat a third one less often. Ratings compare only the bots of this run.
- An interval covers the luck of the deals and of the bots' random numbers. About one in twenty misses the true
  value. It does not cover a bot that was tuned on these deals, a bug in a bot, or a busy machine.
- The seed repeats the deals and the bots' random numbers. A bot that thinks for a given time plays differently on
  another machine, and beside other programs. The table of times shows how long each bot thought."""
_CAVEAT_SEQUENTIAL = """\
- The sequential test stops as soon as the games are decisive, which happens earlier in lucky runs. So win rate and
  margin are biased towards its answer, and their intervals are not exact."""
_CAVEAT_FORFEITS = """\
- A game lost by default ends early. Its scores and its margin say little about the strength of a bot."""
_CAVEAT_VOIDS = """\
- Games without a result are not counted. If one bot caused them, its figures are too good."""
_CAVEAT_UNFINISHED = """\
- The run is unfinished. Stopping a run when its figures look good proves nothing."""


def write_report(folder: Path) -> Results:
    """Write report and picture of the store in a folder. Raises `OSError` or `ArenaError`."""
    stored = store.read(folder / store.FILE)
    results = collect(stored.plan, stored.games.values())
    (folder / PICTURE).write_text(draw(results), encoding="utf-8")
    (folder / FILE).write_text(markdown(results, stored.runs, PICTURE), encoding="utf-8")
    return results


def markdown(results: Results, runs: Sequence[store.RunInfo], picture: str | None = None) -> str:
    """Write the report. ``runs`` describe the parts of the run; ``picture`` is a file beside the report."""
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
        _origin(results, runs),
        _caveats(results),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def percent(interval: Interval) -> str:
    """Write a win rate: ``74.5% [70.1, 78.4]``."""
    return f"{interval.value:.1%} [{interval.low * 100:.1f}, {interval.high * 100:.1f}]"


def points(interval: Interval, sign: str = "+") -> str:
    """Write points: ``+9.6 [+7.9, +11.3]``, or ``+9.6`` if the interval is infinite."""
    if isinf(interval.low):
        return f"{interval.value:{sign}z.1f}"
    return f"{interval.value:{sign}z.1f} [{interval.low:{sign}z.1f}, {interval.high:{sign}z.1f}]"


def extent(results: Results) -> str:
    """Return the size of the run: ``200 games on 100 deals``."""
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
    bot, opponent = (entrant.name for entrant in results.plan.bots)
    answers = {
        "accept": f"**Yes**: {bot} has {_bound(test, test.upper)} or more",
        "reject": f"**No**: {bot} has {_bound(test, test.lower)} or less",
        "continue": "**Undecided**",
    }
    return (
        f"Is {bot} better than {opponent}? {answers[state.decision]}. The sequential test of at most "
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
            f"{row.win_parity:.1%}",
            points(row.summary.margin),
            "" if row.margin_parity is None else points(row.margin_parity),
            points(row.summary.score, ""),
        ]
        for row in rows(results)
    ]
    if not table:
        return "No pairing has a block with a result yet."
    heads = ["pairing", "bot", "games", "win rate", "parity", "margin", "parity", "score"]
    words = (
        "A victory shared by k counts 1/k. The margin is a bot's score minus the best opponent's. *Parity* is the "
        "result of a bot that is as strong as its opponents: 1/n of the victories, and the margin that the "
        "opponents have in games among copies of themselves, where those were played. In brackets: 95% intervals, "
        "from the means of the deals."
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
        f"- **{bot}**: games lost by default: {len(said)}; the first: {said[0]}"
        for bot, said in reasons.items()
    ]
    lines += [
        f"- **{bot}**: strikes: {len(said)} (greedy made these decisions); the first: {said[0]}"
        for bot, said in results.strikes.items()
        if said
    ]
    if results.voids:
        number, first = len(results.voids), results.voids[0]
        lines.append(
            f"- Games without a result: {number} (their blocks are not counted); the first: "
            f"{', '.join(entrant.name for entrant in first.fixture.seats)} on deal "
            f"{first.fixture.block}: {first.reason}"
        )
    return "\n".join(["## Faults", "", *lines]) if lines else ""


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


def _origin(results: Results, runs: Iterable[store.RunInfo]) -> str:
    plan = results.plan
    lines = [
        *(f"- {entrant.name}: `{entrant.spec}`" for entrant in plan.bots),
        f'- Seed {plan.seed}. Deal b is `kd.derive_seed({plan.seed}, "deal", b)`.',
    ]
    for part in dict.fromkeys(runs):
        jobs = "" if part.jobs is None else f", {part.jobs} games at once"
        lines += [
            f"- {part.date}: `{part.command}`",
            f"  kingdomino {part.build}, Python {part.python}, {part.system};",
            f"  {part.processor}, {part.cores} cores; {part.on}{jobs}.",
        ]
    return "\n".join(["## How it was played", "", *lines])


def _caveats(results: Results) -> str:
    lines = [
        _CAVEATS,
        _CAVEAT_SEQUENTIAL if results.test is not None else "",
        f"- {results.deals} deals are too few for a conclusion." if results.deals < _FEW else "",
        "" if results.is_complete else _CAVEAT_UNFINISHED,
        _CAVEAT_FORFEITS if results.forfeits else "",
        _CAVEAT_VOIDS if results.voids else "",
    ]
    return "\n".join(["## What this does not show", "", *filter(None, lines)])


def _table(heads: Sequence[str], lines: Sequence[Sequence[str]], left: int) -> str:
    """Write a Markdown table; the first ``left`` columns are text, the others figures."""
    rule = ["---"] * left + ["---:"] * (len(heads) - left)
    cells = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in [heads, rule, *cells])


def _seconds(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} µs"
    return f"{seconds * 1e3:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
