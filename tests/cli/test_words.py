"""The words of the terminal game."""

import pytest
from support.outcomes import outcome_of

import kingdomino as kd
from kingdomino.cli.terminal import words

LARGE = kd.Kingdom.from_squares({(1, 0): ("wheat", 0), (2, 0): ("wheat", 0), (0, 1): ("lake", 2)})
SMALL = kd.Kingdom.from_squares({(1, 0): ("wheat", 1), (0, 1): ("lake", 0)})


@pytest.mark.parametrize(
    ("outcome", "names", "said"),
    [
        (outcome_of((45, 38), (0, 1), (0,), "score"), ["You", "greedy"], "You win, 45 to 38"),
        (outcome_of((38, 45), (1, 0), (1,), "score"), ["You", "greedy"], "greedy wins, 45 to 38"),
        (
            outcome_of((40, 40), (0, 1), (0,), "largest_territory"),
            ["Ida", "greedy"],
            "Ida wins: 40 points each, and the largest territory decides, 2 to 1",
        ),
        (
            outcome_of((40, 40), (0, 1), (0,), "crowns"),
            ["Ida", "greedy"],
            "Ida wins: 40 points each, and the largest territories are equal, so crowns decide, 2 to 1",
        ),
        (
            outcome_of((40, 40), (0, 1), (0, 1), "shared"),
            ["Ida", "greedy"],
            "Ida and greedy share the victory with 40 points each",
        ),
    ],
)
def test_the_result_names_the_winner_and_the_rule_that_decided(
    outcome: kd.Outcome, names: list[str], said: str
) -> None:
    assert words.result(outcome, names, [LARGE, SMALL]) == said


def test_you_are_spoken_to_and_others_are_spoken_of() -> None:
    game = kd.Game(seed=7, opening=[0, 1, 0, 1])
    assert words.task(game.position, ["You", "Ida"]) == "You claim a domino"
    game.play(game.legal_actions()[0])
    assert words.task(game.position, ["You", "Ida"]) == "Ida claims a domino"


def test_the_engine_speaks_of_seats_and_the_table_of_names() -> None:
    game = kd.Game(seed=7, opening=[1, 0, 1, 0])
    claimed = game.legal_actions()[0]
    game.play(claimed)
    refusal = game.position.refusal(claimed)
    assert refusal
    assert refusal.domino
    said = words.refused(refusal, ["You", "greedy"])
    assert said == f"domino {refusal.domino.number} is already claimed, by greedy"
