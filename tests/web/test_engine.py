"""The engine for JavaScript, in Node: the same answers as Python's, to the last bit."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.engine import INSTANTIATE, needs_engine
from support.engine_answers import Work, analysis, answers_of_python, read, some_work
from support.node import run_node

import kingdomino as kd
from kingdomino import _core

pytestmark = needs_engine
_RUN = (
    INSTANTIATE
    + """
const { answers } = await import(answering);
const call = await start("kingdomino");
console.log(JSON.stringify(answers(call, JSON.parse(readFileSync(0, "utf8")))));
"""
)
_CALL = (
    INSTANTIATE
    + """
const call = await start("kingdomino");
const answer = ([name, args]) => {
  try { return call(name, args); }
  catch ({ name, message, refusal }) { return { name, message, refusal }; }
};
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(answer)));
"""
)
ENGINE = "../engine/engine.js"
ROOT = Path(__file__).parents[2]
START = kd.Position.parse("kd1 2.second.random 0 claim:1 4,11,27,38 - 1-3,5-10,12-26,28-37,39-48 C;C")


def called(*calls: tuple[str, dict[str, Any]], file: str = "kingdomino") -> list[Any]:
    """Return one instance's answers to these calls, one after the other."""
    answers: list[Any] = run_node(_CALL.replace('"kingdomino"', f'"{file}"'), calls, engine=ENGINE)
    return answers


@pytest.fixture(scope="module")
def work() -> Work:
    return some_work(games=200, searches=200, reviews=20)


@pytest.mark.slow
def test_200_games_200_searches_and_20_reviews_equal_pythons_to_the_last_bit(work: Work) -> None:
    found = run_node(_RUN, work, engine=ENGINE, answering="../../../../../tests/support/engine_answers.js")
    assert read(found) == answers_of_python(work)


def test_two_workers_trees_give_the_result_of_one_search_with_two_trees() -> None:
    playouts = 2 * 16_384
    search = kd.Search(START, seed=3)
    search.run(playouts=playouts)
    each = {"position": START.to_text(), "seed": 3}
    _, _, first, _, _, second = called(
        ("search", each | {"tree": 0}),
        ("run", {"search": 1, "playouts": playouts // 2}),
        ("sums", {"search": 1}),
        ("search", each | {"tree": 1}),
        ("run", {"search": 2, "playouts": playouts // 2}),
        ("sums", {"search": 2}),
    )
    [merged] = called(("merge", {"trees": first + second}))
    assert merged == analysis(search.analysis())


def test_an_ending_is_solved_in_several_runs() -> None:
    game = kd.Game(kd.Rules(players=2, mighty_duel=True), seed=5)
    while len(game.position.unseen) > 4 or game.position.phase == "chance":
        game.play(_core.choose(game.position, "greedy", 1))
    run = ("run", {"search": 1, "playouts": 1})
    _, *stops = called(("search", {"position": game.position.to_text(), "seed": 1}), *[run] * 40)
    assert stops[0] == "stopped"
    assert stops[-1] == "solved"


def test_after_a_failure_inside_the_engine_goes_on_with_a_new_instance() -> None:
    one = {"action": "discard", "visits": 1, "utility": 1.0, "playouts": 1, "line": []}
    whole: list[list[float]] = [[1.0, 0.0]] * 3
    short: list[list[float]] = [[]] * 3
    trees = [{"is_even": False, "actions": [one | {"sums": sums}]} for sums in (whole, short)]
    begin = ("search", {"position": START.to_text(), "seed": 1})
    number, failed, forgotten, other = called(
        begin, ("merge", {"trees": trees}), ("analysis", {"search": 1}), begin
    )
    assert failed["name"] == "EngineError"
    assert "the engine failed and began anew, without its searches: panicked at" in failed["message"]
    assert forgotten["message"] == "this search was freed"
    assert number != other


def test_a_refused_action_says_why() -> None:
    [refused] = called(("move_on", {"position": START.to_text(), "action": "claim 5"}))
    assert refused["refusal"]["code"] == START.refusal("claim 5").code  # type: ignore[union-attr]


def test_puzzles_and_daily_puzzles_equal_pythons() -> None:
    text = (Path(kd.__file__).parent / "server/static/puzzles.txt").read_text(encoding="utf-8")
    count = len(kd.analysis.puzzles())
    found, daily, cut_short, no_date = called(
        ("read_puzzles", {"text": text}),
        ("daily_puzzle", {"date": "2026-03-01", "puzzles": count}),
        ("read_puzzles", {"text": text[:-8]}),
        ("daily_puzzle", {"date": "2026-02-29", "puzzles": count}),
    )
    assert found == json.loads(_core.read_puzzles(text))
    assert found[daily]["name"] == kd.analysis.daily_puzzle("2026-03-01").name
    assert "cut short" in cut_short["message"]
    assert "is not a date" in no_date["message"]


def test_the_engine_for_play_lacks_only_the_calls_of_study() -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("new_game", {"rules": "2.second.random", "seed": 7}),
        ("choices", {"position": START.to_text()}),
        ("level_move", {"position": START.to_text(), "level": 3, "seed": 7}),
        ("daily_puzzle", {"date": "2026-03-01", "puzzles": 500}),
    ]
    *answers, refused = called(*calls, file="play")
    *same, _ = called(*calls)
    assert answers == same
    assert refused["message"] == 'there is no call "daily_puzzle"'


@pytest.mark.parametrize(
    "rules", ["2.second.random", "3.second.random", "4.second.random", "2.second.random.duel"]
)
def test_the_engine_for_play_searches_with_the_network_of_its_rules(rules: str) -> None:
    position = kd.Game(kd.Rules.parse(rules), seed=1).position.to_text()
    asked = ("lacking_network", {"position": position})
    search: list[tuple[str, dict[str, Any]]] = [
        ("search", {"position": position, "seed": 1}),
        ("run", {"search": 1, "playouts": 50}),
    ]
    sums = ("sums", {"search": 1})
    file, refused = called(asked, search[0], file="play")
    assert refused["message"] == f"the search lacks {file}"
    content = [*(ROOT / "crates/search/src/value" / file).read_bytes()]
    cut, _, lacking, *found = called(
        ("load_network", {"file": file, "content": content[1:]}),
        ("load_network", {"file": file, "content": content}),
        asked,
        *search,
        sums,
        file="play",
    )
    assert cut["message"] == f"{file} is no network"
    assert lacking is None
    assert [None, *found] == called(asked, *search, sums)
