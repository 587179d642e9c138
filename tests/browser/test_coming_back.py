"""Nothing gets lost after a reload, a dropped connection or a killed server."""

from __future__ import annotations

import json
import re

from playwright.sync_api import WebSocketRoute, expect

from browser.player import Player, Sit
from browser.served import Served
from browser.test_offline import DEAF

AWAY = r"ERR_CONNECTION|ERR_INTERNET|WebSocket connection|ERR_EMPTY_RESPONSE|503"


def first_domino(player: Player) -> int:
    """Play until the first domino that leaves a choice of claims after it; return its number."""
    while player.task() == "claim" or player.choices_left() < 2:
        player.turn()
    return int(player.snapshot()["turn"]["domino"])


def at_a_table(player: Player) -> str:
    table = player.create("me", {"kind": "bot", "bot": "greedy"})
    player.go(f"/t/{table}")
    return table


def test_a_reload_keeps_a_placement(sit: Sit) -> None:
    ida = sit()
    at_a_table(ida)
    domino = first_domino(ida)
    todo = ida.say("table.place_you", domino=domino)
    expect(ida.title).to_have_text(todo)
    ida.point_at_ring()
    ida.page.reload()
    expect(ida.title).to_have_text(todo)
    ida.click_place()
    assert ida.task() == "claim"  # the page reached the server: only then does a reload discard the placement
    ida.page.reload()  # the domino was not sent, so it is in the hand again
    expect(ida.title).to_have_text(todo)
    ida.turn()
    assert ida.snapshot()["kingdoms"][0]["dominoes"][-1][0] == domino
    assert ida.task() in ("place", "claim", "discard")


def test_a_game_survives_a_killed_server(sit: Sit, own_server: Served) -> None:
    ida = sit(address=own_server.address)
    ida.trouble.forgive(AWAY)
    table = at_a_table(ida)
    domino = first_domino(ida)
    ida.click_place()
    assert ida.task() == "claim"
    own_server.kill()
    expect(ida.page.get_by_text(ida.say("table.reconnecting"))).to_be_visible()
    ida.click_claim()
    own_server.start()
    ida.page.wait_for_function(f"() => !localStorage['kingdomino.unsent.{table}']")  # the claim has arrived
    expect(ida.page.get_by_text(ida.say("table.reconnecting"))).to_have_count(0)
    while ida.snapshot()["round"] < 3:
        ida.turn(ida.click_through)
    ida.program(table)
    events = ida.ask(f"/api/tables/{table}/events")["events"]
    assert [event["number"] for event in events] == list(range(1, len(events) + 1))
    placed = [event["domino"] for event in events if event["kind"] in ("placed", "discarded")]
    assert len(placed) == len(set(placed)) == 24
    assert domino in placed


def test_a_game_survives_a_kill_during_others_moves(sit: Sit, own_server: Served) -> None:
    ida, oskar = sit(address=own_server.address), sit(address=own_server.address)
    for player in (ida, oskar):
        player.trouble.forgive(AWAY)
    table = ida.create({"kind": "me", "name": "Ida"}, {"kind": "open"}, public=True)
    oskar.ask(f"/api/tables/{table}/seats", {"seat": 1, "name": "Oskar"})
    players = (ida, oskar)
    for player in players:
        player.go(f"/t/{table}")
        expect(player.mine).to_be_visible()
    for ply in range(6):
        stands = ida.snapshot()
        if ply in (2, 5):
            own_server.kill()
            own_server.start()
        player = players[stands["turn"]["seat"]]
        player.turn(player.click_through, stands)
    now = ida.snapshot()["turn"]
    expect(players[1 - now["seat"]].title).to_contain_text(("Ida", "Oskar")[now["seat"]])


def test_a_broken_connection_reconnects_and_gets_the_missed_events(sit: Sit) -> None:
    ida, oskar = sit(), sit()
    oskar.trouble.forgive(AWAY)
    table = ida.create({"kind": "me", "name": "Ida"}, {"kind": "open"}, public=True)
    oskar.ask(f"/api/tables/{table}/seats", {"seat": 1, "name": "Oskar"})
    sockets: list[WebSocketRoute] = []

    def follow(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        socket.connect_to_server()

    oskar.page.route_web_socket(re.compile("/socket"), follow)
    for player in (ida, oskar):
        player.go(f"/t/{table}")
        expect(player.mine).to_be_visible()
    while (stands := ida.snapshot())["turn"]["seat"] == 1:
        oskar.turn(stands=stands)
    sockets[-1].close(code=1011)
    while (stands := ida.snapshot())["turn"]["seat"] == 0:
        ida.turn(stands=stands)
    last = stands["recent"][-1]
    expect(oskar.page.locator(".recent")).to_contain_text(f"claimed {last['domino']}")
    oskar.turn(stands=stands)
    assert len(sockets) == 2


def test_players_reconnect_at_random_within_five_seconds(sit: Sit) -> None:
    ida = sit()
    sockets: list[WebSocketRoute] = []

    def follow(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        socket.connect_to_server()

    ida.page.route_web_socket(re.compile("/socket"), follow)
    ida.page.clock.install()
    at_a_table(ida)
    expect(ida.mine).to_be_visible()
    ida.page.evaluate("() => { Math.random = () => 0.9; }")
    ida.stop_clock()
    sockets[-1].close(code=1012)
    reconnecting = ida.page.get_by_text(ida.say("table.reconnecting"))
    ida.page.clock.run_for(1000)
    expect(reconnecting).to_be_visible()
    ida.page.clock.run_for(3000)
    assert len(sockets) == 1
    ida.page.clock.run_for(1000)
    expect(reconnecting).to_have_count(0)
    assert len(sockets) == 2


def test_an_outdated_page_stops_following_the_table(sit: Sit) -> None:
    ida = sit()
    ida.page.add_init_script(f"({DEAF})()")
    ida.go(f"/t/{ida.create('me', 'me')}")
    expect(ida.mine).to_be_visible()
    event = {"kind": "unheard_of", "number": ida.snapshot()["number"] + 1, "at": 0}
    data = json.dumps({"type": "events", "events": [event]})
    ida.page.evaluate("data => sockets[0].onmessage({ data })", data)
    expect(ida.title).to_have_text(ida.say("table.newer"))
    ida.page.wait_for_function("() => sockets[0].readyState > 1")
    ida.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert ida.page.evaluate("sockets.length") == 1
