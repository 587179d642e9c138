"""Counting sequences of actions: the engine against known counts, and the oracle against both."""

from copy import deepcopy
from pathlib import Path
from random import Random

import pytest
from support import oracle
from test_simulation import EVERY, oracle_table, play_on_both

import kingdomino as kd

FILE = Path(__file__).parent / "data" / "perft.txt"
SMALL = 20_000  # the oracle counts this many within a second


def read_counts() -> list[tuple[int, int, int, str]]:
    """Read (depth, count, seed, rules text) of every line."""
    lines = [line.split() for line in FILE.read_text().splitlines() if not line.startswith("#")]
    return [(int(depth), int(count), int(seed), rules) for depth, count, seed, rules in lines]


COUNTS = read_counts()


def after_each_action(table: oracle.Table) -> list[oracle.Table]:
    """Play every legal action at a copy of the table; equivalent placements count once."""
    tables = []

    def at_a_copy() -> oracle.Table:
        tables.append(deepcopy(table))
        return tables[-1]

    for number in table.legal_claims():
        at_a_copy().claim(number)
    if table.domino is not None:
        different = {oracle.lying(table.domino, *pair): pair for pair in table.legal_placements()}
        for left, right in different.values():
            at_a_copy().place(left, right)
        if not different:
            at_a_copy().discard()
    return tables


def oracle_perft(table: oracle.Table, depth: int) -> int:
    """Count plainly."""
    if depth == 0:
        return 1
    return sum(oracle_perft(after, depth - 1) for after in after_each_action(table))


@pytest.mark.parametrize(("depth", "count", "seed", "rules"), COUNTS)
def test_the_engine_counts_as_many_sequences_as_are_written_down(
    depth: int, count: int, seed: int, rules: str
) -> None:
    assert kd.perft(kd.Game(kd.Rules.parse(rules), seed=seed), depth) == count


@pytest.mark.parametrize(("depth", "count", "seed", "rules"), [line for line in COUNTS if line[1] <= SMALL])
def test_the_oracle_confirms_the_small_counts(depth: int, count: int, seed: int, rules: str) -> None:
    table = oracle_table(kd.Game(kd.Rules.parse(rules), seed=seed))
    assert oracle_perft(table, depth) == count


@pytest.mark.parametrize("rules", EVERY[::3], ids=kd.Rules.to_text)
def test_engine_and_oracle_count_alike_late_in_games(rules: kd.Rules) -> None:
    rng, game = Random(0), kd.Game(rules, seed=1)
    table = oracle_table(game)
    while not game.is_over:
        if rng.random() < 0.08 or len(game.legal_actions()) == 1:
            assert kd.perft(game, 3) == oracle_perft(table, 3)
        play_on_both(game, table, rng.choice(game.legal_actions()))
    assert kd.perft(game, 0) == oracle_perft(table, 0) == 1
    assert kd.perft(game, 1) == oracle_perft(table, 1) == 0


def test_counting_leaves_the_game_as_it_was() -> None:
    game = kd.Game(seed=1)
    kd.perft(game, 5)
    assert game == kd.Game(seed=1)
