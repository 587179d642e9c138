"""Plans: reading arena files, and the errors for bad ones."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import kingdomino as kd
from kingdomino.arena.plan import (
    Entrant,
    Plan,
    SequentialTest,
    canonical,
    differences,
    entrants,
    from_mapping,
    read_plan,
    to_mapping,
)

FILE = """
format = "one-against"
bots = ["greedy", { name = "chance", spec = "random:seed=3" }]
blocks = 200
seed = 7
self_play = true
note = "Four players, both bonuses."
modules = ["my_bots"]

[rules]
players = 4
harmony = true

[test]
elo = [0, 30]
beta = 0.1
"""
PLAN = Plan(
    name="paper",
    format="one-against",
    bots=(Entrant("greedy", "greedy"), Entrant("chance", "random:seed=3")),
    rules=kd.Rules(4, harmony=True),
    blocks=200,
    seed=7,
    self_play=True,
    test=SequentialTest("elo", 0, 30, 0.05, 0.1),
    modules=("my_bots",),
    note="Four players, both bonuses.",
)


@pytest.fixture
def arena_file(tmp_path: Path) -> Callable[[str], Path]:
    def arena_file(text: str) -> Path:
        file = tmp_path / "paper.toml"
        file.write_text(text, encoding="utf-8")
        return file

    return arena_file


def test_an_arena_file_is_a_plan_named_after_it(arena_file: Callable[[str], Path]) -> None:
    assert read_plan(arena_file(FILE)) == PLAN
    assert read_plan(arena_file(f"name = 'other'{FILE}")) == replace(PLAN, name="other")


def test_a_plan_and_its_mapping_are_the_same() -> None:
    for plan in (PLAN, replace(PLAN, test=None), replace(PLAN, test=SequentialTest("win_rate", 0.5, 0.6))):
        assert from_mapping(to_mapping(plan)) == plan


@pytest.mark.parametrize(
    ("good", "bad", "said"),
    [
        ("blocks = 200", "blocks = ", "line 4"),
        ("blocks = 200", "blocks = 200\nname = 'x '", "name = 'x ': a name is one line"),
        ("blocks = 200", "", "'blocks' is missing"),
        (
            "blocks = 200",
            "block = 200",
            "'block' is not a known key (did you mean 'blocks'?); the keys are name, format, bots",
        ),
        (
            "one-against",
            "one-on-one",
            "'format' must be 'round-robin', 'gauntlet', 'one-against' or 'each-against', not \"one-on-one\"",
        ),
        ('"greedy", {', "7, {", "bots[0]: 7 is neither"),
        ('name = "chance"', 'name = "greedy"', ""),
        ('name = "chance"', 'name = "chance "', "bots: 'chance ' is not one line of text without spaces"),
        ("players = 4", "players = 5", "rules: there must be 2 to 4 players, not 5"),
        ("harmony = true", "mighty_duel = true", "rules: "),
        ("elo = [0, 30]", "elo = [30, 0]", "test: elo = [30.0, 0.0]"),
        ("elo = [0, 30]", "elo = [0, inf]", "the first number must be below the second"),
        ("elo = [0, 30]", "win_rate = [0.5, 1]", "win rates lie between 0 and 1"),
        ("elo = [0, 30]", "", "test: one of win_rate, elo is needed"),
        ("beta = 0.1", "beta = 0.7", "test: beta = 0.7"),
    ],
)
def test_the_error_for_a_damaged_arena_file_names_the_wrong_key(
    arena_file: Callable[[str], Path], good: str, bad: str, said: str
) -> None:
    assert good in FILE
    file = arena_file(FILE.replace(good, bad))
    if not said:  # two bots with one name get numbers
        assert [bot.name for bot in read_plan(file).bots] == ["greedy 1", "greedy 2"]
        return
    with pytest.raises(kd.ArenaError) as error:
        read_plan(file)
    assert str(error.value).startswith(f"{file}: ")
    assert said in str(error.value)


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(kd.ArenaError, match="not a text file"):
        read_plan(file)


def test_a_format_says_how_many_bots_it_needs() -> None:
    bots = entrants(["greedy", "random"])
    with pytest.raises(kd.ArenaError, match=r"round-robin with 4 players needs 4 bots .*one-against"):
        Plan("x", "round-robin", bots, kd.Rules(4), 1, 7)
    with pytest.raises(kd.ArenaError, match="one-against with 4 players needs 2 bots"):
        Plan("x", "one-against", bots[:1], kd.Rules(4), 1, 7)
    with pytest.raises(kd.ArenaError, match="it compares two bots, but there are 3"):
        replace(PLAN, bots=entrants(["greedy", "random", "random"]))


def test_elo_bounds_become_win_rates_for_any_number_of_players() -> None:
    test = SequentialTest("elo", 0, 400)
    assert test.win_rates(2) == pytest.approx((1 / 2, 10 / 11))
    assert test.win_rates(4) == pytest.approx((1 / 4, 10 / 13))
    assert SequentialTest("win_rate", 0.3, 0.4).win_rates(4) == (0.3, 0.4)


def test_bots_of_one_name_are_numbered() -> None:
    named = entrants(["greedy", Entrant("greedy", "random"), "random"])
    assert [bot.name for bot in named] == ["greedy 1", "greedy 2", "random"]
    assert [bot.spec for bot in named] == ["greedy", "random", "random"]


@pytest.mark.parametrize("page", ["formats", "guides"])
def test_the_arena_files_in_the_documents_are_plans(arena_file: Callable[[str], Path], page: str) -> None:
    text = (Path(__file__).parents[2] / "docs" / page / "arena.md").read_text(encoding="utf-8")
    fences = re.findall(r"^( *)```toml\n(.*?)```", text, flags=re.MULTILINE | re.DOTALL)
    assert fences
    for indent, fence in fences:
        assert read_plan(arena_file(re.sub(f"^{indent}", "", fence, flags=re.MULTILINE))).seed


def test_bots_are_known_by_their_canonical_specs() -> None:
    given: list[str | Entrant] = [
        "king:time=0.10",
        "king:time=0.1",
        Entrant("mine", "king:threads=1"),
        "random",
        "random",
    ]
    assert canonical(entrants(given)) == (
        Entrant("king:time=0.1 1", "king:time=0.1"),
        Entrant("king:time=0.1 2", "king:time=0.1"),
        Entrant("mine", "king"),
        Entrant("random 1", "random"),
        Entrant("random 2", "random"),
    )
    with pytest.raises(kd.BotError, match="did you mean 'greedy'"):
        canonical(entrants(["gredy"]))


def test_a_seed_that_is_given_stays_in_the_canonical_spec() -> None:
    given = ["random:seed=0", "random", "king:seed=0,playouts=010", "random:seed=3"]
    once = canonical(entrants(given))
    assert [bot.spec for bot in once] == [
        "random:seed=0",
        "random",
        "king:playouts=10,seed=0",
        "random:seed=3",
    ]
    assert [bot.name for bot in once] == [bot.spec for bot in once]
    assert canonical(once) == once


def test_the_differences_between_plans_are_named_by_their_keys() -> None:
    assert differences(PLAN, PLAN) == []
    assert differences(PLAN, replace(PLAN, name="other", note="Without the typo.")) == []
    other = replace(PLAN, blocks=100, test=None)
    assert differences(PLAN, other) == [
        "blocks (200, not 100)",
        "test ({'elo': [0, 30], 'alpha': 0.05, 'beta': 0.1}, not none)",
    ]
