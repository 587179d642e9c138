"""Two whole reports of games that are the same on every machine.

``PYTHONPATH=tests python -m support.reports`` regenerates them; read the diff.
"""

from dataclasses import replace
from pathlib import Path

from kingdomino.arena.plan import Plan, SequentialTest
from kingdomino.arena.play import Forfeit, Game, Played, Void
from kingdomino.arena.report import markdown
from kingdomino.arena.results import Results, collect
from kingdomino.arena.schedule import schedule
from support.plans import RUN, here, plan_of, without_clocks

FOLDER = Path(__file__).parents[1] / "arena" / "reports"


def duel() -> Results:
    """Return the report of a duel that a sequential test has decided."""
    plan = plan_of("greedy", "random", blocks=40, test=SequentialTest("elo", 0, 100))
    return collect(plan, _games(plan).values())


def table_of_four() -> Results:
    """Return the report of an unfinished run with copies, a loss by default, and a game without a result."""
    plan = plan_of("greedy", "random", "random:seed=3", players=4, form="each-against", self_play=True)
    plan = replace(plan, blocks=6, note="A note | from the planner.")
    games = _games(plan)
    lost, dead = games[9], games[24]
    assert isinstance(lost, Played)
    games[9] = replace(lost, forfeit=Forfeit(2, "RuntimeError: out of ideas"))
    slow = games[10]
    assert isinstance(slow, Played)
    games[10] = replace(slow, strikes=(("it answered late",), (), (), ()))
    games[24] = Void(dead.fixture, "the process that played it ended, 2 times: SIGKILL")
    del games[max(games)]
    return collect(plan, games.values())


def _games(plan: Plan) -> dict[int, Game]:
    return without_clocks(here(plan, schedule(plan)))


REPORTS = {"duel.md": duel, "table-of-four.md": table_of_four}

if __name__ == "__main__":
    for name, results in REPORTS.items():
        (FOLDER / name).write_text(markdown(results(), [RUN], "picture.svg"), encoding="utf-8")
