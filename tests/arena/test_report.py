"""The report, its figures, and the picture."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from support.plans import RUN, here, plan_of
from support.reports import FOLDER, REPORTS, duel, table_of_four

from kingdomino.arena.picture import draw
from kingdomino.arena.report import markdown
from kingdomino.arena.results import collect, label, rated, rows
from kingdomino.arena.schedule import schedule


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_reads_as_it_always_did(name: str) -> None:
    """Compare with the files that ``PYTHONPATH=tests python -m support.reports`` writes."""
    expected = (FOLDER / name).read_text(encoding="utf-8")
    assert markdown(REPORTS[name](), [RUN], "picture.svg") == expected


def test_a_report_of_nothing_says_so() -> None:
    text = markdown(collect(plan_of("greedy", "random"), []), [])
    assert "No pairing has a block with a result yet." in text
    assert "Unfinished" in text


def test_each_stretch_of_a_run_is_named_once() -> None:
    other = replace(RUN, processor="Another processor")
    text = markdown(duel(), [RUN, other, RUN])
    assert text.count("A processor") == text.count("Another processor") == 1


def test_a_report_names_the_commit_of_each_stretch() -> None:
    text = markdown(duel(), [RUN, replace(RUN, commit="3f2c1a9b8d7e")])
    assert "  kingdomino 0.1.0, Python" in text
    assert "  kingdomino 0.1.0 (3f2c1a9b8d7e), Python" in text


def test_a_single_deal_has_no_interval_to_show() -> None:
    plan = plan_of("greedy", "random", blocks=1)
    results = collect(plan, here(plan, schedule(plan)))
    assert "inf" not in markdown(results, [RUN])
    assert draw(results)


def test_parity_is_the_margin_of_the_opponents_among_their_copies() -> None:
    results = table_of_four()
    tested = next(row for row in rows(results) if label(row.pairing) == "greedy against 3 × random:seed=3")
    assert tested.win_parity == 1 / 4
    assert tested.margin_parity is not None
    alone = next(
        blocks for pairing, blocks in results.blocks.items() if label(pairing) == "4 × random:seed=3"
    )
    margins = [
        mine - max(game.scores[:seat] + game.scores[seat + 1 :])
        for block in alone
        for game in block.games
        for seat, mine in enumerate(game.scores)
    ]
    assert tested.margin_parity.value == pytest.approx(sum(margins) / len(margins))


def test_copies_that_meet_only_copies_are_not_rated() -> None:
    plan = plan_of("greedy", "random", form="each-against", self_play=True)
    results = collect(plan, here(plan, schedule(plan)))
    assert {rating.bot: rating.games for rating in rated(results)} == {"greedy": 6, "random": 6}


def test_long_names_leave_room_for_the_picture() -> None:
    plan = plan_of("random:seed=1" + "0" * 18, "random:seed=2" + "0" * 18)
    picture = draw(collect(plan, here(plan, schedule(plan))))
    assert "…" in picture


def test_a_picture_is_small_and_the_same_for_the_same_games() -> None:
    for results in (duel, table_of_four):
        picture = draw(results())
        assert picture == draw(results())
        assert len(picture) < 40_000
        words = "".join(ElementTree.fromstring(picture).itertext())
        assert "a plan" in words
        assert "greedy" in words
        assert not re.search(r"\d{4}-\d\d-\d\d", words)
