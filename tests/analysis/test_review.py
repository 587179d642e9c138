"""Reviews: the cost of decisions, luck, and that both add up."""

from threading import Event
from typing import Literal

import pytest

import kingdomino as kd
from kingdomino.analysis import Grade, Review, judge, review, reviews
from kingdomino.bots import Limit

QUICK = Limit(playouts=60)


def played(rules: kd.Rules, seed: int = 1, plies: int | None = None) -> kd.Record:
    """Return the record of a game between weak players, of this many plies or to its end."""
    game = kd.Game(rules, seed=seed)
    while not game.is_over and len(game.history) != plies:
        game.play(kd.bots.choose(game.position, "tuned", len(game.history), 8.0))
    return kd.Record.from_game(game)


@pytest.fixture(scope="module")
def record() -> kd.Record:
    return played(kd.Rules(harmony=True, middle_kingdom=True))


@pytest.fixture(scope="module")
def reviewed(record: kd.Record) -> Review:
    return review(record, QUICK)


@pytest.mark.parametrize(
    "rules",
    [
        kd.Rules(),
        kd.Rules(opening="snake", mighty_duel=True),
        kd.Rules(players=3, harmony=True),
        kd.Rules(players=3, edition="first"),
        kd.Rules(players=4, middle_kingdom=True),
    ],
    ids=str,
)
def test_luck_skill_and_their_parts_add_up_for_every_seat(rules: kd.Rules) -> None:
    found = review(played(rules), Limit(playouts=20))
    assert found.result is not None
    assert len(found.decisions) == rules.plies
    for seat in found.seats:
        change = found.result.win_rates[seat.seat] - found.start.win_rates[seat.seat]
        assert seat.luck - seat.cost + seat.received == pytest.approx(change, abs=1e-9)
        change = found.result.mean_margin[seat.seat] - found.start.mean_margin[seat.seat]
        assert seat.luck_points - seat.cost_points + seat.received_points == pytest.approx(change, abs=1e-9)
    for decision in found.decisions:
        parts = sum(part.points for part in decision.parts)
        assert parts == pytest.approx(decision.cost_points, abs=1e-9)
        assert sum(part.whole for part in decision.parts) == round(parts)
        assert decision.why or decision.cost_points < 2
    assert sum(found.result.win_rates) == pytest.approx(1)
    known_by_elimination = rules.dominoes == len(kd.DOMINOES)
    assert sum(bool(luck.line) for luck in found.luck) == rules.rounds - known_by_elimination
    for luck in found.luck:
        assert sum(luck.win_rates) == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("rules", kd.Rules.all()[::3], ids=str)
def test_equivalent_placements_are_judged_alike(rules: kd.Rules) -> None:
    found = 0
    for seed in range(20):
        game = kd.Game(rules, seed=seed)
        while game.position.round < 3 and found < 3:
            position, actions = game.position, game.legal_actions()
            others = [action for action in actions if position.equivalent(action) != action]
            if others:
                action = others[seed % len(others)]
                one = judge(position, action, Limit(playouts=100))
                other = judge(position, position.equivalent(action), Limit(playouts=100))
                assert (one.after, one.cost, one.cost_points) == (other.after, other.cost, other.cost_points)
                assert (one.place, one.choices) == (other.place, other.choices)
                found += 1
            game.play(actions[seed % len(actions)])
    assert found == 3


def test_a_cost_is_the_fall_of_the_value_and_never_below_zero(reviewed: Review) -> None:
    for decision in reviewed.decisions:
        seat = decision.seat
        assert decision.cost == pytest.approx(
            decision.before.win_rates[seat] - decision.after.win_rates[seat], abs=1e-9
        )
        assert decision.cost >= 0
        assert decision.cost_points >= 0
        assert (decision.place == 1) == (decision.action == decision.best)
        assert decision.alternatives[0].action == decision.best or decision.place == 1
        assert decision.action in [one.action for one in decision.alternatives]
        assert decision.choices >= decision.place
        assert decision.line[0] == decision.best
        if decision.choices == 1:
            assert decision.cost == decision.cost_points == 0


@pytest.mark.parametrize(
    "rules",
    [kd.Rules(), kd.Rules(2, mighty_duel=True, harmony=True), kd.Rules(4, harmony=True, middle_kingdom=True)],
    ids=str,
)
def test_the_parts_of_a_cost_add_up_to_it(rules: kd.Rules) -> None:
    for decision in review(played(rules), QUICK).decisions:
        assert bool(decision.parts) == (decision.cost_points > 0)
        assert sum(part.points for part in decision.parts) == pytest.approx(decision.cost_points, abs=1e-9)
        sizes = [abs(part.points) for part in decision.parts]
        assert sizes == sorted(sizes, reverse=True)
        kinds = {part.kind for part in decision.parts}
        assert rules.harmony or "harmony" not in kinds
        assert rules.middle_kingdom or "middle_kingdom" not in kinds


def test_the_last_placements_cost_is_lost_territory_points() -> None:
    whole = played(kd.Rules(), seed=23)
    position = whole.positions()[-2]
    seat, values = position.to_move, {}
    assert seat is not None
    for choice in position.legal_actions():
        kingdom = position.play(choice).kingdoms[seat]
        territories = kingdom.territories()
        values[choice] = {
            str(terrain): sum(one.score for one in territories if one.terrain == terrain)
            for terrain in kd.Terrain
        }
    worst = min(values, key=lambda choice: sum(values[choice].values()))
    judged = judge(position, worst, QUICK)
    best, played_values = values[judged.best], values[worst]
    assert {str(part.terrain): part.points for part in judged.parts} == {
        terrain: best[terrain] - played_values[terrain]
        for terrain in best
        if best[terrain] != played_values[terrain]
    }


def test_chances_are_between_0_and_1_and_add_up(reviewed: Review) -> None:
    for decision in reviewed.decisions:
        for value in (decision.before, decision.after):
            assert all(-1e-9 <= rate <= 1 + 1e-9 for rate in value.win_rates)
            assert sum(value.win_rates) == pytest.approx(1, abs=1e-5)


def test_the_last_decision_leads_to_the_result(reviewed: Review) -> None:
    assert reviewed.decisions[-1].after == reviewed.result


def test_luck_is_the_change_since_the_last_event_without_the_decisions(reviewed: Review) -> None:
    first, second = (luck.ply for luck in reviewed.luck[2:4])
    since = reviewed.decisions[first:second]
    lost = sum(one.before.win_rates[0] - one.after.win_rates[0] for one in since)
    expected = reviewed.decisions[first].before.win_rates[0] - lost
    change = reviewed.decisions[second].before.win_rates[0] - expected
    assert reviewed.luck[3].win_rates[0] == pytest.approx(change, abs=1e-9)


def test_the_luck_of_every_line_is_listed(record: kd.Record, reviewed: Review) -> None:
    lines = [luck for luck in reviewed.luck if luck.line]
    assert len(lines) == record.rules.rounds
    assert lines[0].ply == 0
    shown = sorted(number for luck in lines for number in luck.line)
    unseen = record.positions()[-1].unseen
    assert shown == sorted(domino.number for domino in set(kd.DOMINOES) - unseen)


def test_the_last_placement_costs_the_points_it_gives_away() -> None:
    whole = played(kd.Rules(), seed=37)
    position = whole.positions()[-2]
    assert (position.to_move, position.phase) == (0, "place")
    totals = {choice: position.play(choice).scores()[0].total for choice in position.legal_actions()}
    game = kd.Game(whole.rules, seed=37)
    for action in whole.actions()[:-1]:
        game.play(action)
    game.play(min(totals, key=totals.__getitem__))
    last = review(kd.Record.from_game(game), QUICK).decisions[-1]
    assert last.exact
    assert last.cost_points == max(totals.values()) - min(totals.values()) > 0
    assert (last.error, last.error_points) == (0, 0)


def test_a_review_does_not_depend_on_threads() -> None:
    record = played(kd.Rules(players=3), plies=12)
    one = review(record, QUICK, seed=3)
    assert review(record, QUICK, seed=3, threads=3) == one
    assert review(record, QUICK, seed=4) != one


def from_position(position: kd.Position, seed: int = 1) -> kd.Record:
    """Return the record of a game between weak players that begins at a position."""
    game = kd.Game.from_position(position, seed)
    while not game.is_over:
        game.play(kd.bots.choose(game.position, "tuned", len(game.history), 8.0))
    return kd.Record.from_game(game)


@pytest.mark.parametrize("players", [2, 3])
def test_a_game_that_begins_at_a_decision_begins_without_luck(players: int) -> None:
    for position in played(kd.Rules(players)).positions()[-14:-1:3]:
        found = review(from_position(position), Limit(playouts=20))
        assert found.start.win_rates == pytest.approx(found.decisions[0].before.win_rates, abs=1e-9)
        assert all(luck.ply for luck in found.luck)
        assert found.result is not None
        for seat in found.seats:
            change = found.result.win_rates[seat.seat] - found.start.win_rates[seat.seat]
            assert seat.luck - seat.cost + seat.received == pytest.approx(change, abs=1e-9)


def test_a_game_that_begins_before_a_line_begins_with_that_line() -> None:
    positions = played(kd.Rules()).positions()
    before = next(
        after for one in positions[20:] if (after := one.play(one.legal_actions()[0])).due == "line"
    )
    found = review(from_position(before), Limit(playouts=64))
    first = found.luck[0]
    assert (first.ply, len(first.line), first.king) == (0, 4, None)
    assert set(first.line) <= {domino.number for domino in before.unseen}
    assert found.start.win_rates != (0.5, 0.5)


def test_a_game_from_a_final_position_has_its_result() -> None:
    over = played(kd.Rules()).positions()[-1]
    found = review(from_position(over), QUICK)
    assert found.start == found.result
    assert (found.decisions, found.luck) == ((), ())


def test_the_place_of_a_decision_agrees_with_the_order_of_its_alternatives(reviewed: Review) -> None:
    for decision in reviewed.decisions:
        rank = 1 + [one.action for one in decision.alternatives].index(decision.action)
        assert decision.place == rank or rank == len(decision.alternatives) < decision.place
        assert decision.place <= decision.choices


def test_a_decision_that_loses_chances_alone_is_not_the_best(reviewed: Review) -> None:
    for decision in reviewed.decisions:
        assert (decision.grade is Grade.BEST) == (decision.cost == decision.cost_points == 0)


def test_an_action_may_be_given_as_text(record: kd.Record) -> None:
    position, action = record.positions()[9], record.actions()[9]
    assert judge(position, str(action), QUICK) == judge(position, action, QUICK)
    with pytest.raises(kd.KingdominoError):
        judge(position, "claim 99", QUICK)


def test_the_placement_of_a_double_may_be_given_either_way_round() -> None:
    position = kd.Position.parse("kd1 2.second.random 1 place:0 1@0,2@1,3@0,4@1 5,6,7,8 9-48 C;C")
    assert judge(position, "place 2,0>1,0", QUICK) == judge(position, "place 1,0>2,0", QUICK)


def test_a_stream_grows_deepens_and_ends_with_the_review() -> None:
    record = played(kd.Rules(), plies=6)
    stream = list(reviews(record, QUICK))
    assert [len(found.decisions) for found in stream] == [0, 1, 2, 3, 4, 5, 6, *[6] * 6]
    assert stream[-1] == review(record, QUICK)
    playouts = [sum(decision.playouts for decision in found.decisions) for found in stream]
    assert playouts == sorted(playouts)


def test_a_stopped_review_returns_the_results_so_far() -> None:
    stop = Event()
    stop.set()
    assert review(played(kd.Rules(), plies=6), Limit(time=3600), stop=stop).decisions == ()


def test_an_event_that_can_stop_a_review_serves_for_the_next() -> None:
    record, stop = played(kd.Rules(), plies=6), Event()
    first = review(record, QUICK, stop=stop)
    assert review(record, QUICK, stop=stop) == first == review(record, QUICK)
    stream = reviews(record, QUICK, stop=stop)
    next(stream)
    next(stream)
    stream.close()
    assert not stop.is_set()


def test_an_unfinished_record_is_reviewed_as_far_as_it_goes() -> None:
    for plies in (0, 1, 7, 20):
        found = review(played(kd.Rules(), plies=plies), QUICK)
        assert (len(found.decisions), found.result) == (plies, None)


def test_a_review_is_read_back_from_its_json(reviewed: Review) -> None:
    assert Review.from_json(reviewed.to_json()) == reviewed
    with pytest.raises(kd.ParseError, match="not a review: this is not JSON"):
        Review.from_json("")
    with pytest.raises(kd.ParseError, match="not a review: 'plies' is missing"):
        Review.from_json("{}")


def test_a_review_sees_no_hidden_dominoes() -> None:
    record = played(kd.Rules(), plies=10)
    public = kd.Record.from_game(record.replay(), hidden=False)
    assert review(public, QUICK) == review(record, QUICK)


def test_stopping_a_judgement_at_once_makes_few_playouts() -> None:
    position = played(kd.Rules(), plies=16).positions()[-1]
    actions = position.legal_actions()
    assert len(actions) > 4
    stop = Event()
    stop.set()
    assert judge(position, actions[-1], Limit(time=10.0), stop=stop).playouts < 100


def test_the_cost_of_an_alternative_is_its_distance_from_the_best(reviewed: Review) -> None:
    for decision in reviewed.decisions:
        seat, value = decision.seat, {one.action: one.value for one in decision.alternatives}
        for one in decision.alternatives:
            difference = value[decision.best].win_rates[seat] - one.value.win_rates[seat]
            assert one.cost == 0 or one.cost == pytest.approx(difference)


def test_only_a_legal_action_is_judged() -> None:
    position = kd.Game(kd.Rules(), seed=1).position
    with pytest.raises(kd.IllegalActionError):
        judge(position, kd.Action.discard(), QUICK)
    over = played(kd.Rules()).positions()[-1]
    with pytest.raises(kd.KingdominoError, match="no decision to judge"):
        judge(over, kd.Action.claim(1), QUICK)


@pytest.mark.parametrize(
    ("cost_points", "grade"),
    [
        (0, Grade.BEST),
        (0.9, Grade.GOOD),
        (1, Grade.INACCURACY),
        (2, Grade.MISTAKE),
        (4, Grade.BLUNDER),
        (20, Grade.BLUNDER),
    ],
)
def test_grades_follow_from_the_cost_in_points(cost_points: float, grade: Grade) -> None:
    assert Grade.of(cost_points) is grade


def test_a_game_is_decided_below_2_and_above_98_percent(reviewed: Review) -> None:
    for decision in reviewed.decisions[:-8]:  # the page moves the last ones to the result
        lost = decision.before.win_rates[decision.seat] < 0.02
        assert decision.decided == (lost or decision.after.win_rates[decision.seat] > 0.98)


@pytest.mark.parametrize("opening", ["random", "snake"])
def test_the_first_king_is_luck_however_the_others_follow(opening: Literal["random", "snake"]) -> None:
    record = played(kd.Rules(opening=opening))
    found = review(record, Limit(playouts=20))
    assert found.start.win_rates == (0.5, 0.5)
    assert found.luck[0].line
    assert found.luck[0].king == record.positions()[0].to_move
