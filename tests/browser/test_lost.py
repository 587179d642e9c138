"""Pages that do not exist: an error page with links."""

from __future__ import annotations

import pytest
from axe_playwright_python.base import AXE_FILE_PATH  # type: ignore[import-untyped]
from playwright.sync_api import expect

from browser.player import DESK, PHONE, Device, Player, Sit
from browser.test_access import faultless
from browser.test_offline import DEAF


def lost(player: Player, path: str) -> None:
    """Go to an address without a page."""
    player.trouble.forgive("404")
    answer = player.page.goto(player.address + path)
    assert answer
    assert answer.status == 404
    expect(player.title).not_to_be_empty()


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_an_unknown_address_has_an_error_page_with_links(sit: Sit, device: Device) -> None:
    ida = sit(device)
    ida.page.add_init_script(path=AXE_FILE_PATH)
    lost(ida, "/nowhere")
    expect(ida.title).to_have_text(ida.say("lost.page"))
    expect(ida.page.locator("kd-kingdom svg").first).to_be_visible()
    faultless(ida, "an unknown address")
    ida.page.get_by_label(ida.say("lost.code")).fill("amber amber amber")
    ida.button("home.code_go").click()
    expect(ida.page.get_by_text(ida.say("common.refused_no_code"))).to_be_visible()
    ida.button("home.play").click()
    ida.arrive()
    ida.task()


def test_going_back_enables_the_buttons(sit: Sit) -> None:
    """A browser may restore the page as the user left it, with disabled buttons."""
    ida = sit()
    lost(ida, "/nowhere")
    with ida.page.expect_navigation():
        ida.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(ida.button("home.play")).to_be_enabled()


def test_an_unknown_table_has_a_link_home(sit: Sit) -> None:
    ida = sit()
    lost(ida, "/t/q3v7n2kd8wjm")
    expect(ida.title).to_have_text(ida.say("lost.table"))
    ida.page.get_by_role("link", name="Kingdomino").click()
    expect(ida.button("home.play")).to_be_visible()


def test_the_error_page_keeps_typed_text(sit: Sit) -> None:
    ida = sit()
    ida.page.add_init_script(f"({DEAF})()")
    ida.go(f"/t/{ida.create('me', 'me')}")
    expect(ida.mine).to_be_visible()
    ida.page.evaluate("sockets[0].onclose({ code: 4404 })")
    expect(ida.title).to_have_text(ida.say("lost.table"))
    code = ida.page.get_by_label(ida.say("lost.code"))
    code.fill("amber")
    ida.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert ida.page.evaluate("sockets.length") == 1
    expect(code).to_have_value("amber")


def test_the_error_page_accepts_a_code(sit: Sit) -> None:
    ida, mara = sit(), sit()
    table = ida.create({"kind": "me", "name": "Ida"}, "invited")
    ida.go(f"/t/{table}")
    words = ida.page.locator(".code .words").inner_text()
    lost(mara, "/nowhere")
    mara.page.get_by_label(mara.say("lost.code")).fill(words)
    mara.button("home.code_go").click()
    assert mara.arrive() == table


def test_a_used_link_leads_to_the_game(sit: Sit) -> None:
    ida, oskar, mara = sit(), sit(), sit()
    table = ida.create({"kind": "me", "name": "Ida"}, "invited")
    ida.go(f"/t/{table}")
    link = ida.page.get_by_label(ida.say("wait.link", seat=2)).input_value()
    for player in (oskar, mara):
        player.page.goto(link)
        expect(player.title).to_have_text(player.say("wait.invited"))
    oskar.button("wait.sit").click()
    expect(oskar.mine).to_be_visible()

    mara.trouble.forgive("403")
    expect(mara.mine).to_be_visible()
    mara.page.goto(link)
    expect(mara.title).to_have_text(mara.say("lost.link"))
    mara.link("lost.watch").click()
    expect(mara.mine).to_contain_text("Ida")


def test_a_link_used_by_someone_else_says_so(sit: Sit) -> None:
    ida, oskar, mara = sit(), sit(), sit()
    table = ida.create({"kind": "me", "name": "Ida"}, "invited", "invited")
    ida.go(f"/t/{table}")
    link = ida.page.get_by_label(ida.say("wait.link", seat=2)).input_value()
    for player in (oskar, mara):
        player.page.goto(link)
        expect(player.title).to_have_text(player.say("wait.invited"))
    oskar.button("wait.sit").click()
    expect(oskar.title).to_have_text(oskar.say("wait.seated"))
    mara.trouble.forgive("403")
    mara.button("wait.sit").click()
    expect(mara.title).to_have_text(mara.say("lost.link"))
