"""People who play with one another: by a link, by a code, on one device, or as spectators."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Dialog, Route, expect

from browser.player import COME_TO_REST, PHONE, TABLET, Json, Player, Sit
from browser.served import Served


def play_together(table: str, players: dict[int, Player]) -> None:
    """Play all turns of a game: at the page until the second round and in the last one, else by the API."""
    one = players[0]

    def at_the_page(until: Callable[[Json], bool]) -> None:
        while not until(stands := one.snapshot(table)):
            players[stands["turn"]["seat"]].turn(stands=stands)

    at_the_page(lambda stands: stands["round"] == 2)
    for player in players.values():
        player.page.goto("about:blank")  # otherwise it would play too
    while (stands := one.snapshot(table))["round"] < stands["rules"]["rounds"]:
        players[stands["turn"]["seat"]].program_turn(table, stands["turn"])
    for player in players.values():
        player.go(f"/t/{table}")
    at_the_page(lambda stands: stands["state"] == "over")
    for player in players.values():
        expect(player.again).to_be_visible()
        expect(player.page.locator(".deal [role=status]")).not_to_be_empty()


def name(player: Player, text: str) -> None:
    """Enter the player's name on the home page."""
    player.go()
    field = player.page.get_by_label(player.say("home.name"), exact=True)
    field.fill(text)
    with player.page.expect_response(lambda answer: answer.request.method == "PUT"):
        field.blur()


def test_a_friend_joins_by_a_link(sit: Sit) -> None:
    ida, oskar = sit(), sit(PHONE)
    name(ida, "Ida")
    ida.link("home.friends").click()
    ida.page.wait_for_url(re.compile("/new$"))
    ida.button("new.create").click()
    table = ida.arrive()
    expect(ida.title).to_have_text(ida.say("wait.host"))
    invitation = ida.page.get_by_label(ida.say("wait.link", seat=2)).input_value()

    oskar.page.goto(invitation)
    expect(oskar.title).to_have_text(oskar.say("wait.invited"))
    oskar.page.get_by_label(oskar.say("wait.name")).fill("Oskar")
    oskar.button("wait.sit").tap()
    players = {0: ida, 1: oskar}
    for player, other in ((ida, "Oskar"), (oskar, "Ida")):
        expect(player.mine).to_be_visible()
        expect(player.page.locator(".opponents")).to_contain_text(other)
        assert "#" not in player.page.url, "a secret stays in the address"
    play_together(table, players)
    for player in players.values():
        expect(player.page.get_by_text(player.say("end.deal_fits"))).to_be_visible()
    scores = [re.findall(r"\d+", player.title.inner_text()) for player in (ida, oskar)]
    assert scores[0] == scores[1]


def test_a_waiting_host_hears_the_number_of_free_seats(sit: Sit) -> None:
    """A screen reader announces changes within a status, but not a new status."""
    ida, oskar = sit(), sit()
    table = ida.create("me", "open", "open", public=True)
    ida.go(f"/t/{table}")
    status = ida.page.locator("kd-waiting header").get_by_role("status")
    expect(status).to_have_text(ida.say("wait.host_next", n=2))
    header = ida.page.locator("kd-waiting header").element_handle()
    oskar.ask(f"/api/tables/{table}/seats", {"seat": 1, "name": "Oskar"})
    expect(status).to_have_text(ida.say("wait.host_next", n=1))
    assert header.evaluate("element => element.isConnected")


def test_a_name_typed_early_stays(sit: Sit) -> None:
    ida = sit()
    held: list[Route] = []
    ida.catch("**/api/me", lambda route: held.append(route))
    with ida.page.expect_request("**/api/me"):
        ida.go()
    field = ida.page.get_by_label(ida.say("home.name"), exact=True)
    field.fill("Ida")
    with ida.page.expect_response("**/api/me"):
        held.pop().continue_()
    expect(ida.page.locator("#bot option")).not_to_have_count(0)
    expect(field).to_have_value("Ida")


def test_the_seat_gets_the_typed_name(sit: Sit) -> None:
    ida = sit()
    ida.go()
    expect(ida.page.locator("#bot option")).not_to_have_count(0)
    ida.catch("**/api/me", lambda _: None)  # the server never confirms the name
    ida.page.get_by_label(ida.say("home.name"), exact=True).fill("Ida")
    ida.page.locator("#play").click()
    ida.arrive()
    expect(ida.mine).to_contain_text("Ida")


def test_a_code_leads_to_a_seat(sit: Sit) -> None:
    ida, mara = sit(), sit(TABLET)
    table = ida.create({"kind": "me", "name": "Ida"}, "invited")
    ida.go(f"/t/{table}")
    words = ida.page.locator(".code .words").inner_text()

    mara.go()
    code = mara.page.get_by_label(mara.say("home.code"))
    code.fill("amber amber amber")
    mara.trouble.forgive("404")
    mara.button("home.code_go").click()
    expect(mara.page.get_by_text(mara.say("common.refused_no_code"))).to_be_visible()
    code.fill(f"  {words.upper()}")
    mara.button("home.code_go").click()
    mara.arrive()
    mara.page.get_by_label(mara.say("wait.name")).fill("Mara")
    mara.button("wait.sit").click()
    expect(ida.page.locator(".opponents")).to_contain_text("Mara")
    expect(mara.page.locator(".opponents")).to_contain_text("Ida")


def test_home_lists_open_tables_to_watch(sit: Sit) -> None:
    ida, mara, oskar = sit(), sit(), sit()
    table = ida.create({"kind": "me", "name": "Ida-Isolde"}, "open", public=True)
    ida.go(f"/t/{table}")
    expect(ida.title).to_have_text(ida.say("wait.host"))

    mara.go()
    row = mara.page.get_by_role("listitem").filter(has_text="Ida-Isolde")
    row.get_by_role("button", name=mara.say("home.sit")).click()
    assert mara.arrive() == table
    expect(mara.mine).to_be_visible()

    oskar.go()
    oskar.page.get_by_role("link").filter(has_text="Ida-Isolde").click()
    assert oskar.arrive() == table
    expect(ida.page.get_by_text(ida.say("table.watching", n=1))).to_be_visible()

    turn = ida.snapshot()["turn"]
    ida_plays = turn["seat"] == 0
    expect(oskar.title).to_contain_text("Ida-Isolde" if ida_plays else "Guest")
    for turns in (1, 2):
        stands = ida.snapshot()
        (ida, mara)[stands["turn"]["seat"]].turn(stands=stands)
        expect(oskar.page.locator("section.coming .king")).to_have_count(turns)
    for button in (oskar.place, oskar.claim, oskar.claim_which, oskar.discard):
        expect(button).to_have_count(0)


def test_the_list_of_tables_redraws_only_changed_rows(sit: Sit, own_server: Served) -> None:
    ida, mara = sit(address=own_server.address), sit(address=own_server.address)
    ida.create("me", "open", public=True)
    table = ida.create("me", "me", public=True)
    mara.go()
    mara.button("home.sit").focus()
    mara.page.evaluate("""() => {
      window.read = [];
      addEventListener("focusin", ({ target }) => read.push(target.textContent));
    }""")
    ida.program(table, lambda stands: stands["round"] == 2)
    mara.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    rounds = ida.snapshot(table)["rules"]["rounds"]
    expect(mara.page.get_by_text(mara.say("common.round", round=2, rounds=rounds))).to_be_visible()
    expect(mara.button("home.sit")).to_be_focused()
    assert mara.page.evaluate("read") == []


def test_one_device_seats_everyone(sit: Sit) -> None:
    ida = sit(TABLET)
    ida.go()
    ida.link("home.here").click()
    ida.page.get_by_label(ida.say("new.name", n=1)).fill("Ida")
    ida.page.get_by_label(ida.say("new.name", n=2)).fill("Oskar")
    ida.button("new.draw").click()
    ida.arrive()
    names = ("Ida", "Oskar")
    while (stands := ida.snapshot())["round"] < 3:
        seat = stands["turn"]["seat"]
        if not ida.is_forced(stands):
            expect(ida.title).to_contain_text(names[seat])
            expect(ida.mine).to_contain_text(names[seat])
        ida.turn(stands=stands)
    ida.program(stands["id"])
    expect(ida.again).to_be_visible()


def test_a_waiting_table_starts_with_bots_or_closes(sit: Sit) -> None:
    ida, mara = sit(), sit()
    begun, closed = (ida.create("me", "open", "invited", public=True) for _ in range(2))
    for table in (begun, closed):
        mara.go(f"/t/{table}")
        expect(mara.title).to_have_text(mara.say("wait.open"))
        mara.page.get_by_role("button", name=mara.say("wait.sit_here")).first.click()
        expect(mara.title).to_have_text(mara.say("wait.seated"))
        if table == closed:
            mara.button("wait.leave").click()
            expect(mara.title).to_have_text(mara.say("wait.open"))
        ida.go(f"/t/{table}")
        if table == begun:
            ida.button("wait.start").click()
            expect(mara.mine).to_be_visible()
            expect(ida.mine).to_be_visible()
        else:
            ida.button("wait.close").click()
            ida.button("wait.close_sure").click()
            expect(mara.title).to_have_text(mara.say("wait.closed"))
            expect(ida.title).to_have_text(ida.say("wait.closed"))


def test_a_press_elsewhere_cancels_closing_a_table(sit: Sit) -> None:
    """Check it also where a clicked button gets no focus that it could lose, as in Safari."""
    ida = sit()
    ida.page.add_init_script(
        "addEventListener('mousedown', (event) => event.target.closest('button') && event.preventDefault())"
    )
    ida.go(f"/t/{ida.create('me', 'invited')}")
    ida.button("wait.close").click()
    expect(ida.button("wait.close_sure")).to_be_visible()
    ida.title.click()
    expect(ida.button("wait.close")).to_be_visible()


def test_a_player_lends_a_seat_to_a_bot(sit: Sit) -> None:
    ida, oskar = sit(), sit()
    table = ida.create({"kind": "me", "name": "Ida"}, "open", public=True)
    oskar.ask(f"/api/tables/{table}/seats", {"seat": 1, "name": "Oskar"})
    for player in (ida, oskar):
        player.go(f"/t/{table}")
        expect(player.mine).to_be_visible()
    ida.button("table.more").click()
    ida.button("table.leave").click()
    ida.button("table.leave_now").click()
    expect(ida.page.get_by_text(ida.say("table.bot_for_you")).first).to_be_visible()
    expect(oskar.page.locator(".opponents")).to_contain_text(oskar.say("table.away_left"))
    while oskar.snapshot()["round"] < 2:  # a bot takes Ida's turns
        oskar.turn()
    ida.button("table.come_back").click()
    expect(oskar.page.locator(".opponents")).not_to_contain_text(oskar.say("table.away_left"))
    while (stands := ida.snapshot())["turn"]["seat"] == 1:
        oskar.turn(stands=stands)
    ida.turn()


def test_a_link_moves_a_seat_to_another_device(sit: Sit) -> None:
    ida = sit(permissions=["clipboard-read", "clipboard-write"])
    phone = sit(PHONE)
    table = ida.create({"kind": "me", "name": "Ida"}, {"kind": "bot", "bot": "greedy"})
    ida.go(f"/t/{table}")
    ida.task()
    ida.button("table.more").click()
    ida.button("table.take_along").click()
    expect(ida.page.get_by_text(ida.say("table.copied_seat"))).to_be_visible()
    phone.page.goto(ida.page.evaluate("navigator.clipboard.readText()"))
    phone.task()
    expect(phone.mine).to_contain_text(phone.say("table.you"))
    expect(ida.mine).not_to_contain_text(ida.say("table.you"))
    phone.turn()


def test_players_with_the_same_name_get_numbers(sit: Sit) -> None:
    ida, mara = sit(), sit()
    table = ida.create({"kind": "me", "name": "Ann"}, {"kind": "me", "name": "Ann"}, "me", "me", public=True)
    ida.go(f"/t/{table}")
    expect(ida.mine).to_be_visible()
    shown = ida.page.locator(".play .mine .name, .opponent .name")
    assert sorted(shown.all_inner_texts()) == ["Ann", "Ann 2", "Guest", "Guest 2"]
    mara.go()
    row = mara.page.locator("#tables li").filter(has_text="Ann 2")
    expect(row).to_contain_text("Guest 2")


def test_a_spectator_keeps_up(sit: Sit) -> None:
    ida, mara = sit(), sit(moving=True)
    table = ida.create("me", "me")
    ida.program(table, lambda stands: stands["round"] == 2)
    mara.page.clock.install()
    with mara.page.expect_websocket() as opened:
        mara.go(f"/t/{table}")
    expect(mara.mine).to_be_visible()
    mara.stop_clock()
    came: list[str] = []

    def is_last(frame: str | bytes) -> bool:
        came.append(str(frame))
        return "".join(came).count('"claimed"') == 5

    # Nothing on the page ends while its clock stands still.
    with opened.value.expect_event("framereceived", is_last):
        for _ in range(5):
            ida.program_turn(table, ida.snapshot(table)["turn"])
    last = ida.snapshot(table)["recent"][-1]["domino"]
    for _ in range(4):  # points may be counted only after a movement ends
        mara.page.locator("html").evaluate(COME_TO_REST)
        mara.page.clock.fast_forward(4000)
    expect(mara.page.locator(".recent")).to_contain_text(str(last))


def test_players_on_other_devices_get_a_turn_limit(sit: Sit) -> None:
    ida = sit()
    pace = ida.page.locator("#seconds")
    ida.go("/new")
    expect(pace).to_have_value("120")
    assert pace.locator("option").all_inner_texts() == [
        "30 seconds", "2 minutes", "5 minutes", "1 day", ida.say("common.seconds_none")
    ]  # fmt: skip
    ida.page.get_by_label(ida.say("new.who", n=2)).select_option("here")
    expect(pace).to_be_hidden()
    ida.page.get_by_label(ida.say("new.who", n=2)).select_option("friend")
    pace.select_option("30")
    ida.go()
    ida.link("home.here").click()
    expect(ida.button("new.draw")).to_be_visible()
    expect(pace).to_be_hidden()
    ida.go()
    ida.link("home.friends").click()
    expect(pace).to_have_value("120")
    ida.button("new.create").click()
    ida.arrive()
    assert ida.snapshot()["seconds"] == 120


NO_CLIPBOARD = """
Object.defineProperty(navigator, "clipboard", { value: undefined });
document.execCommand = () => false;
"""


def test_a_refused_copy_selects_the_link(sit: Sit) -> None:
    ida = sit()
    ida.page.add_init_script(NO_CLIPBOARD)
    waiting, playing = ida.create("me", "invited"), ida.create("me", {"kind": "bot", "bot": "greedy"})
    ida.go(f"/t/{waiting}")
    field = ida.page.get_by_label(ida.say("wait.link", seat=2))
    ida.page.locator("[data-key=copy-1]").click()
    ida.page.wait_for_function(
        "() => document.activeElement?.selectionEnd === document.activeElement?.value?.length"
    )
    expect(field).to_be_focused()
    expect(ida.page.locator("[data-key=copy-1]")).to_have_text(ida.say("wait.copy"))
    ida.go(f"/t/{playing}")
    ida.task()
    shown: list[str] = []

    def read(dialog: Dialog) -> None:
        shown.append(dialog.default_value)
        dialog.dismiss()

    ida.page.on("dialog", read)
    ida.button("table.more").click()
    with ida.page.expect_response("**/secret"):
        ida.button("table.take_along").click()
    ida.page.wait_for_function("() => document.querySelector('#menu [role=status]').textContent === ''")
    assert len(shown) == 1
    assert f"/t/{playing}#seat=" in shown[0]


def test_a_host_cannot_take_the_invited_seat(sit: Sit) -> None:
    ida, oskar = sit(), sit()
    table = ida.create("me", "invited")
    ida.go(f"/t/{table}")
    invitation = ida.page.get_by_label(ida.say("wait.link", seat=2)).input_value()
    ida.page.goto(invitation)
    ida.page.wait_for_url(lambda url: "#" not in url)
    expect(ida.title).to_have_text(ida.say("wait.host"))
    assert ida.snapshot(table)["state"] == "waiting"
    oskar.page.goto(invitation)
    oskar.button("wait.sit").click()
    expect(oskar.mine).to_be_visible()


def test_two_friends_join_with_one_code(sit: Sit) -> None:
    ida, oskar, mara = sit(), sit(), sit()
    table = ida.create("me", "invited", "invited")
    words = ida.ask(f"/api/tables/{table}")["you"]["code"]
    for friend in (oskar, mara):
        friend.go()
        friend.page.get_by_label(friend.say("home.code")).fill(words)
        friend.button("home.code_go").click()
        assert friend.arrive() == table
        expect(friend.title).to_have_text(friend.say("wait.invited"))
    oskar.button("wait.sit").click()
    expect(oskar.title).to_have_text(oskar.say("wait.seated"))
    mara.button("wait.sit").click()
    expect(mara.mine).to_be_visible()


def test_only_tables_for_friends_offer_a_link(sit: Sit) -> None:
    ida = sit()
    ida.go("/new")
    told = ida.page.locator("#next")
    second, third = (ida.page.get_by_label(ida.say("new.who", n=n)) for n in (2, 3))
    expect(told).to_have_text(ida.say("new.next_waiting", n=1))
    second.select_option("open")
    expect(told).to_have_text(ida.say("new.next_open", n=1))
    ida.page.get_by_role("radio", name="3", exact=True).dispatch_event("click")
    expect(third).to_have_value("friend")
    expect(told).to_have_text(ida.say("new.next_mixed", n=2))
    third.select_option("open")
    expect(told).to_have_text(ida.say("new.next_open", n=2))


def test_a_waiting_table_folds_its_fingerprint(sit: Sit) -> None:
    ida, oskar = sit(), sit()
    table = ida.create("me", "open", "open", public=True)
    ida.go(f"/t/{table}")
    digits = ida.page.locator("kd-waiting code")
    expect(digits).to_be_hidden()
    ida.page.get_by_text(ida.say("wait.honesty")).click()
    expect(digits).to_have_attribute("title", ida.snapshot()["commitment"])
    oskar.ask(f"/api/tables/{table}/seats", {"seat": 1, "name": "Oskar"})
    expect(ida.page.locator("kd-waiting")).to_contain_text("Oskar")
    expect(digits).to_be_visible()
