"""The page reports a lost network at once, and sends an unsent turn later, even after a reload."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from browser.player import Player, Sit

OFFLINE = r"ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket connection"


def at_a_table(player: Player) -> str:
    """Begin a game against a bot; the first task is a claim."""
    player.trouble.forgive(OFFLINE)
    table = player.create("me", {"kind": "bot", "bot": "greedy"})
    player.go(f"/t/{table}")
    assert player.task() == "claim"
    return table


def no_server(player: Player, url: str | re.Pattern[str]) -> None:
    """Answer like a proxy whose server restarts, until the test removes the route."""
    player.trouble.forgive("status of 502")
    page = "<h1>Bad Gateway</h1>"
    player.catch(url, lambda route: route.fulfill(status=502, content_type="text/html", body=page))


def claims(player: Player, table: str) -> list[int]:
    """List the dominoes that the player has claimed."""
    events = player.ask(f"/api/tables/{table}/events")["events"]
    return [event["domino"] for event in events if event["kind"] == "claimed" and event["seat"] == 0]


def assert_sent_once(player: Player, table: str) -> None:
    """Check that the page sent the first claim once. It may also have claimed the opening's last domino."""
    made = claims(player, table)
    assert len(made) == 1 or (len(made) == 2 and player.snapshot(table)["round"] >= 1)


def kept(player: Player, table: str) -> bool:
    """Return whether the browser keeps a turn that it could not send."""
    stored: bool = player.page.evaluate(f"localStorage['kingdomino.unsent.{table}'] !== undefined")
    return stored


def test_a_lost_network_is_reported_and_the_turn_sent_later(sit: Sit) -> None:
    ida = sit()
    table = at_a_table(ida)
    said = ida.page.locator(".next")
    ida.page.context.set_offline(True)
    expect(said).to_contain_text(ida.say("table.offline_watch"))
    ida.click_claim()
    expect(said).to_contain_text(ida.say("table.offline"))  # only now is there a move to send
    expect(ida.page.locator("#announcer")).to_contain_text(ida.say("table.offline"))
    expect(ida.claim).to_be_hidden()
    assert kept(ida, table)
    ida.page.context.set_offline(False)
    expect(said).not_to_contain_text(ida.say("table.offline"))
    ida.task()
    assert claims(ida, table)
    assert not kept(ida, table)


def test_an_unsent_claim_shows_its_king(sit: Sit) -> None:
    ida = sit()
    table = at_a_table(ida)
    ida.catch("**/actions", lambda route: route.abort())
    ida.click_claim()
    expect(ida.page.locator(".next")).to_contain_text(ida.say("table.offline"))
    marked = ida.page.locator(".line.coming li.sel")
    expect(marked).to_have_count(1)
    expect(marked.locator(".king")).to_be_visible()
    expect(marked.get_by_role("img")).to_have_accessible_name(re.compile(ida.say("table.king_of", name=".+")))
    domino = marked.get_attribute("data-domino")
    ida.page.unroute("**/actions")
    ida.task()
    assert claims(ida, table)[0] == int(domino or 0)  # the page claims the last domino of the opening unasked


def test_a_client_with_events_is_online(sit: Sit) -> None:
    """On a train a laptop's browser may report no network although it reaches a server on board."""
    ida, mara = sit(), sit()
    mara.page.add_init_script("Object.defineProperty(navigator, 'onLine', { get: () => false })")
    table = ida.create("me", "me")
    mara.go(f"/t/{table}")
    step = mara.page.locator(".next")
    expect(mara.mine).to_be_visible()
    expect(step).not_to_contain_text(mara.say("table.offline_watch"))
    mara.page.evaluate("dispatchEvent(new Event('offline'))")
    expect(step).to_contain_text(mara.say("table.offline_watch"))
    ida.program_turn(table, ida.snapshot(table)["turn"])
    expect(step).not_to_contain_text(mara.say("table.offline_watch"))


def test_an_unsent_turn_survives_a_reload(sit: Sit) -> None:
    ida = sit()
    table = at_a_table(ida)
    while ida.task() == "claim":
        ida.turn()
    before = len(claims(ida, table))
    ida.catch("**/actions", lambda route: route.abort())
    ida.click_through(ida.task())
    ida.click_through("claim")
    expect(ida.page.locator(".next")).to_contain_text(ida.say("table.offline"))
    ida.page.unroute("**/actions")
    with ida.page.expect_response("**/actions"):
        ida.page.reload()
    ida.task()
    assert len(claims(ida, table)) == before + 1
    assert not kept(ida, table)


def places_offline(player: Player) -> str:
    """Place a domino while the server is away; reload the page when it is back. Return the table."""
    table = at_a_table(player)
    while player.task() == "claim":
        player.turn()
    player.catch("**/choices*after=place*", lambda route: route.abort())
    player.click_through(player.task())
    expect(player.page.locator(".next")).to_contain_text(player.say("table.offline"))
    player.page.unroute("**/choices*after=place*")
    player.page.reload()
    expect(player.title).to_have_text(player.say("table.claim_you"))
    return table


def test_an_offline_turn_can_be_taken_back(sit: Sit) -> None:
    ida = sit()
    table = at_a_table(ida)
    while ida.task() == "claim":
        ida.turn()
    before = ida.snapshot(table)
    ida.page.context.set_offline(True)
    ida.click_through(ida.task())
    expect(ida.title).to_have_text(ida.say("table.claim_you"))
    expect(ida.page.locator(".next")).to_contain_text(ida.say("table.offline"))
    ida.click_claim()
    expect(ida.title).to_have_text(ida.say("table.waiting"))
    ida.take_back.click()  # the claim
    expect(ida.title).to_have_text(ida.say("table.claim_you"))
    ida.take_back.click()  # the placement
    expect(ida.title).to_have_text(ida.say("table.place_you", domino=before["turn"]["domino"]))
    assert not kept(ida, table)
    ida.click_through(ida.task())
    second = ida.offered.nth(1)
    second.click()
    claimed = int(re.findall(r"\d+", ida.claim.inner_text())[0])
    ida.claim.click()
    expect(ida.title).to_have_text(ida.say("table.waiting"))
    expect(ida.take_back).to_be_visible()
    assert ida.snapshot(table) == before
    ida.page.context.set_offline(False)
    expect(ida.title).not_to_have_text(ida.say("table.waiting"))
    ida.task()
    assert claims(ida, table)[-1] == claimed
    assert not kept(ida, table)


def test_the_points_of_dominoes_come_with_the_server(sit: Sit) -> None:
    ida = sit()
    at_a_table(ida)
    while ida.task() == "claim":
        ida.turn()
    ida.catch("**/choices*after=place*", lambda route: route.abort())
    ida.click_through(ida.task())
    second = ida.offered.nth(1)
    second.click()
    worth = ida.page.locator("section.coming .offer .note").first
    expect(worth).to_be_empty()
    ida.page.unroute("**/choices*after=place*")
    expect(worth).not_to_be_empty()
    expect(second).to_have_attribute("aria-pressed", "true")


def test_a_placement_taken_back_stays_away(sit: Sit) -> None:
    ida = sit()
    table = places_offline(ida)
    assert kept(ida, table)
    ida.take_back.click()
    expect(ida.title).to_have_text(ida.pattern("table.place_you"))
    assert not kept(ida, table)


def test_a_late_turn_is_dropped(sit: Sit) -> None:
    ida = sit()
    table = at_a_table(ida)
    ida.catch("**/actions", lambda route: route.abort())
    ida.click_claim()
    expect(ida.page.locator(".next")).to_contain_text(ida.say("table.offline"))
    ida.page.goto("about:blank")
    ida.program_turn(table, ida.snapshot(table)["turn"])
    ida.page.unroute("**/actions")
    ida.go(f"/t/{table}")
    ida.task()
    assert not kept(ida, table)


def test_a_turn_refused_by_a_busy_server_is_resent(sit: Sit) -> None:
    ida = sit()
    table = at_a_table(ida)
    ida.trouble.forgive("status of 503")
    busy = {"code": "busy", "reason": "the server has too much to do; try again in 1 s"}
    ida.catch("**/actions", lambda route: route.fulfill(status=503, json=busy))
    ida.click_claim()
    expect(ida.page.get_by_text(ida.say("common.refused_busy")).first).to_be_visible()
    expect(ida.page.locator(".next")).not_to_contain_text(ida.say("table.offline"))
    ida.page.unroute("**/actions")
    ida.task()
    assert_sent_once(ida, table)


def test_a_turn_answered_by_a_proxy_is_resent(sit: Sit) -> None:
    ida = sit()
    table = at_a_table(ida)
    no_server(ida, "**/actions")
    ida.click_claim()
    expect(ida.page.locator(".next")).to_contain_text(ida.say("table.offline"))
    assert kept(ida, table)
    ida.page.unroute("**/actions")
    ida.task()
    assert_sent_once(ida, table)
    assert not kept(ida, table)


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/learn", "#what:not(:empty)"),
        ("/rules", "#nine > li"),
        ("/analysis", ".study .sources"),
        ("/", "#picture svg"),
        ("/t/", ".play .mine"),
        ("/t/replay", "input[type=range]"),
    ],
)
def test_a_failed_first_request_offers_a_reload(sit: Sit, path: str, shown: str) -> None:
    ida = sit()
    if path.startswith("/t/"):
        table = ida.create("me", {"kind": "bot", "bot": "greedy"})
        path = path.replace("/t/", f"/t/{table}/").rstrip("/")
    no_server(ida, "**/dominoes.json")
    ida.trouble.forgive("502 for dominoes")
    ida.page.goto(ida.address + path)
    stopped = ida.page.get_by_role("alert").filter(has_text=ida.say("offline.why"))
    expect(stopped).to_be_visible()
    ida.page.unroute("**/dominoes.json")
    ida.button("offline.again").click()
    expect(ida.page.locator(shown).first).to_be_visible()
    expect(stopped).to_have_count(0)


def test_missing_words_offer_a_reload(sit: Sit) -> None:
    ida = sit(language="fr")
    ida.trouble.forgive("502 for .*words")
    no_server(ida, "**/words/fr.json")
    ida.page.goto(f"{ida.address}/games")
    stopped = ida.page.get_by_role("alert").filter(has_text="No connection. Nothing is lost.")
    expect(stopped).to_have_attribute("lang", "en")
    ida.page.unroute("**/words/fr.json")
    ida.page.get_by_role("button", name="Try again").click()
    expect(ida.title).to_have_text(ida.say("games.headline"))
    expect(stopped).to_have_count(0)


DEAF = """() => {
  window.sockets = [];
  window.WebSocket = class extends WebSocket {
    constructor(...address) {
      super(...address);
      window.sockets.push(this);
    }
  };
}"""
"""A browser whose connections can die without notice."""


def dies(player: Player) -> None:
    """Make the connection receive nothing more, not even its own end."""
    player.page.evaluate("Object.assign(sockets[0], { onmessage: null, onclose: null })")


def test_a_change_of_network_replaces_the_connection(sit: Sit) -> None:
    ida = sit()
    ida.page.add_init_script(f"({DEAF})()")
    table = at_a_table(ida)
    dies(ida)
    ida.program_turn(table, ida.snapshot(table)["turn"])
    ida.page.evaluate("dispatchEvent(new Event('online'))")
    expect(ida.page.locator(".line .king").first).to_be_visible()
    ida.page.wait_for_function("() => sockets.length === 2 && sockets[0].readyState > 1")


def test_sleep_replaces_the_connection(sit: Sit) -> None:
    ida = sit()
    ida.page.add_init_script(f"({DEAF})()")
    ida.page.clock.install()
    table = at_a_table(ida)
    dies(ida)
    ida.program_turn(table, ida.snapshot(table)["turn"])
    ida.page.clock.fast_forward(60_000)
    ida.page.wait_for_function("() => sockets.length === 2 && sockets[0].readyState > 1")
    expect(ida.page.locator(".line .king").first).to_be_visible()


def test_a_missing_event_replaces_the_connection(sit: Sit) -> None:
    ida = sit()
    ida.page.add_init_script(f"({DEAF})()")
    ida.page.clock.install()
    at_a_table(ida)
    dies(ida)
    with ida.page.expect_response("**/actions"):
        ida.click_claim()
    ida.settle()
    ida.page.clock.fast_forward(5000)
    ida.page.wait_for_function("() => sockets.length === 2 && sockets[0].readyState > 1")
    ida.task()


BUSY = {"code": "busy", "reason": "the server has too much to do; try again in 10 s"}


def refuses_lists(player: Player) -> None:
    """Refuse lists, as the server does first under overload."""
    player.trouble.forgive("status of 503")

    def refuse(route: Route) -> None:
        if route.request.method == "GET":
            route.fulfill(status=503, json=BUSY)
        else:
            route.continue_()

    player.catch(re.compile(r"/api/(me|me/games|me/settings|tables)(\?.*)?$"), refuse)


@pytest.mark.parametrize("page", ["/", "/learn", "/nowhere"])
def test_a_game_begins_though_the_server_refuses_lists(sit: Sit, page: str) -> None:
    ida = sit()
    ida.go()
    ida.page.get_by_label(ida.say("home.name"), exact=True).fill("Ida")
    with ida.page.expect_response("**/api/me"):
        ida.press("Enter")
    ida.trouble.forgive("status of 404")
    refuses_lists(ida)
    ida.go(page)
    if page == "/learn":
        expect(ida.page.locator("#what")).not_to_be_empty()
        ida.page.evaluate("document.querySelector('#play').click()")
    else:
        ida.button("home.play").click()
    table = ida.arrive()
    assert ida.snapshot(table)["seats"][0]["name"] == "Ida"


def test_the_worker_fetches_missing_files_later(sit: Sit) -> None:
    ida = sit()
    ida.page.context.request.put(f"{ida.address}/api/me", data={"name": "Ida"})
    refuses_lists(ida)
    ida.go()
    expect(ida.page.locator("#bot option")).not_to_have_count(0)
    name = ida.page.get_by_label(ida.say("home.name"), exact=True)
    expect(name).to_be_empty()
    ida.page.unroute_all()
    ida.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(name).to_have_value("Ida")


@pytest.mark.parametrize("file", ["bots.json", "rules-sets.json"])
def test_a_press_before_the_page_is_ready_starts_a_game(sit: Sit, file: str) -> None:
    ida = sit()
    held: list[Route] = []
    ida.catch(f"**/{file}", lambda route: held.append(route), times=1)
    with ida.page.expect_request(f"**/{file}"):
        ida.page.goto(ida.address, wait_until="commit")
    ida.button("home.play").click()
    expect(ida.button("home.play")).to_be_disabled()
    held.pop().continue_()
    ida.arrive()


@pytest.mark.parametrize("file", ["bots.json", "rules-sets.json"])
def test_the_first_page_recovers_when_the_server_does(sit: Sit, file: str) -> None:
    ida = sit()
    ida.trouble.forgive(f"status of 503|503 for {file}")
    ida.catch(f"**/{file}", lambda route: route.fulfill(status=503))
    ida.go()
    again = ida.button("offline.again")
    expect(again).to_be_visible()
    ida.page.unroute(f"**/{file}")
    again.click()
    expect(ida.page.locator("#bot option")).not_to_have_count(0)
