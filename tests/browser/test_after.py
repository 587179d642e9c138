"""After a game: again, the next of a Dynasty, the record, the proof of the deal, and every move once more."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

import kingdomino as kd
from browser.player import Sit

MOVES = ("dealt", "claimed", "placed", "discarded", "finished")
BOT = {"kind": "bot", "bot": "greedy"}


def test_a_dynasty_is_three_games(sit: Sit) -> None:
    ida = sit()
    table = ida.create({"kind": "me", "name": "Ida"}, BOT, dynasty="total")
    for game in (1, 2, 3):
        ida.program(table)
        ida.go(f"/t/{table}")
        if game < 3:
            expect(ida.page.get_by_role("table")).to_contain_text(ida.say("end.game_n", game=game))
            ida.next_game.click()
            expect(ida.mine).to_be_visible()
    expect(ida.title).to_contain_text("Dynasty")
    totals = ida.page.get_by_role("table")
    events = ida.ask(f"/api/tables/{table}/events")["events"]
    finished = [each for each in events if each["kind"] == "finished"]
    for seat in (0, 1):
        for end in finished:
            expect(totals).to_contain_text(str(end["scores"][seat]["total"]))
        expect(totals).to_contain_text(str(finished[-1]["match"]["scores"][seat]))


def test_the_record_and_the_proof_of_the_deal(sit: Sit, tmp_path: Path) -> None:
    ida = sit()
    table = ida.create({"kind": "me", "name": "Ida"}, BOT, harmony=True)
    ida.program(table)
    ida.go(f"/t/{table}")
    expect(ida.page.get_by_text(ida.say("end.deal_not_kept"))).to_be_visible()
    with ida.page.expect_download() as download:
        ida.link("end.record").click()
    download.value.save_as(tmp_path / "game.txt")
    record = kd.Record.parse((tmp_path / "game.txt").read_text())
    finished = ida.snapshot()["finished"]
    assert record.outcome
    assert [score["total"] for score in finished["scores"]] == [
        score.total for score in record.outcome.scores
    ]


def test_looking_at_a_game_again_by_keys(sit: Sit) -> None:
    ida = sit()
    table = ida.create({"kind": "me", "name": "Ida"}, BOT)
    ida.program(table)
    ida.go(f"/t/{table}")
    ida.focus(ida.link("end.look_back"))
    ida.press("Enter")
    ida.page.wait_for_url(re.compile("/replay"))
    slider = ida.page.get_by_role("slider", name=ida.say("replay.moment"))
    moments = int(slider.get_attribute("max") or 0)
    assert moments > 24
    back, next_ = ida.button("replay.back"), ida.button("replay.next")
    expect(back).to_be_disabled()
    for at in range(1, 6):
        ida.press("ArrowRight")
        expect(slider).to_have_value(str(at))
    ida.press("ArrowLeft")
    expect(slider).to_have_value("4")
    ida.press("End")
    expect(slider).to_have_value(str(moments))
    expect(next_).to_be_disabled()
    finished = ida.snapshot(table)["finished"]
    expect(ida.mine.locator(".score")).to_contain_text(str(finished["scores"][0]["total"]))
    ida.focus(slider)
    ida.press("ArrowLeft", "ArrowLeft")
    expect(slider).to_have_value(str(moments - 2))
    events = ida.ask(f"/api/tables/{table}/events")["events"]
    moves = [each["number"] for each in events if each["kind"] in MOVES]
    expect(ida.page).to_have_url(re.compile(rf"#{moves[moments - 2]}$"))
    ida.page.reload()
    expect(slider).to_have_value(str(moments - 2))
    ida.press("Home")
    expect(slider).to_have_value("0")


def test_a_game_that_goes_on_can_be_looked_at_again_too(sit: Sit) -> None:
    ida = sit()
    table = ida.create("me", BOT)
    ida.program(table, lambda stands: stands["round"] == 3)
    ida.go(f"/t/{table}/replay")
    ida.press("End")
    expect(ida.button("replay.back")).to_be_enabled()
    ida.link("replay.to_table").click()
    ida.task()
