"""Choices: the legal actions of the player to move, with points, and the reasons why others are illegal."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

import kingdomino as kd
from kingdomino.server.tables.core.choices import Choices, after, choices

ALL_RULES = [
    kd.Rules(2),
    kd.Rules(2, opening="snake", harmony=True, middle_kingdom=True),
    kd.Rules(2, mighty_duel=True),
    kd.Rules(3),
]
every_rules = pytest.mark.parametrize("rules", ALL_RULES, ids=kd.Rules.to_text)
AROUND = ((1, 0), (0, 1), (-1, 0), (0, -1))


@cache
def positions(rules: kd.Rules) -> list[tuple[kd.Position, Choices]]:
    """Play a game and a half at random, and request the choices at every third position."""
    return list(_positions(rules))


def _positions(rules: kd.Rules) -> Iterator[tuple[kd.Position, Choices]]:
    chance, count = random.Random(7), 0
    for seed in range(2):
        game = kd.Game(rules, seed=seed)
        while not game.is_over:
            count += 1
            if count % 3 == 0:
                yield game.position, choices(game.position, 0)
            game.play(chance.choice(game.legal_actions()))


def placing(rules: kd.Rules) -> Iterator[tuple[kd.Kingdom, kd.Domino, Choices]]:
    """Return the positions at which the mover has to place a domino."""
    for position, offer in positions(rules):
        if position.domino is not None and position.to_move is not None:
            yield position.kingdoms[position.to_move], position.domino, offer


@every_rules
def test_exactly_the_legal_actions_are_offered(rules: kd.Rules) -> None:
    for position, offer in positions(rules):
        offered = [choice.action for choice in offer.placements + offer.claims]
        assert len(offered) == len(set(offered))
        assert set(offered or ["discard"]) == set(map(str, position.legal_actions()))
        assert (offer.seat, offer.phase) == (position.to_move, position.phase)
        assert offer.domino == (position.domino.number if position.domino else None)
        assert bool(offer.claims) == (position.phase == "claim")


@every_rules
def test_a_placement_brings_the_points_that_it_promises_territory_by_territory(rules: kd.Rules) -> None:
    for kingdom, domino, offer in placing(rules):
        assert offer.score == kingdom.score().total
        for choice in offer.placements:
            placement = kd.Placement(choice.left, choice.right)
            assert choice.action == str(kd.Action.place(placement))
            placed = kingdom.place(domino, placement)
            assert choice.points == placed.score().total - kingdom.score().total
            assert sum(grown.points for grown in choice.gains) == choice.points
            expected = {
                (str(territory.terrain), len(territory.squares), territory.crowns)
                for territory in placed.territories()
                if set(placement) & set(territory.squares)
            }
            grown = [(each.terrain, each.squares, each.crowns) for each in choice.gains]
            assert set(grown) == expected
            assert len(grown) in (1, 2)


@every_rules
def test_every_other_placement_within_reach_is_refused_once_with_the_engines_reason(
    rules: kd.Rules,
) -> None:
    for kingdom, domino, offer in placing(rules):
        told: dict[tuple[int, ...], str] = {}
        for refused in offer.refused:
            assert refused.code in ("taken", "too_wide", "too_tall", "no_match")
            assert (refused.squares > kingdom.size) == refused.code.startswith("too_")
            assert bool(refused.terrains) == (refused.code == "no_match")
            for place in refused.placements:
                assert place not in told
                told[place] = refused.code
        legal = {(*choice.left, *choice.right) for choice in offer.placements}
        assert not legal & set(told)
        for left_x, left_y, right_x, right_y in told:
            placement = kd.Placement((left_x, left_y), (right_x, right_y))
            assert kingdom.refusal(domino, placement) is not None
        for x, y in _within(*kingdom.reach):
            for dx, dy in AROUND:
                for place in ((x, y, x + dx, y + dy), (x + dx, y + dy, x, y)):
                    is_legal = kingdom.refusal(domino, kd.Placement(place[:2], place[2:])) is None
                    assert is_legal == (place not in told)
                    if is_legal:  # the server offers a domino with equal ends one way round
                        alike = domino.left == domino.right
                        assert place in legal or (alike and place[2:] + place[:2] in legal)


def _within(low: tuple[int, int], high: tuple[int, int]) -> Iterator[tuple[int, int]]:
    yield from product(range(low[0], high[0] + 1), range(low[1], high[1] + 1))


@every_rules
def test_equal_reasons_are_grouped(rules: kd.Rules) -> None:
    for _, _, offer in placing(rules):
        reasons = [(refused.code, refused.squares, *refused.terrains) for refused in offer.refused]
        assert len(reasons) == len(set(reasons))
        assert all(refused.text and refused.placements for refused in offer.refused)


@every_rules
def test_a_claim_says_whether_the_domino_would_fit_now_and_the_most_it_could_add(rules: kd.Rules) -> None:
    for position, offer in positions(rules):
        if position.to_move is None:
            continue
        kingdom = position.kingdoms[position.to_move]
        for claim in offer.claims:
            domino = kd.DOMINOES[claim.domino - 1]
            gains = [
                kingdom.place(domino, placement).score().total - offer.score
                for placement in kingdom.placements(domino)
            ]
            assert (claim.fits, claim.points) == (bool(gains), max(gains, default=0))


def test_nothing_can_be_done_when_the_game_is_over() -> None:
    game = kd.Game(seed=7)
    while not game.is_over:
        game.play(game.legal_actions()[0])
    with pytest.raises(kd.IllegalActionError, match="over"):
        choices(game.position, 0)


@every_rules
def test_after_a_placement_comes_the_claim_of_the_same_turn(rules: kd.Rules) -> None:
    for position, offer in positions(rules):
        if position.phase == "place" and position.next_line:
            action = str(position.legal_actions()[0])
            then = after(position, [action])
            assert (then.to_move, then.phase) == (position.to_move, "claim")
            assert {claim.domino for claim in choices(then, 0).claims} == {
                slot.domino.number for slot in position.next_line if slot.seat is None
            }
            assert after(position, []) == position
            assert choices(position, 0) == offer


@every_rules
def test_refusals_also_apply_in_a_turn_that_is_not_sent_yet(rules: kd.Rules) -> None:
    for position, _ in positions(rules)[:10]:
        for actions in (["claim 49"], ["place 0,0>0,1"], ["dance"], [""], ["discard", "discard"]):
            with pytest.raises(kd.KingdominoError):
                after(position, actions)
