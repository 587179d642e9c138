"""``kingdomino verify``: a deal that was promised, and ones that were not."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kingdomino as kd
from kingdomino.server.tables.deal import Deal

Run = Callable[..., Any]


def played(rules: kd.Rules, deal: Deal) -> kd.Record:
    """A whole game of this deal, with the tags that a table gives its record."""
    game, bot = deal.game(), kd.bots.make("greedy")
    while not game.is_over:
        game.play(bot.choose(game.position))
    names = [f"Player {seat}" for seat in range(rules.players)]
    return kd.Record.from_game(game, names, {"commitment": deal.commitment, "salt": deal.salt})


@pytest.fixture
def deal() -> Deal:
    return Deal.draw(kd.Rules())


@pytest.fixture
def record(deal: Deal) -> kd.Record:
    return played(kd.Rules(), deal)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.txt"


def test_an_honest_deal_is_said_to_be_one(run: Run, file: Path, deal: Deal, record: kd.Record) -> None:
    for text in (record.to_text(), record.to_json()):
        file.write_text(text)
        result = run("verify", file)
        assert (result.status, result.err) == (0, "")
        assert f"{file}: the deal matches its commitment" in result.out.replace("\n", " ")
        assert deal.commitment in result.out


def test_every_game_of_a_dynasty_is_checked(run: Run, file: Path) -> None:
    deals = [Deal.draw(kd.Rules(mighty_duel=True, opening="snake")) for _ in range(3)]
    file.write_text("\n".join(played(deal.rules, deal).to_text() for deal in deals))
    result = run("verify", file)
    assert result.status == 0
    for number, deal in enumerate(deals, 1):
        assert f"game {number}: the deal" in result.out
        assert deal.commitment in result.out


def test_a_deal_that_was_not_committed_to_is_refused(refuses: Run, file: Path, record: kd.Record) -> None:
    other = Deal.draw(kd.Rules())
    for tag, value in (("salt", other.salt), ("commitment", other.commitment), ("commitment", "")):
        tags = {**record.tags, tag: value}
        if not value:
            del tags[tag]
        changed = kd.Record.from_game(record.replay(), record.players, tags)
        file.write_text(changed.to_text())
        refuses("verify", file, said=[str(file), "commitment" if not value else "digest"])


def test_a_game_that_is_not_over_or_is_no_record_is_refused(refuses: Run, file: Path, deal: Deal) -> None:
    tags = {"commitment": deal.commitment, "salt": deal.salt}
    file.write_text(kd.Record.from_game(deal.game(), tags=tags).to_text())
    refuses("verify", file, said=["not over"])
    file.write_text("a shopping list")
    refuses("verify", file, said=[str(file)])
    refuses("verify", file.with_name("nowhere.txt"), said=["nowhere.txt: No such file"])
    refuses("verify", said=["RECORD"])
