"""A player's games from two sources: statistics, the next bot to play, and the list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from support.node import Json, run_node

import kingdomino as kd
from kingdomino.server.tables.bots.bot_list import BOTS
from kingdomino.server.tables.core import events

TWO = "2.second.random"
DUEL = kd.Rules(2, mighty_duel=True).to_text()
LEVELS = [offer.spec for offer in BOTS]
_CALL = """
import { readFileSync } from "node:fs";
const [name, ...args] = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify((await import(module))[name](...args) ?? null));
"""
_LIST = """
import { readFileSync } from "node:fs";
const { GameList } = await import(module);
const { here, pages } = JSON.parse(readFileSync(0, "utf8"));
const list = new GameList(here, pages[0], async (before) => {
  if (!pages[before]) throw new Error("no connection");
  return pages[before];
});
const steps = [];
do {
  const failed = await list.more(50).then(() => null, (error) => error.message);
  steps.push({ failed, ended: list.games.map(({ ended }) => ended), total: list.total, isWhole: list.isWhole });
} while (!list.isWhole && !steps.at(-1).failed);
console.log(JSON.stringify(steps));
"""


def call(name: str, *arguments: object) -> Any:  # noqa: ANN401
    return run_node(_CALL, [name, *arguments], module="local/statistics.js")


def rules_of(text: str) -> Json:
    return events.Rules.of(kd.Rules.parse(text)).model_dump()


def summed(rules: str, bot: str | None, outcome: str, n: int, points: int = 0) -> Json:
    games = 0 if outcome == "unfinished" else n
    names = ("rules", "dynasty", "bot", "outcome", "matches", "games", "points")
    return dict(zip(names, (rules, None, bot, outcome, n, games, points), strict=True))


def game(outcome: str = "won", bot: str | None = "greedy", points: int = 40, ended: int = 1) -> Json:
    """Make a list's entry for a game against one opponent."""
    return {
        "id": f"here-{ended}",
        "ended": ended,
        "outcome": outcome,
        "rules": rules_of(TWO),
        "dynasty": None,
        "players": [{"name": "Ida", "bot": None}, {"name": "Oskar", "bot": bot}],
        "seats": [0],
        "seat": 0,
        "scores": [] if outcome == "unfinished" else [[points, 12]],
    }


def statistics(sums: Sequence[Json], games: Sequence[Json], best: Json | None = None) -> Json:
    rules = [rules_of(text) for text in {one["rules"]: 0 for one in sums}]
    told: Json = call("statisticsOf", {"sums": sums, "rules": rules, "best": best}, games)
    return told


def test_a_win_rate_needs_twenty_games() -> None:
    assert call("winRate", 19, 19) is None
    assert call("winRate", 10, 20) == pytest.approx({"value": 0.5, "low": 0.2993, "high": 0.7007}, abs=1e-4)
    assert call("winRate", 20, 20) == pytest.approx({"value": 1, "low": 0.8389, "high": 1}, abs=1e-4)


def test_statistics_count_by_rules_and_by_bot() -> None:
    sums = [
        summed(DUEL, "greedy", "lost", 1, 80),
        summed(TWO, "greedy", "won", 12, 600),
        summed(TWO, "greedy", "lost", 7, 210),
        summed(TWO, None, "shared", 1, 30),
        summed(TWO, None, "neutral", 4),
        summed(TWO, None, "unfinished", 2),
    ]
    told = statistics(sums, [])
    assert (told["finished"], told["won"], told["best"]) == (25, 12, None)
    first, second = told["rules"]
    assert (first["rules"]["text"], second["rules"]["text"]) == (TWO, DUEL)
    assert first["tally"] == {"won": 12, "lost": 7, "shared": 1, "mean": 42}
    assert first["rate"] == call("winRate", 12, 20)
    assert second["rate"] is None
    (bot,) = first["bots"]
    assert bot["bot"] == "greedy"
    assert (bot["tally"]["won"], bot["tally"]["lost"], bot["tally"]["shared"]) == (12, 7, 0)


def test_games_of_the_device_are_added_to_the_sums_of_the_server() -> None:
    games = [
        game(points=50),
        game("lost", points=20, ended=2),
        game("won", None, ended=3),
        game("neutral", points=99, ended=4),
        game("unfinished", ended=5),
    ]
    told = statistics([summed(TWO, "greedy", "won", 2, 90)], games, game(points=45, ended=9))
    assert (told["finished"], told["won"]) == (6, 4)
    (under,) = told["rules"]
    assert under["tally"] == {"won": 4, "lost": 1, "shared": 0, "mean": 40}
    (bot,) = under["bots"]
    assert bot["tally"] == {"won": 3, "lost": 1, "shared": 0, "mean": 40}
    assert told["best"]["id"] == "here-1"


def test_a_dynasty_counts_as_one_game_with_the_mean_of_three() -> None:
    dynasty = game() | {"dynasty": "total", "scores": [[30, 1], [40, 1], [50, 1]]}
    told = statistics([], [dynasty, game()])
    tallies = [(one["dynasty"], one["tally"]["won"], one["tally"]["mean"]) for one in told["rules"]]
    assert sorted(tallies, key=str) == [("total", 1, 40), (None, 1, 40)]
    assert told["best"]["dynasty"] == "total"


@pytest.mark.parametrize(
    ("last", "bot"),
    [
        ([(LEVELS[2], "won")] * 3, LEVELS[3]),
        ([(LEVELS[2], "lost")] * 3, LEVELS[1]),
        ([(LEVELS[-1], "won")] * 3, None),
        ([(LEVELS[0], "lost")] * 3, None),
        ([(LEVELS[2], "won")] * 2, None),
        ([(LEVELS[2], "won"), (LEVELS[2], "lost"), (LEVELS[2], "won")], None),
        ([(LEVELS[3], "won"), (LEVELS[2], "won"), (LEVELS[2], "won")], None),
        ([(LEVELS[2], "shared")] * 3, None),
        ([("greedy", "won")] * 3, None),
        ([(None, "won"), (LEVELS[2], "unfinished"), *[(LEVELS[2], "won")] * 3], LEVELS[3]),
    ],
)
def test_the_next_level_is_suggested_after_three_wins_or_losses_in_a_row(
    last: Sequence[tuple[str | None, str]], bot: str | None
) -> None:
    suggested = call("suggestionAfter", [game(outcome, spec) for spec, outcome in last], LEVELS)
    assert (suggested["bot"] if suggested else None) == bot


def listed(here: Sequence[int], *pages: Sequence[int] | None, total: int = 0) -> list[Json]:
    """Read a list of the device's games and the server's pages to its end, in the order of their ends.

    `None` is a page that fails to arrive.
    """
    sent = []
    for number, page in enumerate(pages, 1):
        following = str(number) if number < len(pages) else None
        games = [{"ended": ended} for ended in page or ()]
        sent.append(None if page is None else {"games": games, "total": total, "next": following})
    mine = [{"ended": ended} for ended in here]
    told: list[Json] = run_node(_LIST, {"here": mine, "pages": sent}, module="local/list.js")
    return told


def test_a_list_of_two_sources_is_sorted_over_all_its_pages() -> None:
    here, there = range(0, 240, 3), range(238, 0, -2)
    pages = [there[start : start + 50] for start in range(0, len(there), 50)]
    steps = listed([*here], *map(list, pages), total=len(there))
    assert [len(step["ended"]) for step in steps] == [50, 100, 150, 199]
    assert steps[-1]["ended"] == sorted([*here, *there], reverse=True)
    assert steps[0]["total"] == len(here) + len(there)


def test_a_list_without_a_server_comes_in_pages_too() -> None:
    steps = listed([*range(120)], [])
    assert [len(step["ended"]) for step in steps] == [50, 100, 120]


def test_a_failed_page_leaves_the_list_unchanged() -> None:
    first, second = listed([3], [*range(100, 50, -1)], None)
    assert first["failed"] is None
    assert second == first | {"failed": "no connection"}
