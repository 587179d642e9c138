"""The panel beside the table: its list of moves, and its sentences."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Route, expect

import kingdomino as kd
from browser.player import Player, Sit
from browser.test_offline import no_server

BOT = {"kind": "bot", "bot": "greedy"}
EVENTS = re.compile(r"/events\?")


def panel(player: Player) -> Locator:
    return player.page.locator(".details")


def all_moves(player: Player) -> Locator:
    return player.page.locator(".recent .link")


def test_a_late_list_of_moves_is_ignored(sit: Sit) -> None:
    ida = sit()
    ida.go(f"/t/{ida.create('me', BOT)}")
    ida.turn()
    ida.task()
    late: list[Route] = []
    ida.catch(EVENTS, lambda route: late.append(route))
    with ida.page.expect_request(EVENTS):
        all_moves(ida).click()
    all_moves(ida).click()
    with ida.page.expect_response(EVENTS):
        late[0].continue_()
    ida.settle()
    expect(panel(ida)).to_be_hidden()
    ida.page.unroute(EVENTS)
    all_moves(ida).click()
    expect(panel(ida).get_by_role("heading", level=3).first).to_be_visible()


def test_an_unreadable_list_of_moves_is_retried(sit: Sit) -> None:
    ida = sit()
    ida.go(f"/t/{ida.create('me', BOT)}")
    ida.task()
    no_server(ida, EVENTS)
    all_moves(ida).click()
    expect(panel(ida).get_by_role("alert")).to_have_text(ida.say("common.refused_offline"))
    ida.page.unroute(EVENTS)
    ida.turn()
    expect(panel(ida).get_by_role("alert")).to_have_count(0)
    expect(panel(ida).get_by_role("heading", level=3).first).to_be_visible()


def test_the_list_adds_only_new_moves(sit: Sit) -> None:
    ida, oskar = sit(), sit()
    table = ida.create({"kind": "me", "name": "Ida"}, {"kind": "open"}, public=True)
    oskar.ask(f"/api/tables/{table}/seats", {"seat": 1, "name": "Oskar"})
    players = {0: ida, 1: oskar}

    def move() -> None:
        turn = ida.snapshot(table)["turn"]
        players[turn["seat"]].program_turn(table, turn)

    while ida.snapshot(table)["round"] < 5:
        move()
    watcher = sit()
    watcher.go(f"/t/{table}")
    all_moves(watcher).click()
    body = panel(watcher).get_by_role("group")
    body.focus()
    body.evaluate("(body) => { body.scrollTop = 60; }")
    assert body.evaluate("(body) => body.scrollTop") == 60
    items = panel(watcher).get_by_role("listitem")
    before = items.count()
    with watcher.page.expect_response(EVENTS) as answer:
        move()
    assert len(answer.value.json()["events"]) < 5
    expect(items).not_to_have_count(before)
    expect(body).to_be_focused()
    assert body.evaluate("(body) => body.scrollTop") == 60


def test_moves_from_a_position_appear_under_its_rounds(sit: Sit) -> None:
    ida, game = sit(), kd.Game(seed=5)
    while game.position.round < 2:
        game.play(game.legal_actions()[0])
    wish = {"seats": [{"kind": "me"}, {"kind": "me"}], "position": game.position.to_text()}
    table = ida.ask("/api/tables", wish)["table"]["id"]
    ida.program(table, lambda stands: bool(stands["round"] == 4))
    ida.go(f"/t/{table}")
    all_moves(ida).click()
    lines = {2: game.position.line, 3: game.position.next_line}
    titles = [
        ida.say("table.log_round", round=number, dominoes=", ".join(str(slot.domino.number) for slot in line))
        for number, line in lines.items()
    ]
    expect(panel(ida).get_by_role("heading", level=3)).to_have_text(titles[::-1])


def test_the_snake_opening_draws_no_kings(sit: Sit) -> None:
    ida = sit()
    table = ida.create({"kind": "me", "name": "Ida"}, {"kind": "me", "name": "Oskar"}, opening="snake")
    ida.go(f"/t/{table}")
    ida.task()
    expect(ida.page.locator(".lines").get_by_text(ida.say("table.kings_how_snake"))).to_be_visible()
    expect(ida.page.locator(".next")).to_have_text(ida.say("table.drawn_snake"))
    ida.go(f"/t/{table}/replay")
    ida.press("End")
    expect(ida.page.locator("body")).not_to_contain_text(re.compile("drawn|one by one"))


def test_the_last_domino_of_the_opening_is_claimed_at_once(sit: Sit) -> None:
    ida = sit()
    table = ida.create("me", "me")
    for _ in range(3):
        ida.program_turn(table, ida.snapshot(table)["turn"])
    ida.go(f"/t/{table}")
    assert ida.task() in ("place", "discard")
    assert ida.snapshot(table)["round"] == 1
