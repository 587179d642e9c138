"""The figures of a run, in rows, as every report shows them: Markdown, picture and terminal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

from kingdomino.arena.results import Results
from kingdomino.arena.schedule import Pairing
from kingdomino.arena.statistics import Block, Interval, Rating, Summary, ratings, summarise
from kingdomino.errors import ResultsError


@dataclass(frozen=True, slots=True)
class Row:
    """How one bot did in one pairing, and how one of equal strength would have done.

    ``win_baseline`` is 1 over the number of players. ``margin_baseline`` is what the rivals reach
    against copies of themselves: 0 for two players, otherwise measured, and nothing where it was not or
    where the rivals are of several kinds.
    """

    pairing: Pairing
    bot: str
    summary: Summary
    win_baseline: float
    margin_baseline: Interval | None

    @property
    def title(self) -> str:
        """Name the row where nothing stands beside it: ``king – fg``, ``a in a, b, c``."""
        named = label(self.pairing)
        return named if len(self.pairing.names) == 2 else f"{self.bot} in {named}"

    @property
    def is_other_side(self) -> bool:
        """Whether the row before it says the same: of two that meet only one can have the victory."""
        return len(self.pairing.names) == 2 and self.bot == self.pairing.names[1]


def rows(results: Results) -> list[Row]:
    """Give a row for each bot of each pairing that has blocks; copies of one name have none."""
    players = results.plan.rules.players
    measured = _measured(results.blocks)
    given = []
    for pairing, blocks in results.blocks.items():
        if not blocks or len(pairing.names) == 1:
            continue
        for name in pairing.names:
            baseline = Interval(0.0, 0.0, 0.0) if players == 2 else _baseline(pairing, name, measured)
            given.append(Row(pairing, name, summarise(blocks, name), 1 / players, baseline))
    return given


def copies(results: Results) -> dict[str, Summary]:
    """Give how each bot did against copies of itself under its one name, where that was played."""
    return {
        pairing.names[0]: summarise(blocks, pairing.names[0])
        for pairing, blocks in results.blocks.items()
        if blocks and len(pairing.names) == 1
    }


def rated(results: Results) -> list[Rating]:
    """Rate the bots on all their games together, best first; nobody where they cannot be compared."""
    met = [blocks for pairing, blocks in results.blocks.items() if len(pairing.names) > 1]
    try:
        return ratings(chain.from_iterable(met), seed=results.plan.seed)
    except ResultsError:
        return []


def label(pairing: Pairing) -> str:
    """Name a pairing: ``king – fg``, ``king against 3 × fg``, ``a, b, c``, ``4 × fg``."""
    first, *others = [entrant.name for entrant in pairing.bots]
    if len(pairing.names) == 1:
        return f"{len(pairing.bots)} × {first}"
    if len(others) == 1:
        return f"{first} – {others[0]}"
    if len(set(others)) == 1:
        return f"{first} against {len(others)} × {others[0]}"
    return ", ".join([first, *others])


def _baseline(pairing: Pairing, name: str, measured: Mapping[str, Interval]) -> Interval | None:
    specs = {entrant.name: entrant.spec for entrant in pairing.bots}
    rivals = [entrant.name for entrant in pairing.bots]
    rivals.remove(name)
    kinds = {specs[rival] for rival in rivals}
    return measured.get(kinds.pop()) if len(kinds) == 1 else None


def _measured(blocks: Mapping[Pairing, tuple[Block, ...]]) -> dict[str, Interval]:
    """Give the margin of each bot, by spec, in games of nobody but its copies."""
    return {
        pairing.bots[0].spec: summarise(played, pairing.bots[0].name).margin
        for pairing, played in blocks.items()
        if played and pairing.is_self_play
    }
