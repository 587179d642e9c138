"""Games on the player's device: against bots, around one screen, and through a device's mishaps."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import pytest
from playwright.sync_api import Route, expect

import kingdomino as kd
from browser.player import BASE, DESK, FULL_DISK, LANGUAGES, PHONE, Device, Json, Player, Sit

BOT = "king:level=3"
WASM = "application/wasm"
OTHER_ENGINE = b"\0asm\1\0\0\0"
"""A module without the calls of this release."""
VARIANTS: dict[str, tuple[str, str | None, int]] = {
    "all of the Mighty Duel": ("2.first.snake.duel.harmony.middle", None, 1),
    "three in the first edition": ("3.first.random.harmony", None, 2),
    "four with the Middle Kingdom": ("4.second.random.middle", None, 3),
    "a Dynasty": ("2.second.snake.harmony", "total", 1),
}
DATABASE = """(work) => new Promise((resolve, reject) => {
  const opening = indexedDB.open("kingdomino");
  opening.onsuccess = () => {
    const transaction = opening.result.transaction("tables", "readwrite");
    transaction.oncomplete = () => { opening.result.close(); resolve(); };
    transaction.onerror = reject;
    const store = transaction.objectStore("tables");
    store.getAll().onsuccess = ({ target }) => {
      for (const row of target.result) {
        row.table.games[0].record = "kingdomino-record 1";
        row.revision += 1;
        store.put(row);
      }
    };
  };
})"""
"""Damages the record of every table."""
TWICE_MORE = """() => new Promise((resolve) => {
  const opening = indexedDB.open("kingdomino");
  opening.onsuccess = () => {
    const transaction = opening.result.transaction("tables", "readwrite");
    transaction.oncomplete = () => { opening.result.close(); resolve(); };
    const store = transaction.objectStore("tables");
    store.getAll().onsuccess = ({ target: { result: [row] } }) => {
      for (const n of [0, 1, 2]) {
        const id = n ? `${row.id}${n}` : row.id;
        store.put({ ...row, id, table: { ...row.table, id }, played: { ...row.played, id, outcome: "won" } });
      }
    };
  };
})"""
"""Stores two copies of the only table, and makes each a victory."""


def begun(
    sit: Sit,
    *bots: str | None,
    device: Device = DESK,
    permissions: Sequence[str] = (),
    **settings: str | None,
) -> Player:
    """Begin a game on the device, and open its page."""
    ida = sit(device, permissions=permissions)
    ida.go()
    table = ida.create_here(*bots or (BOT,), **settings)  # type: ignore[arg-type]
    ida.go(f"/play?id={table}")
    ida.arrive()
    return ida


def turn_comes(player: Player) -> Json:
    """Wait until it is the player's turn, and return the table."""
    expect(player.title).to_have_text(re.compile(r"^Your turn|^Your king|Place|place"))
    return player.snapshot()


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_can_be_finished(sit: Sit, variant: str) -> None:
    rules, dynasty, bots = VARIANTS[variant]
    ida = begun(sit, *[BOT] * bots, rules=rules, dynasty=dynasty)
    for game in range(3 if dynasty else 1):
        if game:
            ida.next_game.click()
            turn_comes(ida)
        ida.program(ida.table)
        expect(ida.page.locator("kd-end h1")).to_be_visible()
    stands = ida.snapshot()
    assert stands["state"] == "over"
    for score in stands["finished"]["scores"]:
        expect(ida.page.locator("kd-end")).to_contain_text(str(score["total"]))
    ida.settle()


@pytest.mark.parametrize(
    ("language", "device", "how"),
    [
        ("fr", DESK, Player.press_through),
        ("es", PHONE, Player.tap_through),
    ],
)
def test_two_people_share_a_screen(
    sit: Sit, language: str, device: Device, how: Callable[[Player, str], None]
) -> None:
    assert language in LANGUAGES
    ida = sit(device, language=language)
    ida.go()
    table = ida.create_here(None, rules="2.second.random.harmony.middle")
    ida.go(f"/play?id={table}")
    ida.arrive()
    ida.play(lambda task: how(ida, task))
    assert ida.snapshot()["state"] == "over"


def test_a_game_survives_a_reload_and_a_closed_tab(sit: Sit) -> None:
    ida = begun(sit)
    table = ida.table
    ida.turn()
    ida.turn()
    stands = turn_comes(ida)
    ida.page.reload()
    ida.arrive()
    assert ida.snapshot()["number"] >= stands["number"]
    tab = ida.page.context.new_page()
    ida.page.close()
    tab.goto(ida.address)
    tab.locator("#go-on").click()
    tab.wait_for_url(f"**/play?id={table}")
    expect(tab.locator(".play h1")).not_to_be_empty()


def test_two_tabs_show_one_game(sit: Sit) -> None:
    ida = begun(sit, None)
    other = ida.page.context.new_page()
    other.goto(ida.page.url)
    expect(other.locator(".play h1")).not_to_be_empty()
    before = ida.snapshot()
    ida.turn(stands=before)
    after = ida.snapshot()
    assert after["number"] > before["number"]
    expect(other.locator(".play h1")).to_have_text(ida.title.inner_text())
    expect(other.locator(".coming ol .king")).to_have_count(1)


def test_the_end_leads_to_replay_review_and_another_game(sit: Sit) -> None:
    ida = begun(sit)
    table = ida.table
    ida.program(table)
    end = ida.page.locator("kd-end")
    expect(end.locator("h1")).to_be_visible()
    expect(end.get_by_role("link", name=ida.say("end.record"))).to_have_attribute(
        "href", re.compile("^blob:")
    )
    expect(end.locator(".deal")).to_have_count(0)  # nobody else dealt
    end.get_by_role("link", name=ida.say("end.look_back")).click()
    ida.page.wait_for_url(f"**/replay?id={table}*")
    expect(ida.page.locator(".steps input")).to_be_visible()
    ida.go(f"/review?id={table}")
    expect(ida.page.locator("#where")).to_contain_text("1")
    expect(ida.page.locator("#links a")).to_have_count(3)
    ida.page.locator("#links a").first.click()
    ida.page.wait_for_url(f"**/analysis?table={table}*")
    expect(ida.page.locator("#refused")).to_be_empty()
    ida.go(f"/play?id={table}")
    ida.again.click()
    ida.page.wait_for_url(lambda url: "/play?id=" in url and table not in url)
    ida.arrive()
    assert [seat["bot"] for seat in ida.snapshot()["seats"]] == [None, BOT]


def test_a_player_ends_a_game_early(sit: Sit) -> None:
    ida = begun(sit)
    turn_comes(ida)
    ida.page.locator("[popovertarget=menu]").first.click()
    menu = ida.page.locator("#menu")
    expect(menu.get_by_role("button", name=ida.say("table.copy_watch"))).to_have_count(0)
    expect(menu.get_by_role("button", name=ida.say("table.leave"))).to_have_count(0)
    menu.get_by_role("button", name=ida.say("table.end"), exact=True).click()
    menu.get_by_role("button", name=ida.say("table.end_now")).click()
    expect(ida.page.locator("kd-waiting h1")).to_be_visible()
    assert ida.snapshot()["state"] == "closed"


def test_the_record_notes_a_hint(sit: Sit) -> None:
    ida = begun(sit)
    turn_comes(ida)
    ida.press("h")
    expect(ida.page.locator(".hint span")).to_have_text(ida.say("hint.show"))
    assert ida.snapshot()["hints"]


# What may go wrong


def test_an_unknown_game_has_an_error_page(sit: Sit) -> None:
    ida = sit()
    ida.go("/play?id=here-nothing")
    expect(ida.page.locator("h1")).to_have_text(ida.say("lost.table"))


def test_a_damaged_game_says_so(sit: Sit) -> None:
    ida = begun(sit)
    turn_comes(ida)
    ida.page.evaluate(DATABASE)
    ida.page.reload()
    expect(ida.page.locator(".nothing h1")).not_to_be_empty()
    expect(ida.page.get_by_role("link", name=ida.say("table.home"))).to_be_visible()


def test_without_a_database_a_game_lasts_as_long_as_its_tab(sit: Sit) -> None:
    ida = sit()
    ida.page.add_init_script("delete globalThis.indexedDB; IDBFactory.prototype.open = () => { throw 0; };")
    ida.go()
    ida.button("home.play").click()
    ida.arrive()
    ida.turn()
    stands = turn_comes(ida)
    ida.page.reload()
    ida.arrive()
    assert ida.snapshot()["number"] >= stands["number"]


def test_a_game_survives_a_full_disk(sit: Sit) -> None:
    ida = begun(sit)
    turn_comes(ida)
    ida.page.evaluate(FULL_DISK)
    ida.turn()
    expect(ida.page.locator(".play .next")).to_contain_text(ida.say("table.unkept"))
    turn_comes(ida)
    ida.turn()


def test_without_webassembly_the_page_says_why(sit: Sit) -> None:
    ida = sit()
    ida.page.add_init_script("delete globalThis.WebAssembly")
    ida.go()
    ida.button("home.play").click()
    expect(ida.page.locator(".nothing h1")).to_have_text(ida.say("engine.none"))


ENGINE = f'(await import({BASE} + "engine/engine.js")).engine'


def test_a_game_survives_a_killed_engine(sit: Sit) -> None:
    ida = begun(sit)
    ida.turn()
    turn_comes(ida)
    ida.page.evaluate(f"async () => {ENGINE}.close()")
    ida.turn()
    turn_comes(ida)


IDA_THEN_THE_BOT = "kd1 2.second.snake 0 claim:0 4,11,27,38 - 1-3,5-10,12-26,28-37,39-48 C;C"


RECORD_REQUESTS = """() => {
  globalThis.posted = [];
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message) { posted.push(message); return postMessage.call(this, message); };
}"""
HAS_SEARCHED = "posted.some(({ share }) => share)"


def test_a_search_begins_when_its_network_is_loaded(sit: Sit) -> None:
    ida = begun(sit, "king:level=8", rules="2.second.snake", start=IDA_THEN_THE_BOT)
    ida.page.evaluate(RECORD_REQUESTS)
    held: list[Route] = []
    ida.page.context.route("**/two.i8", lambda route: held.append(route))
    with ida.page.expect_request("**/two.i8"):
        ida.turn()
    assert not ida.page.evaluate(HAS_SEARCHED)  # its time would pass while the file loads
    held[0].continue_()
    turn_comes(ida)
    assert ida.page.evaluate(HAS_SEARCHED)


def test_a_game_goes_on_when_its_network_can_be_loaded(sit: Sit) -> None:
    ida = begun(sit, "king:level=8", rules="2.second.snake", start=IDA_THEN_THE_BOT)
    ida.page.context.route("**/two.i8", lambda route: route.abort())
    ida.turn()
    expect(ida.page.locator(".nothing h1")).to_have_text(ida.say("engine.missing"))
    ida.page.context.unroute("**/two.i8")
    ida.page.reload()
    turn_comes(ida)


def test_an_engine_of_another_version_gets_a_sentence(sit: Sit) -> None:
    ida = begun(sit)
    ida.turn()
    stands = turn_comes(ida)
    ida.page.context.route("**/play.wasm", lambda route: route.fulfill(body=OTHER_ENGINE, content_type=WASM))
    ida.page.reload()
    expect(ida.page.locator(".nothing h1")).to_have_text(ida.say("engine.misfit"))
    ida.page.context.unroute("**/play.wasm")
    ida.page.reload()
    ida.arrive()
    assert ida.snapshot()["number"] >= stands["number"]


def test_a_game_survives_a_clock_that_jumps_back(sit: Sit) -> None:
    ida = begun(sit)
    ida.turn()
    turn_comes(ida)
    ida.page.evaluate("Date.now = () => 0")
    ida.turn()
    turn_comes(ida)
    events: Any = ida.client(ida.table, "events")
    times = [event["at"] for event in events]
    assert times == sorted(times)


def test_a_game_is_sent_to_the_server_once(sit: Sit) -> None:
    ida = begun(sit)
    table = ida.table
    with ida.page.expect_response("**/api/me/games") as answered:
        ida.program(table)
    assert answered.value.status == 201
    ida.go("/games")
    rows = ida.page.locator("#ended ol > li")
    expect(rows).to_have_count(1)
    expect(rows.locator("a").first).to_have_attribute("href", re.compile(f"id={table}"))
    expect(ida.page.locator("#statistics")).to_contain_text(ida.say("games.by_level"))
    ida.go()
    expect(ida.page.locator("#last li")).to_have_count(1)
    listed = ida.ask("/api/me/games")
    assert listed["total"] == 1
    assert listed["games"][0]["players"][1]["bot"] == BOT


def copied(player: Player) -> str:
    text: str = player.page.evaluate("navigator.clipboard.readText()")
    return text


CLIPBOARD = ("clipboard-read", "clipboard-write")


def test_a_link_continues_a_game_on_another_device(sit: Sit) -> None:
    ida, phone = begun(sit, permissions=CLIPBOARD), sit(PHONE)
    ida.turn()
    turn_comes(ida)
    ida.page.locator("[popovertarget=menu]").first.click()
    ida.button("table.carry").click()
    expect(ida.page.locator("#menu")).to_contain_text(ida.say("table.copied_carry"))
    link, stands = copied(ida), ida.snapshot()
    phone.page.goto(link)
    phone.page.wait_for_url(f"**/play?id={stands['id']}")
    phone.arrive()
    assert phone.snapshot()["kingdoms"] == stands["kingdoms"]
    turn_comes(phone)
    phone.turn()
    after = turn_comes(phone)
    phone.page.goto(link)  # the game with more moves stays
    phone.page.wait_for_url(f"**/play?id={stands['id']}")
    phone.arrive()
    assert phone.snapshot()["number"] >= after["number"]


def test_a_link_moves_all_games_to_another_device(sit: Sit) -> None:
    ida, phone = begun(sit, permissions=CLIPBOARD), sit(PHONE)
    finished = ida.table
    ida.program(finished)
    begun_table = ida.create_here(BOT)
    ida.client(begun_table, "read")
    ida.go("/games")
    ida.button("games.carry").click()
    expect(ida.page.locator("#carried")).to_have_text(ida.say("games.carry_copied"))
    for _ in range(2):
        phone.page.goto(copied(ida))
        phone.page.wait_for_url("**/games")
        expect(phone.page.locator("#ended ol > li")).to_have_count(1)
        expect(phone.page.locator("#unfinished ol > li")).to_have_count(1)
    assert phone.snapshot(finished)["finished"] == ida.snapshot(finished)["finished"]


PACK = f'async (value) => (await import({BASE} + "local/packed.js")).pack(value)'
TABLES = f'async () => (await import({BASE} + "local/store.js")).allTables()'


def test_a_broken_link_gets_a_sentence(sit: Sit) -> None:
    ida, phone = begun(sit), sit()
    turn_comes(ida)
    ida.turn()
    turn_comes(ida)
    [row] = ida.page.evaluate(TABLES)
    table = row["table"]
    [game] = table["games"]

    def packed(**changes: object) -> str:
        text: str = ida.page.evaluate(PACK, [table | changes])
        return text

    good = packed()
    bad = {
        "cut off": good[: len(good) // 2],
        "not packed": "abc",
        "no table": ida.page.evaluate(PACK, []),
        "another shape": ida.page.evaluate(PACK, {"id": 1}),
        "a table of a server": packed(id="q3v7n2kd8wjm"),
        "other rules": packed(rules="2.second.snake.duel"),
        "too few decisions": packed(games=[game | {"decisions": game["decisions"][1:]}]),
        "no record": packed(games=[game | {"record": "kingdomino-record 1"}]),
        "an unknown start": packed(start="x"),
        "too many seats": packed(seats=table["seats"] * 2),
        "no time": packed(created=-1),
        "a bomb": ida.page.evaluate(PACK, ["x" * 9_000_000]),
        "too long": "A" * 500_001,
    }
    for text in bad.values():
        phone.page.goto("about:blank")
        phone.page.goto(f"{phone.address}/play#{text}")
        expect(phone.page.locator(".nothing h1")).to_have_text(phone.say("table.carried_damaged"))
    assert phone.page.evaluate(TABLES) == []
    phone.page.goto("about:blank")
    phone.page.goto(f"{phone.address}/play#{good}")
    phone.arrive()


def test_a_dynasty_is_sent_as_one_game(sit: Sit) -> None:
    ida = begun(sit, dynasty="best")
    for game in range(3):
        if game:
            ida.next_game.click()
            turn_comes(ida)
        with ida.page.expect_response("**/api/me/games") if game == 2 else nullcontext():
            ida.program(ida.table)
    [listed] = ida.ask("/api/me/games")["games"]
    assert (listed["dynasty"], len(listed["scores"])) == ("best", 3)
    ida.go(f"/g/{listed['id']}#game-2")
    second = ida.page.get_by_role("button", name=ida.say("end.game_n", game=2))
    expect(second).to_have_attribute("aria-pressed", "true")
    ida.go(f"/review/{listed['id']}?game=2")
    expect(ida.page.locator("#where")).to_contain_text("1")
    ida.page.locator("#links a").first.click()
    ida.page.wait_for_url("**/analysis?game=*number=2*")
    expect(ida.page.locator("#refused")).to_be_empty()


def test_a_game_with_a_lost_answer_is_listed_once(sit: Sit) -> None:
    ida = begun(sit)

    def lose_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    ida.catch("**/api/me/games", lose_answer)
    ida.trouble.forgive("ERR_FAILED")
    with ida.page.expect_event("requestfailed", timeout=120_000):  # after a whole game
        ida.program(ida.table)
    ida.page.unroute_all()
    held: list[Route] = []
    ida.page.route(
        "**/api/me/games",
        lambda route: held.append(route) if route.request.method == "POST" else route.fallback(),
    )
    ida.go()
    expect(ida.page.locator("#last")).to_contain_text(ida.say("home.all_games", n=1))
    ida.go("/games")
    expect(ida.page.locator("#ended ol > li")).to_have_count(1)
    expect(ida.page.locator("#intro")).to_contain_text(ida.say("games.finished", n=1))
    ida.page.locator("#ended").get_by_role("button", name=ida.say("games.delete"), exact=True).click()
    ida.page.locator("#ended .sure").get_by_role("button", name=ida.say("games.delete"), exact=True).click()
    expect(ida.page.locator("#ended")).to_be_hidden()
    assert ida.ask("/api/me/games")["total"] == 0


def test_games_of_the_device_suggest_another_level(sit: Sit) -> None:
    ida = begun(sit)
    ida.page.route("**/api/**", lambda route: route.abort())
    ida.trouble.forgive("ERR_FAILED")
    table = ida.table
    ida.program(table)
    ida.page.evaluate(TWICE_MORE)
    ida.page.reload()
    line = ida.page.locator(".suggestion")
    expect(line).to_be_visible()
    ida.go()
    line.get_by_role("button").click()
    ida.page.wait_for_url(lambda url: "/play?id=" in url and table not in url)
    ida.arrive()
    assert ida.snapshot()["seats"][1]["bot"] == "king:level=4"


def test_the_list_and_downloads_need_no_server(sit: Sit) -> None:
    ida = begun(sit)
    ida.page.route("**/api/**", lambda route: route.abort())
    ida.trouble.forgive("ERR_FAILED")
    ida.program(ida.table)
    ida.go("/games")
    expect(ida.page.locator("#ended ol > li")).to_have_count(1)
    expect(ida.page.locator("#intro")).to_contain_text(ida.say("games.only_here"))
    kept = f"{ida.say('games.kept_device')} {ida.say('games.may_forget')}"
    expect(ida.page.locator("#where")).to_have_text(kept)
    expect(ida.page.locator("#statistics")).to_contain_text(ida.say("games.by_level"))
    ida.page.locator("#filter select").last.select_option(index=1)
    expect(ida.page.locator("#ended ol > li")).to_have_count(1)
    ida.go()
    expect(ida.page.locator("#last li")).to_have_count(1)
    expect(ida.page.locator("#last")).to_contain_text(ida.say("games.only_here"))
    ida.go("/games")
    with ida.page.expect_download() as downloaded:
        ida.page.locator("#export").click()
    text = downloaded.value.path().read_text()
    assert kd.Record.parse(text).players == ("Player 0", "Player 1")
    ida.page.locator("#ended").get_by_role("button", name=ida.say("games.delete"), exact=True).click()
    ida.page.locator("#ended .sure").get_by_role("button", name=ida.say("games.delete"), exact=True).click()
    expect(ida.page.locator("#ended")).to_be_hidden()
