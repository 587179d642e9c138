"""A browser keeps the server's commitment, gives its own nonce, and checks the deck at the end."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

import kingdomino as kd
from browser.clocked import ClockedServer
from browser.player import BASE, PHONE, Json, Player, Sit
from kingdomino.server.tables.core.deal import check

CHANGE = """([name, change]) => {
  const entries = JSON.parse(localStorage[`kingdomino.${name}`]);
  for (const entry of entries) Object.assign(entry, change);
  localStorage[`kingdomino.${name}`] = JSON.stringify(entries);
}"""


CREATE = f"""async (wishes) => {{
  const {{ promiseNonce, takePart }} = await import({BASE} + "table/nonces.js");
  const {{ post }} = await import({BASE} + "net/api.js");
  const {{ table, you }} = await post("/api/tables", {{}}, {{ ...wishes, digest: promiseNonce() }});
  await takePart(table, you.seats);
  return table.id;
}}"""
BOT = {"kind": "bot", "bot": "greedy"}


def begin(player: Player, other: Json = BOT, **wishes: object) -> str:
    """Create a table on the server with a number from this browser, as the home page does, and open it."""
    player.go()
    table = player.page.evaluate(CREATE, {"seats": [{"kind": "me"}, other], **wishes})
    player.go(f"/t/{table}")
    return player.arrive()


def kept(player: Player, name: str) -> list[Json]:
    """Read the records that the browser has kept."""
    entries: list[Json] = json.loads(player.page.evaluate(f"localStorage['kingdomino.{name}']"))
    return entries


def to_the_end(player: Player, table: str) -> None:
    """Play the game by the API, and open its end."""
    player.program(table)
    player.go(f"/t/{table}")
    expect(player.again.or_(player.next_game)).to_be_visible()


def says(player: Player, key: str, **params: object) -> None:
    """Assert that the end shows this verdict on the deck, with its reasons behind a button."""
    kind = "fits" if key == "end.deal_holds" else "misfit" if "other" in key else "unsure"
    deal = player.page.locator(".deal")
    expect(deal.get_by_role("status")).to_have_text(player.say(f"end.deal_{kind}"))
    ask, why = deal.get_by_role("button"), deal.locator(".how > p").first
    expect(ask).to_have_attribute("aria-expanded", str(kind == "misfit").lower())
    if kind != "misfit":
        expect(why).to_be_hidden()
        ask.click()
    expect(why).to_be_visible()
    expect(why).to_have_text(player.say(key, **params))


def test_a_game_against_bots_uses_the_browsers_nonce(sit: Sit) -> None:
    ida = sit()
    table = begin(ida)
    expect(ida.mine).to_be_visible()
    (seen,) = kept(ida, "deals")
    now = ida.snapshot(table)
    assert (seen["table"], seen["game"], seen["commitment"]) == (table, 1, now["commitment"])
    assert list(seen["nonces"].values()) == [nonce for nonce in now["nonces"] if nonce]
    assert seen["digests"] == now["digests"]
    ida.button("table.more").click()
    expect(ida.page.locator("#menu code")).to_have_count(0)
    to_the_end(ida, table)
    says(ida, "end.deal_holds")
    expect(ida.page.locator(".deal code")).to_have_attribute("title", now["commitment"])
    record = ida.page.context.request.get(f"{ida.address}/api/tables/{table}/record").text()
    assert check(kd.Record.parse(record)).nonces == (0,)


def test_a_commitment_outlasts_many_other_games(sit: Sit) -> None:
    ida = sit()
    ida.go()
    promised = {"digest": "ab" * 32, "bytes": "cd" * 32}
    others = [{"digest": f"{n:064x}", "bytes": "ef" * 32, "table": f"t{n}", "game": 1} for n in range(100)]
    stored = json.dumps([promised, *others])
    ida.page.evaluate("stored => { localStorage['kingdomino.nonces'] = stored; }", stored)
    begin(ida)
    expect(ida.mine).to_be_visible()
    assert promised in kept(ida, "nonces")


def test_every_game_uses_a_nonce_of_the_browser(sit: Sit) -> None:
    ida = sit(PHONE)
    table = begin(ida, {"kind": "me", "name": "Oskar"}, dynasty="total")
    for game in (1, 2, 3):
        expect(ida.mine).to_be_visible()
        to_the_end(ida, table)
        says(ida, "end.deal_holds")
        if game < 3:
            ida.next_game.tap()
    ida.again.tap()
    ida.page.wait_for_url(lambda url: table not in url)
    again = ida.arrive()
    expect(ida.mine).to_be_visible()
    assert [one["game"] for one in kept(ida, "deals")] == [1, 2, 3, 1]
    assert len({json.dumps(one["nonces"]) for one in kept(ida, "deals")}) == 4
    assert any(ida.snapshot(again)["nonces"])


@pytest.mark.parametrize(
    ("name", "change", "key"),
    [
        ("deals", {"commitment": "ab" * 32}, "other_commitment"),
        ("deals", {"nonces": {"0": "ab" * 32}}, "other_nonces"),
        ("deals", {"table": "another"}, "not_kept"),
        ("deals", {"nonces": {}}, "no_nonce"),
    ],
)
def test_another_game_fails_the_check(sit: Sit, name: str, change: Json, key: str) -> None:
    """Imitate a server that showed this browser something else before the game."""
    ida = sit()
    table = begin(ida)
    expect(ida.mine).to_be_visible()
    ida.page.evaluate(CHANGE, [name, change])
    to_the_end(ida, table)
    says(ida, f"end.deal_{key}")


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"secret": "ab" * 32}, "other_secret"),
        ({"nonces": ["ab" * 32, None]}, "other_nonces"),
        ({"nonces": [None, None]}, "other_deck"),
    ],
)
def test_a_wrong_reveal_fails_the_check(sit: Sit, change: Json, key: str) -> None:
    ida = sit()
    table = begin(ida)
    expect(ida.mine).to_be_visible()
    ida.program(table)

    def lie(text: str | bytes) -> str | bytes:
        message = json.loads(text)
        if message["type"] == "snapshot":
            message["table"]["deal"]["proof"] |= change
        return json.dumps(message)

    ida.page.route_web_socket(
        "**/socket*",
        lambda socket: (lambda server: server.on_message(lambda text: socket.send(lie(text))))(
            socket.connect_to_server()
        ),
    )
    ida.go(f"/t/{table}")
    says(ida, f"end.deal_{key}")


def test_a_missing_nonce_does_not_stop_the_game(sit: Sit, clocked: ClockedServer) -> None:
    ida, oskar = sit(address=clocked.address), sit(address=clocked.address)
    oskar.trouble.forgive("ERR_FAILED")
    for player in (ida, oskar):
        player.trouble.forgive("409.*choices")  # a bot takes over while the page asks
    oskar.catch("**/nonce", lambda route: route.abort())
    table = sit(address=clocked.address).create("open", "open", public=True)

    def sit_down(player: Player) -> None:
        player.go(f"/t/{table}")
        player.page.get_by_role("button", name=player.say("wait.sit_here")).first.click()

    sit_down(ida)
    expect(ida.title).to_have_text(ida.say("wait.seated"))
    with ida.page.expect_response("**/nonce"):  # Ida's number arrives in time
        sit_down(oskar)
    for player in (ida, oskar):
        expect(player.title).to_have_text(player.say("wait.drawing"))
    clocked.pass_by(3)
    for player in (ida, oskar):
        expect(player.mine).to_be_visible()
        player.ask(f"/api/tables/{table}/seats/{0 if player is ida else 1}/leave", {})
    for player, key in ((ida, "withheld"), (oskar, "left_out")):
        expect(player.again).to_be_visible()
        says(player, f"end.deal_{key}", decks=2)


def test_the_next_start_reports_a_lost_game(sit: Sit) -> None:
    """Imitate a server that dislikes the deck: it answers with an error, and loses the table."""
    ida = sit()
    ida.trouble.forgive("503|404")
    nothing = {"code": "no_table", "reason": "there is no such table"}
    ida.catch("**/nonce", lambda route: route.fulfill(status=503, json={"code": "storage", "reason": "no"}))
    table = begin(ida)
    (seen,) = kept(ida, "deals")
    (unbegun,) = kept(ida, "unbegun")
    assert (unbegun["table"], unbegun["commitment"]) == (table, seen["commitment"])
    ida.catch(f"**/api/tables/{table}", lambda route: route.fulfill(status=404, json=nothing))
    for path in ("/new", "/"):
        ida.go(path)
        notice = ida.page.get_by_role("alert").filter(has_text=ida.say("home.lost_game", n=1))
        expect(notice.locator("code")).to_have_attribute("title", seen["commitment"])
    ida.button("home.lost_game_seen").click()
    expect(notice).to_be_hidden()
    assert ida.page.evaluate("localStorage['kingdomino.unbegun']") is None
    assert kept(ida, "deals") == [seen]


def test_a_game_begun_elsewhere_is_not_lost(sit: Sit) -> None:
    ida = sit()
    table = begin(ida)
    expect(ida.mine).to_be_visible()
    assert ida.page.evaluate("localStorage['kingdomino.unbegun']") is None
    (seen,) = kept(ida, "deals")
    stored = json.dumps([{"table": table, "game": 1, "commitment": seen["commitment"], "at": 0}])
    ida.page.evaluate("stored => { localStorage['kingdomino.unbegun'] = stored; }", stored)
    with ida.page.expect_response(f"**/api/tables/{table}"):
        ida.go()
    ida.page.wait_for_function("localStorage['kingdomino.unbegun'] === undefined")
    expect(ida.page.locator(".stopped")).to_have_count(0)
