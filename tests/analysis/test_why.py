"""Why an action is worse: each reason at positions made for it, and every stated fact over random games."""

from dataclasses import replace
from random import Random

import pytest
from pydantic import TypeAdapter
from support import oracle
from support.setups import kings_on, runs
from test_simulation import EVERY

import kingdomino as kd
from kingdomino.analysis.why import (
    CostPart,
    Expected,
    FewerCrowns,
    FewerPoints,
    HarmonyLost,
    LaterTurn,
    LeftToOpponents,
    OffCentre,
    Reason,
    TerritoryClosed,
    Unfillable,
    reasons,
    why,
)

PLAIN = kd.Rules()
BONUSES = kd.Rules(harmony=True, middle_kingdom=True)
REASON: TypeAdapter[Reason] = TypeAdapter(Reason)

LEFT_OPEN = "wwww/..ww/.Cww/..ww/..ww"
"""Twelve squares of wheat without a crown. The square above the castle has one free neighbour."""
HOLE, NO_HOLE = "place -1,0>-1,1", "place 0,1>-1,1"
"""Two placements in that kingdom."""


def placing(number: int, kingdom: str, rules: kd.Rules = BONUSES) -> kd.Position:
    """Return a position of two players in round 4: seat 0 places this domino, and later 46."""
    shown = [number, 45, 46, 47, 41, 42, 43, 44]
    unseen = [other for other in range(1, 49) if other not in shown][-28:]
    return kd.Position.parse(
        f"kd1 {rules.to_text()} 4 place:0 {number}@0,45@1,46@0,47@1 41,42,43,44 {runs(unseen)} {kingdom};C"
    )


def claiming(offered: str, kingdoms: str) -> kd.Position:
    """Return a position of two players, with lines to come.

    Seat 1 has claimed one domino; seat 0 has placed domino 6, and claims next.
    """
    shown = [5, 6, 7, 8, *(int(one.partition("@")[0]) for one in offered.split(","))]
    unseen = [other for other in range(1, 49) if other not in shown][-28:]
    return kd.Position.parse(
        f"kd1 {PLAIN.to_text()} 4 claim:0 *5@1,6@0,7@0,8@1 {offered} {runs(unseen)} {kingdoms}"
    )


def codes(position: kd.Position, action: str, better: str) -> list[str]:
    """List the codes of all reasons, in order."""
    return [reason.code for reason in reasons(position, action, better)]


class TestPlacements:
    """Each reason why a placement is worse."""

    def test_an_unfillable_square_ends_harmony(self) -> None:
        reason = why(placing(1, LEFT_OPEN), HOLE, NO_HOLE)
        assert reason == Unfillable(((0, 1),), harmony=True)
        sentence = "It leaves a square beside the castle that nothing can ever fill, and Harmony is gone."
        assert str(reason) == sentence

    def test_harmony_is_lost_only_once(self) -> None:
        """Start from a kingdom that covers two squares fewer than its dominoes could."""
        reason = why(placing(1, "wwww/..ww/.Cww/..ww"), HOLE, NO_HOLE)
        assert reason == Unfillable(((0, 1),), harmony=False)

    def test_several_squares(self) -> None:
        reason = why(placing(1, LEFT_OPEN, PLAIN), "place -2,1>-1,1", NO_HOLE)
        assert reason == Unfillable(((-2, 2), (0, 1)), harmony=False)
        assert str(reason) == "It leaves 2 squares that nothing can ever fill."

    def test_gaps_that_dominoes_cannot_cover_end_harmony(self) -> None:
        position = placing(1, "...w./wwCw./.wwww/.wwww")
        assert reasons(position, "place 0,2>1,2", "place 1,2>2,2") == (HarmonyLost(),)
        assert codes(position, "place 1,2>2,2", "place 0,2>1,2") == []
        assert str(HarmonyLost()) == "Harmony is no longer possible."

    def test_the_castle_leaves_the_middle(self) -> None:
        rules = kd.Rules(middle_kingdom=True)
        assert reasons(placing(1, LEFT_OPEN, rules), "place 3,0>3,1", "place -2,0>-1,0") == (OffCentre(),)
        assert codes(placing(1, LEFT_OPEN, rules), "place -2,0>-1,0", "place 3,0>3,1") == []
        assert codes(placing(1, LEFT_OPEN, PLAIN), "place 3,0>3,1", "place -2,0>-1,0") == []
        assert str(OffCentre()) == "The castle can no longer be in the middle, so Middle Kingdom is gone."

    def test_a_territory_with_crowns_is_closed(self) -> None:
        closes, leaves = "place 3,-1>3,-2", "place -1,1>0,1"
        crowned = placing(1, "wwww/..ww/.Cww/..ww/..wl1", PLAIN)
        reason = TerritoryClosed(kd.Terrain.LAKE, ((2, -2),), 1)
        assert reasons(crowned, closes, leaves) == (reason,)
        assert codes(crowned, leaves, closes) == []
        assert str(reason) == "The lake territory of 1 square and 1 crown can no longer grow."

    def test_fewer_crowns_and_fewer_points(self) -> None:
        position = placing(1, "w1www/..ss/.Css/..ss/..ss", PLAIN)
        few, many = "place 0,-1>-1,-1", "place -2,2>-2,1"
        assert reasons(position, few, many) == (FewerCrowns(0, 1), FewerPoints(0, 2))
        assert reasons(position, many, few) == ()
        assert str(FewerCrowns(0, 1)) == "The domino joins territories with no crown, where it could join 1."
        assert str(FewerPoints(0, 2)) == "It scores 0 points instead of 2 now."

    def test_the_last_placement_scores_with_the_bonuses(self) -> None:
        reason = FewerPoints(0, 10, last=True)
        assert reasons(last_placement("wwC"), "place 0,1>0,2", "place 1,0>2,0") == (OffCentre(), reason)
        assert str(reason) == "It scores 0 points instead of 10, and nothing comes later."

    def test_the_same_placement_is_not_worse(self) -> None:
        assert why(placing(1, LEFT_OPEN), HOLE, HOLE) is None


class TestClaims:
    """Each reason why a claim is worse."""

    def test_fewer_crowns_fewer_points_and_the_value_to_the_others(self) -> None:
        position = claiming("26,37,41@1,48", "wwC;llC")
        assert reasons(position, "claim 26", "claim 48") == (
            FewerCrowns(1, 3, (26, 48)),
            FewerPoints(1, 3, dominoes=(26, 48)),
            LeftToOpponents(48, 0, (1,), (3, 3)),
        )

    def test_a_domino_that_is_worth_more_to_an_opponent(self) -> None:
        position = claiming("2,9,41@1,48", "wwC;l1lC")
        assert reasons(position, "claim 2", "claim 9") == (LeftToOpponents(9, 0, (1,), (0, 2)),)
        assert str(why(position, "claim 2", "claim 9")) == "9 was worth 2 points to seat 1, 0 to you."

    def test_the_reason_that_explains_most_of_the_cost_comes_first(self) -> None:
        position = kd.Position.parse(
            "kd1 2.second.random 3 claim:1 1@1,13@0,33@1,41@0 8,30,34,42 2-3,5,7,9-10,12,14-27,29,35,37-40,"
            "43-46,48 ....l/...ff1/..Cf./wg1gg.;..f../..f../sm2Cl1f/...l1./.www."
        )
        crowns, left = FewerCrowns(0, 2, (8, 42)), LeftToOpponents(42, 1, (0,), (9, 4))
        both = position, "claim 8", "claim 42"
        grass = CostPart("terrain", 4.0, 4, terrain=kd.Terrain.GRASSLAND)
        seat = CostPart("opponent", 3.0, 3, seat=0)
        assert reasons(*both, (grass, seat))[0] == crowns
        assert reasons(*both, (replace(seat, points=5.0), grass))[0] == left
        assert kd.analysis.judge(position, "claim 8", kd.bots.Limit(playouts=2000)).why == left

    def test_lost_harmony_explains_what_terrains_lose_with_it(self) -> None:
        harmony, wheat = (
            CostPart("harmony", 5.0, 5, chances=(1.0, 0.0)),
            CostPart("terrain", 12.0, 12, terrain=kd.Terrain.WHEAT),
        )
        strip = placing(1, "...w./wwCw./.wwww/.wwww"), "place 0,2>1,2", "place 1,2>2,2"
        assert why(*strip, (wheat, harmony)) == HarmonyLost()
        hole = placing(1, LEFT_OPEN), HOLE, NO_HOLE
        opponent = CostPart("opponent", 3.0, 3, seat=1)
        assert why(*hole, (harmony, replace(wheat, points=-5.0), opponent)) == Unfillable(
            ((0, 1),), harmony=True
        )

    def test_a_domino_that_fits_nowhere_explains_lost_harmony(self) -> None:
        position = claiming("1,10,41@1,48", "w1ww/wCw/www;C")
        harmony = CostPart("harmony", 5.0, 5, chances=(1.0, 0.0))
        assert why(position, "claim 10", "claim 1", (harmony,)) == FewerPoints(None, 2, dominoes=(10, 1))

    def test_a_reason_that_explains_nothing_is_left_out(self) -> None:
        position = claiming("2,9,41@1,48", "wwC;l1lC")
        wheat = CostPart("terrain", 2.0, 2, terrain=kd.Terrain.WHEAT)
        found = reasons(position, "claim 2", "claim 9", (wheat, CostPart("opponent", -1.0, -1, seat=1)))
        assert found == (Expected("terrain", 2.0, 2, terrain=kd.Terrain.WHEAT),)

    def test_the_order_explains_a_cost_that_the_dominoes_do_not(self) -> None:
        position = claiming("26,37,41@1,48", "wwC;llC")
        forest = CostPart("terrain", 2.0, 2, terrain=kd.Terrain.FOREST)
        others = (forest, CostPart("harmony", 2.0, 2, chances=(0.7, 0.3)))
        assert why(position, "claim 48", "claim 37", others) == LaterTurn(48, 37, 4, 2)
        lake = CostPart("terrain", 3.0, 3, terrain=kd.Terrain.LAKE)
        found = why(position, "claim 48", "claim 37", (lake, *others))
        assert found == Expected("terrain", 3.0, 3, terrain=kd.Terrain.LAKE)

    @pytest.mark.parametrize(
        ("part", "sentence"),
        [
            (
                CostPart("terrain", 2.0, 2, terrain=kd.Terrain.WHEAT),
                "Wheat will probably score about 2 points less.",
            ),
            (CostPart("opponent", 1.0, 1, seat=1), "Seat 1 will probably score about 1 point more."),
            (CostPart("harmony", 2.0, 2, chances=(0.7, 0.3)), "Harmony is less likely: 30% instead of 70%."),
        ],
    )
    def test_what_is_to_be_expected_is_a_reason(self, part: CostPart, sentence: str) -> None:
        reason = why(claiming("2,9,41@1,48", "wwC;llC"), "claim 2", "claim 9", (part,))
        assert isinstance(reason, Expected)
        assert str(reason) == sentence

    def test_a_domino_that_fits_nowhere(self) -> None:
        position = claiming("1,10,41@1,48", "w1ww/wCw/www;C")
        reason = FewerPoints(None, 2, dominoes=(10, 1))
        assert reason in reasons(position, "claim 10", "claim 1")
        assert str(reason) == "10 fits nowhere now, 1 would score 2 points."

    def test_the_order_in_the_next_round(self) -> None:
        reason = LaterTurn(48, 37, 4, 2)
        assert reasons(claiming("26,37,41@1,48", "wwC;llC"), "claim 48", "claim 37") == (reason,)
        sentence = "48 is fourth in its line and 37 is second; low numbers go first in the next round."
        assert str(reason) == sentence


def last_placement(kingdom: str) -> kd.Position:
    """Return a position in which seat 0 places its last domino: 3, forest."""
    unseen = runs(list(range(25, 49)))
    return kd.Position.parse(f"kd1 {BONUSES.to_text()} 6 place:0 *1@0,*2@1,3@0,4@1 - {unseen} {kingdom};C")


@pytest.mark.parametrize("texts", [("claim 17", HOLE), (HOLE, "place 9,9>9,10"), ("discard", HOLE)])
def test_only_legal_actions_have_reasons(texts: tuple[str, str]) -> None:
    with pytest.raises(kd.IllegalActionError):
        why(placing(1, LEFT_OPEN), *texts)


# Every stated fact, by brute force with the oracle.


@pytest.mark.parametrize("rules", EVERY[::2], ids=kd.Rules.to_text)
def test_every_stated_fact_is_true(rules: kd.Rules) -> None:
    random = Random(rules.to_text())
    game, greedy = kd.Game(rules, seed=EVERY.index(rules)), kd.bots.make("greedy")
    while not game.is_over:
        position, actions = game.position, game.legal_actions()
        for _ in range(3 * (len(actions) > 1)):
            action, better = random.sample(list(actions), 2)
            found = reasons(position, action, better)
            assert why(position, action, better) == (found[0] if found else None)
            for reason in found:
                check = check_placement if action.placement else check_claim
                check(reason, position, action, better)
                assert REASON.validate_json(REASON.dump_json(reason)) == reason
                assert str(reason).endswith(".")
        game.play(random.choice(list(actions)) if random.random() < 0.3 else greedy.choose(position))


def check_placement(reason: Reason, position: kd.Position, action: kd.Action, better: kd.Action) -> None:
    """Check the facts of a reason why a placement is worse."""
    seat = position.to_move or 0
    before, after, other = (
        one.kingdoms[seat] for one in (position, position.play(action), position.play(better))
    )
    left = still_to_get(position.play(action), seat)
    rules = position.rules
    match reason:
        case Unfillable():
            assert left
            assert all(not can_be_filled(square, after, left) for square in reason.squares)
            assert any(
                square in other.squares or can_be_filled(square, other, left) for square in reason.squares
            )
            if reason.harmony:
                check_without_harmony(after, left, rules)
        case HarmonyLost():
            check_without_harmony(after, left, rules)
        case OffCentre():
            assert rules.middle_kingdom
            assert not can_be_centred(after, left)
            assert can_be_centred(before, [1])
            assert can_be_centred(other, left)
        case TerritoryClosed():
            territory = kd.Territory(reason.terrain, frozenset(reason.squares), reason.crowns)
            assert territory in after.territories()
            assert reason.crowns
            assert not can_grow(territory, after, left)
            assert any(
                can_grow(one, other, left) for one in other.territories() if one.terrain == reason.terrain
            )
        case FewerCrowns():
            assert reason.dominoes is None
            joined = [
                sum(
                    crowns
                    for _, squares, crowns in oracle.territories(squares_of(kingdom))
                    if squares & set(placed.placement or ())
                )
                for kingdom, placed in ((after, action), (other, better))
            ]
            assert [reason.crowns, reason.better] == joined
            assert reason.crowns < reason.better
        case FewerPoints():
            assert reason.dominoes is None
            assert reason.last == (not left)
            assert [reason.points, reason.better] == [
                total(kingdom, rules if reason.last else PLAIN) - total(before, PLAIN)
                for kingdom in (after, other)
            ]
            assert (reason.points or 0) < reason.better
        case _:
            pytest.fail(f"{reason} is no reason for a placement")


def check_claim(reason: Reason, position: kd.Position, action: kd.Action, better: kd.Action) -> None:
    """Check the facts of a reason why a claim is worse."""
    seat, domino, other = position.to_move, action.domino, better.domino
    assert seat is not None
    assert domino
    assert other
    match reason:
        case FewerCrowns():
            assert reason == FewerCrowns(domino.crowns, other.crowns, (domino.number, other.number))
            assert domino.crowns < other.crowns
        case FewerPoints():
            points, more = (best_gain(position.kingdoms[seat], one) for one in (domino, other))
            assert more is not None
            assert reason == FewerPoints(points, more, False, (domino.number, other.number))
            assert points is None or points < more
        case LeftToOpponents():
            assert reason.points == tuple(best_gain(kingdom, other) for kingdom in position.kingdoms)
            after = position.play(action)
            assert other.number not in kings_on(after)
            for opponent in reason.opponents:
                assert opponent != seat
                kings = sum(slot.seat == opponent for slot in after.offered)
                assert kings < position.rules.kings
                assert (reason.points[opponent] or 0) > (best_gain(position.kingdoms[opponent], domino) or 0)
        case LaterTurn():
            assert position.dominoes_to_come
            assert position.offered[reason.place - 1].domino == domino
            assert position.offered[reason.better_place - 1].domino == other
            assert reason.place > reason.better_place
        case _:
            pytest.fail(f"{reason} is no reason for a claim")


def squares_of(kingdom: kd.Kingdom) -> oracle.Kingdom:
    """Convert a kingdom to the oracle's form."""
    return {square: (str(terrain), crowns) for square, (terrain, crowns) in kingdom.squares.items()}


def still_to_get(position: kd.Position, seat: int) -> list[int]:
    """List the dominoes that a seat may still place."""
    found = {number for number, owner in kings_on(position).items() if owner == seat}
    if position.settled and position.to_move == seat:
        found -= {position.settled.number}
    kings = sum(slot.seat == seat for slot in position.offered)
    if position.offered and kings < position.rules.kings:
        found |= {slot.domino.number for slot in position.offered if slot.seat is None}
    if position.dominoes_to_come:
        found |= {one.number for one in position.unseen}
    return sorted(found)


def can_be_filled(square: kd.Coordinates, kingdom: kd.Kingdom, numbers: list[int]) -> bool:
    """Return whether one of these dominoes fits somewhere into the gap around a square.

    The first domino in a gap must match its surroundings, so if none does now, none ever will.
    """
    (left, bottom), (right, top) = kingdom.box
    size, gap, new = kingdom.size, {square}, [square]
    while new:
        for x, y in oracle.neighbours(new.pop()):
            inside = right - size < x < left + size and top - size < y < bottom + size
            if inside and (x, y) not in kingdom.squares and (x, y) not in gap:
                gap.add((x, y))
                new.append((x, y))
    return any(
        one in gap for number in numbers for one, _ in oracle.placements(squares_of(kingdom), size, number)
    )


def check_without_harmony(kingdom: kd.Kingdom, numbers: list[int], rules: kd.Rules) -> None:
    """Check that some futures do not fill the kingdom. The engine's own tests try all if there are few."""
    assert rules.harmony
    random = Random(kingdom.to_text())
    for _ in range(20):
        squares, rest = squares_of(kingdom), random.sample(numbers, len(numbers))
        for number in rest:
            places = sorted(oracle.placements(squares, kingdom.size, number))
            if places:
                squares = oracle.place(squares, number, *random.choice(places))
        assert oracle.harmony_points(squares, kingdom.size) == 0


def can_be_centred(kingdom: kd.Kingdom, numbers: list[int]) -> bool:
    """Return whether the castle can end up in the middle."""
    half = kingdom.size // 2
    reaches = [abs(place) for corner in kingdom.box for place in corner]
    if numbers:
        return max(reaches) <= half
    return oracle.middle_kingdom_points(squares_of(kingdom)) > 0


def can_grow(territory: kd.Territory, kingdom: kd.Kingdom, numbers: list[int]) -> bool:
    """Return whether one of these dominoes can extend a territory."""
    beside = {near for square in territory.squares for near in oracle.neighbours(square)}
    return any(
        square in beside and end[0] == territory.terrain
        for number in numbers
        for placement in oracle.placements(squares_of(kingdom), kingdom.size, number)
        for square, end in zip(placement, oracle.DOMINOES[number], strict=True)
    )


def total(kingdom: kd.Kingdom, rules: kd.Rules) -> int:
    """Add up the points of a kingdom."""
    squares = squares_of(kingdom)
    harmony = oracle.harmony_points(squares, kingdom.size) if rules.harmony else 0
    middle = oracle.middle_kingdom_points(squares) if rules.middle_kingdom else 0
    return oracle.territory_points(squares) + harmony + middle


def best_gain(kingdom: kd.Kingdom, domino: kd.Domino) -> int | None:
    """Return the most points that a domino adds now; None if it fits nowhere."""
    squares = squares_of(kingdom)
    before = oracle.territory_points(squares)
    return max(
        (
            oracle.territory_points(oracle.place(squares, domino.number, *placement)) - before
            for placement in oracle.placements(squares, kingdom.size, domino.number)
        ),
        default=None,
    )
