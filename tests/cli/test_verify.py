"""``kingdomino verify``, with honest deals and others."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.nonces import nonce_of, promised

import kingdomino as kd
from kingdomino.server.tables.core import deal as deals
from kingdomino.server.tables.core.deal import Commitment, Deal, new_secret

Run = Callable[..., Any]
TABLE = "q3v7n2kd8wjm"
NONCE = nonce_of(7)


def drawn(rules: kd.Rules, *nonces: str | None, game: int = 1) -> Deal:
    """Deal to a browser in the first seat, which gave its nonce or not, and a bot in the last seat."""
    seats = (*["person"] * (rules.players - 1), "bot greedy")
    given = [*(nonces or (nonce_of(7, game),)), *[None] * rules.players][: rules.players]
    digests = [promised(7), *[None] * (rules.players - 1)]
    return Commitment(TABLE, game, rules, seats, new_secret()).deal(digests, given)


def played(deal: Deal, **more: str) -> kd.Record:
    """Return the record of a whole game of this deal, with the tags that a table adds."""
    game, bot = deal.game(), kd.bots.make("greedy")
    while not game.is_over:
        game.play(bot.choose(game.position))
    players = deal.rules.players
    names = [f"Player {seat}" for seat in range(players)]
    tags = {"table": TABLE, f"bot-{players - 1}": "greedy"} | deals.tags(deal) | more
    return kd.Record.from_game(game, names, tags)


@pytest.fixture
def deal() -> Deal:
    return drawn(kd.Rules())


@pytest.fixture
def record(deal: Deal) -> kd.Record:
    return played(deal)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.txt"


def test_an_honest_deal_is_confirmed(run: Run, file: Path, deal: Deal, record: kd.Record) -> None:
    for text in (record.to_text(), record.to_json()):
        file.write_text(text)
        result = run("verify", file)
        said = " ".join(result.out.split())
        assert (result.status, result.err) == (0, "")
        assert f"{file}: the deal fits its commitment" in said
        assert deal.commitment in said
        assert "The deck has the nonce of seat 0." in said
        assert f"The bot in seat 1, greedy, had the seed {deal.bot_seed(1)}." in said
        assert "Compare the commitment" in said


def test_the_players_commitment_and_nonce_are_compared(
    run: Run, refuses: Run, file: Path, deal: Deal
) -> None:
    file.write_text(played(deal).to_text())
    result = run("verify", file, "--commitment", deal.commitment, "--nonce", NONCE)
    assert result.status == 0
    assert "Compare the commitment" not in result.out
    refuses("verify", file, "--commitment", "ab" * 32, said=["commitment", "is not in this record"])
    refuses("verify", file, "--nonce", nonce_of(8), said=["nonce", "is not in this record"])


def test_it_prints_the_limits_of_the_proof(run: Run, file: Path) -> None:
    file.write_text(played(drawn(kd.Rules(), None)).to_text())
    said = " ".join(run("verify", file).out.split())
    assert "No browser gave a nonce, so the server could choose the deck" in said
    assert "Seat 0 promised a nonce and did not give it" in said


def test_every_game_of_a_dynasty_is_checked(run: Run, file: Path) -> None:
    rules = kd.Rules(mighty_duel=True, opening="snake")
    three = [drawn(rules, game=game) for game in (1, 2, 3)]
    file.write_text("\n".join(played(deal, game=str(game)).to_text() for game, deal in enumerate(three, 1)))
    result = run("verify", file)
    assert result.status == 0
    for number, deal in enumerate(three, 1):
        assert f"game {number}: the deal" in result.out
        assert deal.commitment in result.out


def test_a_deal_that_was_not_committed_to_is_refused(refuses: Run, file: Path, record: kd.Record) -> None:
    other = deals.tags(drawn(kd.Rules()))
    changes = (("secret", other["secret"]), ("commitment", other["commitment"]), ("commitment", ""))
    for tag, value in changes:
        tags = {**record.tags, tag: value}
        if not value:
            del tags[tag]
        changed = kd.Record.from_game(record.replay(), record.players, tags)
        file.write_text(changed.to_text())
        refuses("verify", file, said=[str(file), "commitment" if not value else "digest"])


def test_a_game_that_is_not_over_or_is_no_record_is_refused(refuses: Run, file: Path, deal: Deal) -> None:
    tags = {"table": TABLE} | deals.tags(deal)
    file.write_text(kd.Record.from_game(deal.game(), tags=tags).to_text())
    refuses("verify", file, said=["not over"])
    file.write_text("a shopping list")
    refuses("verify", file, said=[str(file)])
    refuses("verify", file.with_name("nowhere.txt"), said=["nowhere.txt: No such file"])
    refuses("verify", said=["RECORD"])
