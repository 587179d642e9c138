"""Random games under every rules set, with every invariant checked at each ply.

The tests compare turns, lines, kings, legal actions and scores with the oracle's table; the text forms, undo,
copies and resampled decks with the game itself.
"""

import copy
import pickle
from collections import Counter
from itertools import product
from random import Random

import pytest
from support import oracle
from support.outcomes import ended, totals
from support.setups import kings_on, numbers
from test_oracle import any_kingdom, made

import kingdomino as kd


def every_rules_set() -> list[kd.Rules]:
    """Return all 48: players x editions x bonuses, and for two players the Mighty Duel and the openings."""
    sets = []
    for players, edition, harmony, middle in product((2, 3, 4), ("first", "second"), *[(False, True)] * 2):
        for duel, opening in (
            product((False, True), ("random", "snake")) if players == 2 else [(False, "random")]
        ):
            sets.append(kd.Rules(players, edition, duel, harmony, middle, opening))  # type: ignore[arg-type]
    return sets


EVERY = every_rules_set()


def oracle_table(game: kd.Game) -> oracle.Table:
    """Deal the same game to the oracle."""
    rules = game.rules
    return oracle.Table(
        rules.players,
        rules.edition,
        [domino.number for domino in game.deck],
        game.opening,
        mighty_duel=rules.mighty_duel,
        harmony=rules.harmony,
        middle_kingdom=rules.middle_kingdom,
    )


def plies_in_a_game(rules: kd.Rules) -> int:
    """Count one claim and one decision about the domino for every king in every round."""
    return 2 * rules.rounds * rules.players * rules.kings


def check_table(position: kd.Position, table: oracle.Table) -> None:
    """Compare everything public."""
    assert position.round == table.round
    assert position.phase == table.phase
    assert position.to_move == table.to_move
    assert position.is_over == (table.phase == "over")
    line, next_line = (table.on_offer, {}) if table.round == 0 else (table.line, table.on_offer)
    assert numbers(position.line) == list(line)
    assert numbers(position.next_line) == list(next_line)
    assert kings_on(position) == table.claims
    assert (position.domino and position.domino.number) == table.domino
    assert {domino.number for domino in position.unseen} == table.unseen
    assert [kingdom.squares for kingdom in position.kingdoms] == table.kingdoms
    assert list(position.scores()) == [table.score(seat) for seat in range(position.rules.players)]


def check_actions(game: kd.Game, table: oracle.Table) -> None:
    """Compare the legal actions: as a list, as a mask, as text, one by one, and with the oracle."""
    rules, position, actions = game.rules, game.position, game.legal_actions()
    assert actions == position.legal_actions()
    numbers = [action.number(rules) for action in actions]
    assert len(set(numbers)) == len(numbers)
    mask = position.legal_mask()
    assert len(mask) == rules.action_count
    assert set(mask) <= {0, 1}
    assert [number for number, legal in enumerate(mask) if legal] == sorted(numbers)
    for action, number in zip(actions, numbers, strict=True):
        assert kd.Action.parse(str(action)) == action
        assert kd.Action.from_number(number, rules) == action
        assert position.refusal(action) is None
        assert position.refusal(str(action)) is None

    assert {action.domino.number for action in actions if action.domino} == table.legal_claims()
    if table.domino is None:
        assert all(action.kind == "claim" for action in actions)
    else:
        number = table.domino
        placed = [action.placement for action in actions if action.placement]
        legal = table.legal_placements()
        assert {oracle.lying(number, *pair) for pair in placed} == {
            oracle.lying(number, *pair) for pair in legal
        }
        assert (kd.Action.discard() in actions) == (not legal)


def turned_round(position: kd.Position, action: kd.Action) -> kd.Action | None:
    """Return the same placement the other way round, for a domino with equal ends."""
    domino, placement = position.domino, action.placement
    if domino is None or placement is None or domino.left != domino.right:
        return None
    return kd.Action.place((placement.right, placement.left))


def check_refusals(game: kd.Game, rng: Random) -> None:
    """Check that every refusal has a reason, and changes nothing."""
    position, before, actions = game.position, copy.copy(game), game.legal_actions()
    for number in rng.sample(range(game.rules.action_count), 5):
        try:
            action = kd.Action.from_number(number, game.rules)
        except kd.KingdominoError:
            assert number not in [action.number(game.rules) for action in actions]
            continue
        reason = position.refusal(action)
        assert (reason is None) == (action in actions or turned_round(position, action) in actions)
        if reason is not None:
            with pytest.raises(kd.IllegalActionError):
                game.play(action)
    assert game == before
    assert game.position == position


def check_copies(game: kd.Game) -> None:
    """Check that position and game survive their text forms, pickling and copying."""
    position = game.position
    text = position.to_text()
    assert "\n" not in text
    assert kd.Position.parse(text) == position
    assert kd.Position.parse(text).to_text() == text
    assert pickle.loads(pickle.dumps(position)) == position
    for copied in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert copied == game
        assert copied.position == position
        assert copied.history == game.history


def check_record(game: kd.Game) -> None:
    """Check that a record of the game survives text and JSON, finished or not."""
    record = kd.Record.from_game(game, tags={"event": "a test"}, comments={0: "it begins"})
    for read in (kd.Record.parse(record.to_text()), kd.Record.from_json(record.to_json())):
        assert read == record
        assert read.to_text() == record.to_text()
        assert read.to_json() == record.to_json()
        assert read.replay() == game
    assert record.actions() == game.history
    assert record.positions()[-1] == game.position
    assert record.positions()[0] == game.start
    assert (record.outcome() is None) == (not game.is_over)


def orderings_left(game: kd.Game) -> int:
    """Count, roughly, the possible orders of the hidden dominoes: 1 if the order is certain, else more."""
    position, rules = game.position, game.rules
    lines_shown = position.round + 1
    to_come = rules.dominoes - lines_shown * rules.line_length
    # A single line of all unseen dominoes has only one order, because lines are sorted.
    return 1 if to_come <= 0 or (to_come == rules.line_length and to_come == len(position.unseen)) else 2


def check_resampled(game: kd.Game, seed: int) -> None:
    """Check that a resampled deck changes the future, but nothing public."""
    position = game.position
    resampled = [kd.Game.from_position(position, seed + number) for number in range(3)]
    for other in resampled:
        assert other.position == position
        assert other.legal_actions() == game.legal_actions()
        assert {domino.number for domino in other.deck} <= {domino.number for domino in position.unseen}
    assert kd.Game.from_position(position, seed) == resampled[0]
    rest = game.deck[len(game.deck) - len(resampled[0].deck) :]
    differs = any(other.deck != rest for other in resampled)
    assert differs == (orderings_left(game) > 1)
    if not game.is_over:
        action = game.legal_actions()[0]
        real, sampled = copy.copy(game), resampled[0]
        real.play(action)
        sampled.play(action)
        assert sampled.position.kingdoms == real.position.kingdoms


def check_layout(game: kd.Game) -> None:
    """Check that every covered square lies under one end of one domino that the seat has claimed."""
    for seat, kingdom in enumerate(game.position.kingdoms):
        layout = game.layout(seat)
        ends = {square: getattr(domino, side) for square, (domino, side) in layout.items()}
        assert ends | {(0, 0): ("castle", 0)} == kingdom.squares
        lying = Counter(domino for domino, _ in layout.values())
        assert set(lying.values()) <= {2}
        assert set(lying) <= set(game.deck)


def check_undo(game: kd.Game, action: kd.Action) -> None:
    """Check that taking decisions back restores the positions exactly, any number of times."""
    before, text = copy.copy(game), game.position.to_text()
    game.play(action)
    assert game.undo() == action
    assert game == before
    assert game.position == before.position
    assert hash(game.position) == hash(before.position)
    assert game.position.to_text() == text
    assert game.legal_actions() == before.legal_actions()


def play_on_both(game: kd.Game, table: oracle.Table, action: kd.Action) -> None:
    """Play an action in the engine and at the oracle's table."""
    game.play(action)
    if action.domino:
        table.claim(action.domino.number)
    elif action.placement:
        table.place(*action.placement)
    else:
        table.discard()


@pytest.mark.parametrize("rules", EVERY, ids=kd.Rules.to_text)
def test_everything_holds_at_every_ply_of_a_random_game(rules: kd.Rules) -> None:
    seed = EVERY.index(rules)
    rng = Random(seed)
    game = kd.Game(rules, seed=seed)
    table = oracle_table(game)
    check_record(game)
    plies = 0
    while True:
        check_table(game.position, table)
        check_actions(game, table)
        check_copies(game)
        check_layout(game)
        check_resampled(game, seed)
        check_refusals(game, rng)
        if game.is_over:
            break
        action = rng.choice(game.legal_actions())
        check_undo(game, action)
        play_on_both(game, table, action)
        plies += 1
        assert len(game.history) == plies
        if rng.random() < 0.1:
            check_record(game)

    assert plies == plies_in_a_game(rules)
    assert game.legal_actions() == []
    check_record(game)
    scores, winners, decided_by = table.outcome()
    outcome = ended(game)
    assert outcome == game.position.outcome()
    assert (list(totals(outcome)), list(outcome.winners), outcome.decided_by) == (scores, winners, decided_by)
    assert sorted(outcome.ranking) == list(range(rules.players))
    assert set(outcome.ranking[: len(winners)]) == set(winners)
    for _ in range(plies):
        game.undo()
    assert game == kd.Game(rules, seed=seed)


@pytest.mark.parametrize("rules", EVERY[::3], ids=kd.Rules.to_text)
def test_unreachable_positions_follow_the_same_rules(rules: kd.Rules) -> None:
    rng, game = Random(0), kd.Game(rules, seed=2)
    while not game.is_over:
        words = game.position.to_text().split(" ")
        allowed = [len(kingdom.squares) for kingdom in game.position.kingdoms]
        squares = [any_kingdom(rng, rules.size, rng.randrange(1, most + 1, 2)) for most in allowed]
        words[-1] = ";".join(made(kingdom, rules.size).to_text() for kingdom in squares)
        position = kd.Position.parse(" ".join(words))
        assert [kingdom.squares for kingdom in position.kingdoms] == squares
        if position.domino is not None and position.to_move is not None:
            kingdom, number = squares[position.to_move], position.domino.number
            legal = {oracle.lying(number, *pair) for pair in oracle.placements(kingdom, rules.size, number)}
            placed = [action.placement for action in position.legal_actions() if action.placement]
            assert {oracle.lying(number, *placement) for placement in placed} == legal
        assert [score.territories for score in position.scores()] == list(
            map(oracle.territory_points, squares)
        )
        sampled = kd.Game.from_position(position, seed=1)
        while not sampled.is_over:
            sampled.play(rng.choice(sampled.legal_actions()))
        assert len(ended(sampled).scores) == rules.players
        game.play(rng.choice(game.legal_actions()))


def test_there_are_forty_eight_rules_sets_and_no_two_alike() -> None:
    assert len(EVERY) == len(set(EVERY)) == len({rules.to_text() for rules in EVERY}) == 48


@pytest.mark.parametrize("rules", EVERY, ids=kd.Rules.to_text)
def test_deck_and_opening_match_the_rules_and_the_seed(rules: kd.Rules) -> None:
    games = [kd.Game(rules, seed=seed) for seed in range(20)]
    for game in games:
        assert len(game.deck) == len(set(game.deck)) == rules.dominoes
        lines = [
            game.deck[start:][: rules.line_length] for start in range(0, len(game.deck), rules.line_length)
        ]
        assert all(list(line) == sorted(line) for line in lines)
        assert sorted(game.opening) == sorted([*range(rules.players)] * rules.kings)
        assert game == kd.Game(rules, seed=game.seed)
        assert game == kd.Game(rules, deck=game.deck, opening=game.opening, seed=game.seed)
    assert len({game.deck for game in games}) == len(games)
    assert len({game.opening for game in games}) > 1


@pytest.mark.parametrize(
    "rules", [rules for rules in EVERY if not (rules.harmony or rules.middle_kingdom)], ids=kd.Rules.to_text
)
def test_engine_and_oracle_agree_on_the_ends_of_many_games(rules: kd.Rules) -> None:
    ways = set()
    for seed in range(40):
        rng = Random(seed)
        game = kd.Game(rules, seed=seed)
        table = oracle_table(game)
        while not game.is_over:
            play_on_both(game, table, rng.choice(game.legal_actions()))
        check_table(game.position, table)
        outcome = ended(game)
        assert (list(totals(outcome)), list(outcome.winners), outcome.decided_by) == table.outcome()
        ways.add(outcome.decided_by)
    assert "score" in ways
