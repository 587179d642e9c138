"""An observation shows the whole position from its seat, and nothing else."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from support.setups import MINES, finished

import kingdomino as kd
from kingdomino.envs.observation import (
    VERSION,
    action_mask,
    compact_dtype,
    fields,
    highest,
    observe,
    planes_shape,
    side,
)

RULES = [
    kd.Rules.parse(text)
    for text in (
        "2.second.random",
        "2.first.snake.harmony",
        "2.second.random.duel.harmony.middle",
        "3.first.random.middle",
        "3.second.random",
        "4.second.random",
    )
]
TERRAINS = list(kd.Terrain)


def random_game(rules: kd.Rules, seed: int) -> Iterator[kd.Game]:
    """Play at random, and yield the game before each decision and at its end."""
    game, chance = kd.Game(rules, seed=seed), Random(seed)
    while not game.is_over:
        yield game
        game.play(chance.choice(game.legal_actions()))
    yield game


def by_name(vector: NDArray[Any], rules: kd.Rules) -> dict[str, list[int]]:
    return {field.name: vector[field.words].tolist() for field in fields(rules)}


def one_hot(chosen: int | None, count: int) -> list[int]:
    return [int(chosen == place) for place in range(count)]


def face(domino: kd.Domino | None) -> list[int]:
    if domino is None:
        return [0] * 15
    ends = [[*one_hot(TERRAINS.index(end.terrain), 6), end.crowns] for end in (domino.left, domino.right)]
    return [domino.number, *ends[0], *ends[1]]


def expected_planes(position: kd.Position, seat: int) -> NDArray[np.uint8]:
    rules, reach = position.rules, position.rules.size - 1
    planes = np.zeros((rules.players, 8, side(rules), side(rules)), np.uint8)
    for ahead in range(rules.players):
        kingdom = position.kingdoms[(seat + ahead) % rules.players]
        (left, bottom), (right, top) = kingdom.box
        for y in range(top - reach, bottom + reach + 1):
            for x in range(right - reach, left + reach + 1):
                planes[ahead, 7, y + reach, x + reach] = (x, y) not in kingdom.squares
        for (x, y), square in kingdom.squares.items():
            if square.terrain is not kd.Terrain.CASTLE:
                planes[ahead, TERRAINS.index(square.terrain), y + reach, x + reach] = 1
                planes[ahead, 6, y + reach, x + reach] = square.crowns
    return planes.reshape(planes_shape(rules))


def expected_vector(position: kd.Position, seat: int) -> list[int]:
    rules, players = position.rules, position.rules.players

    def relative(other: int | None) -> int | None:
        return None if other is None else (other - seat) % players

    acting, offered = (position.line, position.next_line) if position.round else ((), position.line)
    words = [int(position.phase == "place"), int(position.phase == "claim")]
    words += one_hot(relative(position.to_move), players) + face(position.domino)
    for line in (acting, offered):
        for place in range(4):
            domino, king, _ = line[place] if place < len(line) else (None, None, None)
            words += face(domino) + one_hot(relative(king), players)
    waits = [not slot.is_done or slot.domino == position.settled for slot in acting]
    words += [int(not position.is_over and place < len(acting) and waits[place]) for place in range(4)]
    words += [int(domino in position.unseen) for domino in kd.DOMINOES]
    still = rules.rounds - position.round - (0 if position.is_over or position.round == rules.rounds else 1)
    words += [position.round, still]
    scores = [score.total for score in position.scores()]
    words += scores[seat:] + scores[:seat]
    claimed = [] if position.round else [slot.seat for slot in position.line]
    waiting = [0 if position.round else rules.kings - claimed.count(other) for other in range(players)]
    words += waiting[seat:] + waiting[:seat]
    options = (rules.mighty_duel, rules.harmony, rules.middle_kingdom)
    words += [players, *map(int, options), int(rules.edition == "second"), int(rules.opening == "snake")]
    return words


@pytest.mark.parametrize("rules", RULES, ids=kd.Rules.to_text)
def test_planes_and_vector_match_the_position(rules: kd.Rules) -> None:
    for seed in range(3):
        for game in random_game(rules, seed):
            position = game.position
            for seat in range(rules.players):
                seen = observe(position, seat)
                np.testing.assert_array_equal(seen["planes"], expected_planes(position, seat))
                assert seen["vector"].tolist() == expected_vector(position, seat)
                assert (seen["vector"] <= highest(rules)).all()


@pytest.mark.parametrize("rules", RULES, ids=kd.Rules.to_text)
def test_the_compact_form_says_the_same(rules: kd.Rules) -> None:
    for game in random_game(rules, seed=5):
        for seat in range(rules.players):
            seen = observe(game.position, seat)
            words = by_name(seen["vector"], rules)
            compact = observe(game.position, seat, "compact")["compact"].view(compact_dtype(rules))[0]
            planes = seen["planes"].reshape(rules.players, 8, side(rules), side(rules))
            codes, crowns = compact["kingdoms"] % 8, compact["kingdoms"] // 8
            for code in range(6):
                np.testing.assert_array_equal(codes == code + 1, planes[:, code])
            np.testing.assert_array_equal(crowns, planes[:, 6])
            assert (codes == 7).sum() == rules.players
            assert compact["phase"] == words["claim"][0] + 2 * words["place"][0]
            assert one_hot(int(compact["to_move"]) - 1, rules.players) == words["to_move"]
            assert [compact["hand"]] == words["hand.number"]
            for line, name in enumerate(("acting", "offered")):
                for place in range(4):
                    number, king = compact["lines"][line, place].tolist()
                    assert [number] == words[f"{name}.{place}.number"]
                    assert one_hot(king - 1, rules.players) == words[f"{name}.{place}.king"]
            unseen = np.unpackbits(compact["unseen"], bitorder="little")
            assert unseen.tolist() == words["unseen"]
            assert [compact["round"]] == words["round"]
            assert [compact["lines_to_come"]] == words["lines_to_come"]
            assert compact["scores"].tolist() == words["scores"]
            assert compact["kings_waiting"].tolist() == words["kings_waiting"]
            assert [compact["players"]] == words["players"]
            options = ("mighty_duel", "harmony", "middle_kingdom", "second_edition", "snake")
            assert compact["options"].tolist() == [words[option][0] for option in options]


@pytest.mark.parametrize("rules", RULES, ids=kd.Rules.to_text)
def test_the_mask_marks_the_legal_actions_and_no_others(rules: kd.Rules) -> None:
    for game in random_game(rules, seed=2):
        legal = sorted(action.number(rules) for action in game.legal_actions())
        assert np.flatnonzero(action_mask(game.position)).tolist() == legal


@pytest.mark.parametrize("rules", RULES, ids=kd.Rules.to_text)
def test_shuffling_hidden_dominoes_does_not_change_the_observation(rules: kd.Rules) -> None:
    for game in random_game(rules, seed=11):
        other = kd.Game.from_position(game.position, seed=99)
        for seat in range(rules.players):
            for name, array in observe(game.position, seat).items():
                np.testing.assert_array_equal(array, observe(other.position, seat)[name])


def test_observations_show_scores_beyond_a_games_range() -> None:
    rules = kd.Rules(mighty_duel=True, harmony=True, middle_kingdom=True)
    position = finished(rules, MINES, "C")
    words = by_name(observe(position, 0)["vector"], rules)
    compact = observe(position, 0, "compact")["compact"].view(compact_dtype(rules))[0]
    assert compact["scores"].tolist() == words["scores"] == [6912 + 5 + 10, 10]


def test_a_seat_that_there_is_not_is_refused() -> None:
    with pytest.raises(kd.KingdominoError, match=r"there is no seat 2 \(0 to 1\)"):
        observe(kd.Game(seed=1).position, 2)
    with pytest.raises(kd.KingdominoError, match=r'there is no form "flat" \(planes or compact\)'):
        observe(kd.Game(seed=1).position, 0, "flat")  # type: ignore[arg-type]


def test_a_position_with_a_line_or_a_king_due_cannot_be_observed() -> None:
    line = kd.Position.parse("kd1 2.second.random 0 reveal - - 1-48 C;C")
    for position in (line, line.reveal([1, 2, 3, 4])):
        for form in ("planes", "compact"):
            with pytest.raises(kd.KingdominoError, match="a line must be revealed or a king drawn"):
                observe(position, 0, form)


def test_the_page_names_every_field_of_an_observation() -> None:
    page = (Path(__file__).parent.parent.parent / "docs/formats/observation.md").read_text(encoding="utf-8")
    rules = kd.Rules(players=3)
    vector, compact = page.partition("## Vector")[2].split("## Compact")
    names = {re.sub(r"\.\d\.", ".0.", field.name) for field in fields(rules)}
    assert names <= set(re.findall(r"`([\w.]+)`", vector))
    assert set(compact_dtype(rules).names or ()) <= set(re.findall(r"`(\w+)`", compact))
    words = [len(highest(kd.Rules(players=players))) for players in (2, 3, 4)]
    assert "For two players there are {} words, for three {}, for four {}.".format(*words) in page
    assert f"version {VERSION}." in page.lower()
