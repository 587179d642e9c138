"""The schedule: opponents, seats, deals, and the seeds of bots."""

from collections import Counter

import pytest
from support.plans import plan_of

from kingdomino.arena.plan import Format, Plan
from kingdomino.arena.schedule import bot_seed, deal_seed, games_per_block, pairings, schedule


def met(plan: Plan) -> list[str]:
    return [" ".join(entrant.name for entrant in pairing.bots) for pairing in pairings(plan)]


def test_formats_say_who_meets_whom() -> None:
    assert met(plan_of("a", "b", "c")) == ["a b", "a c", "b c"]
    assert met(plan_of("a", "b", "c", form="gauntlet")) == ["a b", "a c"]
    assert met(plan_of("a", "b", "c", form="one-against")) == ["a b", "a c"]
    assert met(plan_of("a", "b", "c", form="each-against")) == ["a c", "b c", "c c"]
    assert met(plan_of("a", "b", self_play=True)) == ["a b", "a a", "b b"]


def test_formats_fill_a_larger_table() -> None:
    assert met(plan_of("a", "b", "c", "d", players=3)) == ["a b c", "a b d", "a c d", "b c d"]
    assert met(plan_of("a", "b", "c", "d", players=3, form="gauntlet")) == ["a b c", "a b d", "a c d"]
    assert met(plan_of("a", "b", "c", players=4, form="one-against")) == ["a b b b", "a c c c"]
    assert met(plan_of("a", "b", players=3, form="each-against", self_play=True)) == [
        "a b b",
        "b b b",
        "a a a",
    ]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("form", ["round-robin", "one-against"])
def test_in_a_block_each_bot_has_each_seat_equally_often(players: int, form: Format) -> None:
    plan = plan_of(*"abcd"[:players], players=players, form=form)
    for number in range(len(pairings(plan))):
        games = [one for one in schedule(plan) if (one.block, one.pairing) == (1, number)]
        assert [one.rotation for one in games] == list(range(players))
        sat = Counter((bot.name, seat) for one in games for seat, bot in enumerate(one.seats))
        for name in pairings(plan)[number].names:
            assert len({sat[name, seat] for seat in range(players)}) == 1


def test_games_are_numbered_block_by_block() -> None:
    plan = plan_of("a", "b", "c", self_play=True, blocks=2)
    games = list(schedule(plan))
    assert [one.number for one in games] == list(range(2 * games_per_block(plan)))
    assert [one.block for one in games] == [0] * 9 + [1] * 9
    assert [one.pairing for one in games[:9]] == [0, 0, 1, 1, 2, 2, 3, 4, 5]


def test_all_pairings_and_rotations_of_a_block_play_one_deal() -> None:
    plan = plan_of("a", "b", "c")
    assert len({deal_seed(plan, one.block) for one in schedule(plan)}) == plan.blocks


def test_a_bot_has_the_same_luck_against_every_opponent() -> None:
    plan = plan_of("a", "b", "c", blocks=4)
    luck = [
        (one.block, seat, one.seats[seat].name, bot_seed(plan, one, seat))
        for one in schedule(plan)
        for seat in range(2)
    ]
    assert len(set(luck)) == len({key[:3] for key in luck}) == len({key[3] for key in luck}) == 4 * 2 * 3


def test_copies_at_one_table_have_different_luck() -> None:
    plan = plan_of("a", "b", players=4, form="one-against", blocks=2)
    for fixture in schedule(plan):
        assert len({bot_seed(plan, fixture, seat) for seat in range(4)}) == 4
