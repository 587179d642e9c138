"""Legal actions as a sequence, the order of actions, and texts in place of actions and placements."""

import pickle
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from support.setups import play_first_choices

import kingdomino as kd


def positions() -> list[kd.Position]:
    """Return a position with claims, one with placements of a double, one with a discard and one at the end."""
    game = kd.Game(kd.Rules(4), seed=3)
    claims = game.position
    while game.position.domino is None or game.position.domino.number > 12:
        game.play(game.legal_actions()[0])
    placements = game.position
    while not game.is_over and game.legal_actions() != [kd.Action.discard()]:
        game.play(game.legal_actions()[0])
    discard = game.position
    return [claims, placements, discard, play_first_choices(game).position]


@pytest.mark.parametrize("position", positions(), ids=lambda position: str(position.phase))
def test_legal_actions_are_a_sequence(position: kd.Position) -> None:
    actions = position.legal_actions()
    listed = list(actions)
    assert isinstance(actions, Sequence)
    assert len(actions) == len(listed)
    assert actions == listed == list(reversed(list(reversed(actions))))
    assert actions == position.legal_actions()
    assert actions != [*listed, kd.Action.discard()]
    assert actions != dict.fromkeys(listed)  # no sequence
    assert actions != iter(listed)
    assert bool(actions) == bool(listed)
    assert repr(actions) == repr(listed)
    assert [actions[place] for place in range(-len(listed), len(listed))] == listed * 2
    assert actions[1:] == listed[1:]
    assert actions[::-1] == listed[::-1]
    with pytest.raises(IndexError):
        actions[len(listed)]
    for place, action in enumerate(listed):
        assert action in actions
        assert str(action) in actions
        assert actions.index(str(action)) == actions.index(action) == place
        assert actions.count(action) == 1


def test_membership_agrees_with_the_list() -> None:
    for position in positions():
        actions = position.legal_actions()
        listed = set(actions)
        for number in range(position.rules.action_count):
            try:
                action = kd.Action.from_number(number, position.rules)
            except kd.KingdominoError:
                continue
            assert (action in actions) == (str(action) in actions) == (action in listed)
            assert position.is_legal(action) == (position.refusal(action) is None)
            assert (action in actions) <= position.is_legal(action)
            assert actions.count(action) == (action in listed)
            if action not in listed:
                with pytest.raises(ValueError, match="is not one of the legal actions"):
                    actions.index(action)
    assert 17 not in actions
    assert None not in actions
    assert actions.count("claim 17") == 0
    with pytest.raises(ValueError, match="claim 17 is not one of the legal actions"):
        actions.index("claim 17")
    with pytest.raises(kd.ParseError, match="not an action"):
        _ = "clam 17" in actions


def test_every_legal_action_has_its_form_in_the_list() -> None:
    for position in positions():
        for number in range(position.rules.action_count):
            try:
                action = kd.Action.from_number(number, position.rules)
            except kd.KingdominoError:
                continue
            if position.is_legal(action):
                form = position.canonical(action)
                assert form in position.legal_actions()
                assert position.play(form) == position.play(action)
            else:
                with pytest.raises(kd.IllegalActionError):
                    position.canonical(action)


def test_actions_are_sorted_by_their_numbers() -> None:
    rules = kd.Rules(mighty_duel=True)
    actions = []
    for number in range(rules.action_count):
        try:
            actions.append(kd.Action.from_number(number, rules))
        except kd.KingdominoError:
            continue
    shuffled = list(actions)
    Random(1).shuffle(shuffled)
    assert sorted(shuffled) == actions
    assert kd.Action.claim(3) < kd.Action.claim(4) <= kd.Action.claim(4)
    assert kd.Action.discard() > kd.Action.claim(48)


def test_a_text_can_replace_a_placement() -> None:
    kingdom, placement = kd.Kingdom(), kd.Placement((1, 0), (2, 0))
    assert kingdom.place(48, "1,0>2,0") == kingdom.place(48, placement) == kingdom.place(48, ((1, 0), (2, 0)))
    assert kingdom.refusal(48, "1,0>2,0") is None
    refusal = kingdom.refusal(48, "2,0>3,0")
    assert refusal is not None
    assert refusal.code == "no_match"
    assert kd.Action.place("1,0>2,0") == kd.Action.parse("place 1,0>2,0")
    with pytest.raises(kd.ParseError, match="is not a placement"):
        kingdom.place(48, "1,0 2,0")


@pytest.mark.parametrize(
    ("read", "text", "offset"),
    [
        (kd.Action.parse, "clam 17", 0),
        (kd.Action.parse, "claim 49", 6),
        (kd.Action.parse, " place  é1,0", 8),
        (kd.Rules.parse, "2.third.random", 2),
        (kd.Rules.parse, "2.second", 8),
        (kd.Rules.parse, "2.second.random.middle.duel", 23),
        (kd.Placement.parse, "1,0", 0),
        (kd.End.parse, "castle 1", 0),
        (kd.Terrain, "lava", 0),
    ],
)
def test_a_parse_error_says_where_it_is(read: object, text: str, offset: int) -> None:
    assert callable(read)
    with pytest.raises(kd.ParseError) as caught:
        read(text)
    assert (caught.value.text, caught.value.offset) == (text, offset)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.text, again.offset) == (str(caught.value), text, offset)


def test_every_text_form_has_one_way_to_be_read_and_one_to_be_written() -> None:
    game = kd.Game(seed=1)
    values: list[Any] = [game.rules, game.position, game.position.kingdoms[0], game.legal_actions()[0]]
    values += [kd.Record.from_game(game), kd.Placement((1, 0), (2, 0)), kd.End(kd.Terrain.MINE, 2)]
    for value in values:
        assert type(value).parse(value.to_text()) == value


def test_a_position_gives_the_facts_of_the_game() -> None:
    rules = kd.Rules(3, "first", harmony=True, middle_kingdom=True)
    assert (rules.harmony_points, rules.middle_kingdom_points) == (5, 10)
    assert (kd.Rules().harmony_points, kd.Rules().middle_kingdom_points) == (0, 0)
    game = kd.Game(rules, seed=2)
    placed = None
    while not game.is_over:
        position = game.position
        assert position.offered == (position.next_line if position.round else position.line)
        assert position.settled == (placed if position.phase == "claim" else None)
        shown = len(kd.DOMINOES) - len(position.unseen)
        assert position.dominoes_to_come == rules.dominoes - shown
        placed = position.domino
        game.play(game.legal_actions()[0])
    assert len(game.history) == rules.plies


def test_rules_with_some_options_changed() -> None:
    rules = kd.Rules(2, "first", harmony=True)
    assert rules.replace() == rules
    assert rules.replace(mighty_duel=True, harmony=False) == kd.Rules(2, "first", mighty_duel=True)
    assert rules == kd.Rules(2, "first", harmony=True)
    with pytest.raises(kd.RulesError, match="there is no option 'colour'"):
        rules.replace(colour="blue")
    with pytest.raises(kd.RulesError, match="the Mighty Duel is for 2 players"):
        rules.replace(players=3, mighty_duel=True)


def test_a_record_can_omit_hidden_dominoes() -> None:
    for players in (2, 3, 4):
        for plies in (0, 1, 3, 9):
            game = kd.Game(kd.Rules(players), seed=players)
            for _ in range(plies):
                game.play(game.legal_actions()[0])
            record = kd.Record.from_game(game, hidden=False)
            assert record.seed is None
            assert "deck" not in record.to_text()
            assert kd.Record.parse(record.to_text()) == kd.Record.from_json(record.to_json()) == record
            assert record.positions()[-1] == game.position
            with pytest.raises(kd.RecordError, match="holds no deck"):
                record.replay()
    whole = play_first_choices(kd.Game(seed=1))
    assert kd.Record.from_game(whole, hidden=False) == kd.Record.from_game(whole)


def test_the_empty_table_as_a_start_is_left_out() -> None:
    record = kd.Record.from_game(play_first_choices(kd.Game(seed=5)))
    empty = "kd1 2.second.random 0 reveal - - 1-48 C;C"
    named = kd.Record.parse(record.to_text().replace("\nseed 5\n", f"\nseed 5\nstart {empty}\n"))
    assert (named, named.to_text()) == (record, record.to_text())


def test_a_record_keeps_annotations_and_comments_in_both_forms() -> None:
    record = kd.Record.from_game(play_first_choices(kd.Game(seed=1)), players=["Ida", "Bo"])
    plies = len(record.actions())
    assert record.annotations == {}
    assert record.to_text().startswith("kingdomino-record 1\n")
    annotations = {
        0: kd.Annotation((0.1 + 0.2, 0.7), (41.25, 38.0), (3.25, -3.25), record.actions()[0], 0.0, -0.5),
        5: kd.Annotation(cost=1 / 3),
        plies: kd.Annotation(win_rates=(1.0, 0.0)),
    }
    comments = {0: "It begins.", 5: "two\nlines", plies: "The end."}
    annotated = record.annotated(comments, annotations)
    assert (annotated.annotations, annotated.comments) == (annotations, comments)
    assert annotated != record
    text, json = annotated.to_text(), annotated.to_json()
    assert text.startswith("kingdomino-record 2\n")
    assert kd.Record.parse(text) == kd.Record.from_json(json) == annotated
    assert (kd.Record.parse(text).to_text(), kd.Record.from_json(json).to_json()) == (text, json)
    assert pickle.loads(pickle.dumps(annotated)) == annotated
    assert hash(kd.Record.parse(text)) == hash(annotated)
    assert annotated.annotated() == annotated
    assert annotated.annotated(annotations={}).annotations == {}
    assert annotated.annotated({}, {}) == record
    assert annotated.replay() == record.replay()


def test_an_annotation_splits_a_turn_into_two_lines() -> None:
    record = kd.Record.from_game(play_first_choices(kd.Game(seed=1)))
    text = record.annotated(annotations={5: kd.Annotation(cost=-0.0)}).to_text()
    claim = str(record.actions()[5])
    assert claim.startswith("claim")
    assert f"{record.actions()[4]}\nannotation cost 0\n{record.positions()[5].to_move} {claim}\n" in text


def test_values_are_readable_and_have_pictures() -> None:
    game = kd.Game(seed=5)
    assert str(kd.Score(57, 42, 5, 10)) == "57 points: 42 territories, 5 Harmony, 10 Middle Kingdom"
    assert str(kd.Score(42, 42)) == "42 points"
    assert kd.Score(42, 42)._repr_html_() == "42 points"
    assert kd.DOMINOES[47]._repr_svg_().startswith("<svg")
    record = kd.Record.from_game(game, players=["Ida", "Bo"])
    picture = record._repr_svg_()
    assert picture is not None
    assert "Ida" in picture
    assert str(record) == record.to_text()
    match = kd.Match(seed=5)
    assert str(match).startswith("Game 1 of 3\n")
    assert match._repr_svg_() == match.game._repr_svg_()
    search = kd.Search(game.position, seed=1)
    search.run(playouts=50)
    analysis = search.analysis()
    head, columns, *rows = str(analysis).splitlines()
    assert head == f"seat {game.position.to_move} to move, 50 playouts"
    assert columns.split() == ["action", "win", "score", "margin", "playouts"]
    assert len(rows) == 4
    assert rows[0].startswith(str(analysis.actions[0].action))
    assert analysis._repr_html_().count("<tr>") == 5


def test_an_analysis_is_written_as_json_and_read_back() -> None:
    search = kd.Search(kd.Game(seed=5).position, seed=1)
    search.run(playouts=1)
    analysis = search.analysis()
    assert 0 in {one.playouts for one in analysis.actions}  # missing figures appear in the text, too
    again = kd.Analysis.from_json(analysis.to_json())
    assert repr(again) == repr(analysis)
    assert again.to_json() == analysis.to_json()
    assert "–" in str(analysis)
    text = analysis.to_json()
    changes = {
        '"seats":2': ['"seats":3', '"seats":1e12', '"seats":5'],
        '"seat":1': ['"seat":7', '"seat":-1', '"seat":"1"'],
        '"exact":false': ['"exact":"false"'],
        '"playouts":1,"actions"': ['"playouts":1e999,"actions"'],
    }
    assert all(text.count(part) == 1 for part in changes), text
    wrongs = [text.replace(part, wrong) for part, wrongs in changes.items() for wrong in wrongs]
    for wrong in ("", "[]", "{}", "[" * 100_000, *wrongs):
        with pytest.raises(kd.KingdominoError, match="not an analysis in JSON"):
            kd.Analysis.from_json(wrong)
