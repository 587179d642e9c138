"""What a report does not show: what a reader might wrongly conclude from its figures."""

from __future__ import annotations

from kingdomino.arena.results import Results

_FEW = 30  # deals; below, an interval leans on the shape of a distribution that nobody has seen

_ALWAYS = """\
- These figures are about these bots under these rules. A bot that beats one rival more often than another
  bot does need not beat a third. Ratings are distances between those who met here, and mean nothing
  beside the ratings of another arena.
- An interval is about the luck of the deals and of the bots' own dice, and each stands alone: of twenty
  about one misses. It knows nothing of a bot that was tuned on these deals, of a fault in a bot, or of a
  busy machine.
- The seed repeats the deals and the bots' random numbers. A bot that thinks by the clock plays differently
  on another machine, and beside other programs; what it had is in the table of times."""

_SEQUENTIAL = """\
- The sequential test stops when it has seen enough, and it has sooner in lucky runs: win rate and margin
  lean towards its answer, and their intervals are not exact."""

_FORFEITS = """\
- A game that was lost by default ends early: its scores and its margin say little of how well anybody
  plays."""

_VOIDS = """\
- Games without a result are missing above. If one bot is behind them, its figures flatter it."""

_UNFINISHED = """\
- The run is unfinished. Whoever stops one where the figures please has shown nothing."""


def caveats(results: Results) -> str:
    """Write the last section of a report, in Markdown."""
    few = f"- So few deals ({results.deals}) make a trial, not a result." if results.deals < _FEW else ""
    said = [
        _ALWAYS,
        _SEQUENTIAL if results.test is not None else "",
        few,
        "" if results.is_complete else _UNFINISHED,
        _FORFEITS if results.forfeits else "",
        _VOIDS if results.voids else "",
    ]
    return "\n".join(["## What this does not show", "", *filter(None, said)])
