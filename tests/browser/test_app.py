"""The installed app: installing it, being offline, and personal settings."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from browser.player import DESK, Player, Sit
from browser.served import Served

BACKGROUND = "getComputedStyle(document.documentElement).getPropertyValue('--parchment').trim()"
MOVE = "getComputedStyle(document.documentElement).getPropertyValue('--move').trim()"
READY = "navigator.serviceWorker.ready.then(({ active }) => active !== null)"
LIGHT, DARK = "#fcf6e9", "#2d231b"


def open_settings(player: Player) -> Locator:
    """Open the settings sheet from this page."""
    player.button("settings.headline").click()
    return player.page.get_by_role("dialog", name=player.say("settings.headline"))


def tick(player: Player, sheet: Locator, key: str) -> None:
    """Choose one of several."""
    with player.page.expect_response("**/api/me/settings"):
        sheet.get_by_role("radio", name=player.say(key)).check()


def test_chromium_would_install_it(sit: Sit) -> None:
    ida = sit(keeping=True)
    ida.go()
    assert ida.page.evaluate(READY)
    session = ida.page.context.new_cdp_session(ida.page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["url"].endswith("/manifest.webmanifest")
    assert manifest["errors"] == []
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] in (
        [],
        [{"errorId": "in-incognito", "errorArguments": []}],  # every window of a test is incognito
    )


def test_colours_are_chosen_and_stay_after_a_reload(sit: Sit) -> None:
    ida = sit()
    ida.page.emulate_media(color_scheme="light")
    ida.go()
    assert ida.page.evaluate(BACKGROUND) == LIGHT
    sheet = open_settings(ida)
    tick(ida, sheet, "settings.theme_dark")
    assert ida.page.evaluate(BACKGROUND) == DARK
    ida.page.reload()
    assert ida.page.evaluate(BACKGROUND) == DARK
    sheet = open_settings(ida)
    expect(sheet.get_by_label(ida.say("settings.theme_dark"))).to_be_checked()
    tick(ida, sheet, "settings.theme_system")
    assert ida.page.evaluate(BACKGROUND) == LIGHT
    ida.page.emulate_media(color_scheme="dark")
    assert ida.page.evaluate(BACKGROUND) == DARK


def test_motion_follows_the_system_until_the_user_chooses(sit: Sit) -> None:
    ida = sit()  # its system asks for reduced motion
    ida.go()
    assert ida.page.evaluate(MOVE) == "0ms"
    sheet = open_settings(ida)
    expect(sheet.get_by_label(ida.say("settings.pace_none"))).to_be_checked()
    tick(ida, sheet, "settings.pace_calm")
    assert ida.page.evaluate(MOVE) == "260ms"
    tick(ida, sheet, "settings.pace_brisk")
    assert ida.page.evaluate(MOVE) == "130ms"
    mara = sit(moving=True)
    mara.go()
    assert mara.page.evaluate(MOVE) == "260ms"
    tick(mara, open_settings(mara), "settings.pace_none")
    assert mara.page.evaluate(MOVE) == "0ms"


def test_the_table_and_keys_open_the_settings(sit: Sit) -> None:
    ida = sit()
    table = ida.create("me", {"kind": "bot", "bot": "greedy"})
    ida.go(f"/t/{table}")
    ida.task()
    ida.button("table.more").click()
    sheet = open_settings(ida)
    sound = sheet.get_by_role("switch", name=ida.say("settings.sound"))
    expect(sound).not_to_be_checked()
    with ida.page.expect_response("**/api/me/settings"):
        sound.press("Space")
    ida.press("Escape")
    expect(sheet).to_be_hidden()
    ida.page.reload()
    ida.task()
    ida.button("table.more").click()
    expect(open_settings(ida).get_by_role("switch", name=ida.say("settings.sound"))).to_be_checked()


def same_person(player: Player, page: Page) -> None:
    """Make this page's browser the same person, as a link to another device does."""
    for cookie in player.page.context.cookies():
        page.context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": player.address}])


def test_a_persons_devices_share_settings(sit: Sit) -> None:
    ida, elsewhere = sit(), sit(DESK)
    ida.go()
    sheet = open_settings(ida)
    tick(ida, sheet, "settings.theme_dark")
    with ida.page.expect_response("**/api/me/settings"):
        sheet.get_by_role("combobox").select_option("es")
    same_person(ida, elsewhere.page)
    elsewhere.go()
    expect(elsewhere.page.locator("html")).to_have_attribute("lang", "es")
    assert elsewhere.page.evaluate(BACKGROUND) == DARK


def test_an_unsent_choice_is_sent_later(sit: Sit) -> None:
    ida = sit()
    ida.trouble.forgive("ERR_FAILED")
    ida.page.context.request.put(f"{ida.address}/api/me/settings", data={"theme": "light"})
    ida.go()
    sheet = open_settings(ida)
    ida.catch("**/api/me/settings", lambda route: route.abort())
    with ida.page.expect_event("requestfailed"):
        sheet.get_by_role("radio", name=ida.say("settings.theme_dark")).check()
    ida.page.unroute("**/api/me/settings")
    with ida.page.expect_response(lambda answer: answer.request.method == "PUT"):
        ida.page.reload()
    assert ida.page.evaluate(BACKGROUND) == DARK
    assert ida.ask("/api/me/settings")["theme"] == "dark"


def test_late_settings_keep_a_newer_choice(sit: Sit) -> None:
    ida = sit()
    ida.page.context.request.put(f"{ida.address}/api/me/settings", data={"theme": "light"})
    before = ida.ask("/api/me/settings")
    late: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "GET":
            late.append(route)
        else:
            route.continue_()

    ida.catch("**/api/me/settings", hold)
    with ida.page.expect_request("**/api/me/settings"):
        ida.go()
    tick(ida, open_settings(ida), "settings.theme_dark")
    with ida.page.expect_response("**/api/me/settings"):
        late[0].fulfill(json=before)
    ida.settle()
    assert ida.page.evaluate(BACKGROUND) == DARK


def test_only_a_press_on_the_backdrop_closes_the_settings(sit: Sit) -> None:
    ida = sit()
    ida.go()
    sheet = open_settings(ida)
    box = sheet.bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    within, around = (box["x"] + 5, middle), (box["x"] - 5, middle)

    def press(start: tuple[float, float], end: tuple[float, float]) -> None:
        ida.page.mouse.move(*start)
        ida.page.mouse.down()
        ida.page.mouse.move(*end)
        ida.page.mouse.up()

    for start, end in ((within, within), (within, around), (around, within)):
        press(start, end)
        expect(sheet).to_be_visible()
    press(around, around)
    expect(sheet).to_be_hidden()


@pytest.mark.parametrize("own_server", [("--set", "root_path=/club")], indirect=True)
def test_a_server_works_below_a_path(sit: Sit, own_server: Served) -> None:
    assert own_server.address.endswith("/club")
    ida = sit(address=own_server.address, keeping=True)  # whose pages may request nothing outside of it
    ida.go()
    assert ida.page.evaluate(READY)
    ida.page.evaluate("caches.open('of another program')")
    table = ida.create("me", {"kind": "bot", "bot": "greedy"})
    ida.go(f"/t/{table}")
    while ida.snapshot()["round"] < 2:
        ida.turn()
    ida.task()  # the page has asked for the choices
    ida.client(table, "end", True)
    expect(ida.link("end.look_back")).to_be_visible()
    paths = ida.page.locator("a").evaluate_all("(all) => all.map((each) => each.pathname)")
    assert all(path.startswith("/club/") for path in paths)
    for page in ("/games", f"/t/{table}/replay", f"/review/{table}", "/docs/http/"):
        ida.page.goto(own_server.address + page)
        expect(ida.page.get_by_role("heading").first).not_to_be_empty()
    own_server.kill()
    ida.trouble.forgive("ERR_|Failed to load resource")
    ida.page.goto(f"{own_server.address}/learn")
    expect(ida.title).to_have_text(ida.say("learn.place_what"))
    ida.page.goto(f"{own_server.address}/t/{table}")
    expect(ida.title).to_have_text(ida.say("offline.headline"))
    assert "of another program" in ida.page.evaluate("caches.keys()")
    own_server.start()
